/** Finds the sender and the requested receiver of an auxiliary chain's transaction from its scripts. */

import type { Address } from '../../../base/hex.ts'
import { EMPTY_BYTES, equalBytes, fromHex, toAddress } from '../../../base/hex.ts'
import { addressOfPublicKey } from '../../../crypto/address.ts'
import { curve } from '../../../crypto/secp256k1.ts'
import type { AuxOutput, AuxTransaction } from './aux-transaction.ts'

/** Sender of a transaction: the account of a key, a multisig, or unknown. */
export type AuxSender =
  | { readonly kind: 'key'; readonly account: Address }
  | { readonly kind: 'multisig' }
  | { readonly kind: 'unknown' }

const UNKNOWN: AuxSender = { kind: 'unknown' }
const MULTISIG: AuxSender = { kind: 'multisig' }

/** Last instruction of a multisig script: CHECKMULTISIG. */
const CHECK_MULTISIG = 0xae

/** Finds the sender by the first input: a key hash, plain or inside a script hash, or a multisig. */
export function senderOf({ inputs, witnesses }: AuxTransaction): AuxSender {
  const pushes = pushesOf(inputs[0]?.script ?? EMPTY_BYTES)
  if (pushes === undefined) return UNKNOWN
  const [first, second] = pushes
  if (pushes.length === 2 && second !== undefined && isKeyLength(second)) return senderOfKey(second)
  if (pushes.length === 1 && first !== undefined && first[0] === 0 && first[1] === first.length - 2) {
    return senderOfWitness(first.length - 2, witnesses[0] ?? [])
  }
  return pushes.at(-1)?.at(-1) === CHECK_MULTISIG ? MULTISIG : UNKNOWN
}

const isKeyLength = ({ length }: Uint8Array): boolean => length === 33 || length === 65

/** Finds the sender by the length of the witness program: 20 bytes are a key hash, 32 a script hash. */
function senderOfWitness(length: number, witness: readonly Uint8Array[]): AuxSender {
  const [, key] = witness
  if (length === 20) return witness.length === 2 && key !== undefined ? senderOfKey(key) : UNKNOWN
  return length === 32 && witness.at(-1)?.at(-1) === CHECK_MULTISIG ? MULTISIG : UNKNOWN
}

function senderOfKey(key: Uint8Array): AuxSender {
  const point = curve.decodePoint(key)
  return point === undefined ? UNKNOWN : { kind: 'key', account: addressOfPublicKey(point) }
}

/** Data that a script pushes; absent if it has other instructions. */
export function pushesOf(script: Uint8Array): readonly Uint8Array[] | undefined {
  const pushes: Uint8Array[] = []
  let at = 0
  while (at < script.length) {
    const width = lengthWidth(script[at] ?? 0)
    if (width === undefined) return undefined
    const length = width === 0 ? (script[at] ?? 0) : numberAt(script, at + 1, width)
    const start = at + 1 + width
    at = start + length
    if (at > script.length) return undefined
    pushes.push(script.subarray(start, at))
  }
  return pushes
}

/**
 * Number of bytes in the length that follows a push: 0 (the opcode is the length), 1 (PUSHDATA1) or 2 (PUSHDATA2).
 * Undefined for other instructions.
 */
function lengthWidth(instruction: number): number | undefined {
  if (instruction <= 0x4b) return 0
  return { 0x4c: 1, 0x4d: 2 }[instruction]
}

function numberAt(bytes: Uint8Array, at: number, width: number): number {
  return bytes.subarray(at, at + width).reduceRight((value, byte) => value * 256 + byte, 0)
}

/** RETURN, the first instruction of an output that carries data instead of coins. */
const RETURN = 0x6a

/** Prefix of the data that contains the receiver; the version follows. */
const PAYLOAD_PREFIX = fromHex('0x52534b54')

/** Lengths of the data in bytes: prefix, version, receiver and an optional refund address of the auxiliary chain. */
const PAYLOAD_BYTES = [25, 46]

/**
 * The receiver that an output of the transaction names: an account, or `invalid` if it cannot be decoded. Undefined if no output
 * names one.
 */
export function receiverIn(outputs: readonly AuxOutput[]): Address | 'invalid' | undefined {
  const payloads = outputs.map(({ script }) => payloadOf(script)).filter((payload) => payload !== undefined)
  const [payload] = payloads
  if (payload === undefined) return undefined
  // The byte after the prefix is the version.
  if (payloads.length > 1 || !PAYLOAD_BYTES.includes(payload.length) || payload[4] !== 1) return 'invalid'
  return toAddress(payload.subarray(5, 25))
}

function payloadOf(script: Uint8Array): Uint8Array | undefined {
  if (script[0] !== RETURN) return undefined
  const payload = pushesOf(script.subarray(1))?.[0]
  const prefix = payload?.subarray(0, PAYLOAD_PREFIX.length)
  return prefix !== undefined && equalBytes(prefix, PAYLOAD_PREFIX) ? payload : undefined
}
