/** Addresses of keys and scripts on the auxiliary regtest chain; sender and requested receiver of a transaction. */

import { equalBytes, EMPTY_BYTES, fromHex, toAddress, type Address } from '../../../base/hex.ts'
import { addressOfPublicKey } from '../../../crypto/address.ts'
import { fromBase58Check, toBase58Check } from '../../../crypto/base58.ts'
import { hash160 } from '../../../crypto/ripemd160.ts'
import { curve } from '../../../crypto/secp256k1.ts'
import type { AuxOutput, AuxTransaction } from './aux-transaction.ts'
import {
  KEY_ADDRESS_VERSION,
  SCRIPT_ADDRESS_VERSION,
  scriptHashOutput,
  multisig,
  witnessProgram,
} from './federation.ts'

/** Length in bytes of a version and a hash. */
const ADDRESS_BYTES = 21

/** Version and hash of an address; absent if the text is not an address of this chain. */
export function readAuxAddress(text: string): Uint8Array | undefined {
  const payload = fromBase58Check(text)
  return payload !== undefined && isAuxAddress(payload) ? payload : undefined
}

/** Whether bytes are the version and the hash of an address. */
export const isAuxAddress = ({ length, 0: version }: Uint8Array): boolean =>
  length === ADDRESS_BYTES && (version === KEY_ADDRESS_VERSION || version === SCRIPT_ADDRESS_VERSION)

/** Address of a public key, which is given as x and y (64 bytes). */
export const addressOfKey = (key: Uint8Array): string =>
  toBase58Check(Uint8Array.of(KEY_ADDRESS_VERSION, ...hash160(curve.encodePoint(key))))

export function outputScript(address: Uint8Array): Uint8Array {
  const hash = address.subarray(1)
  if (address[0] === SCRIPT_ADDRESS_VERSION) return scriptHashOutput(hash)
  // DUP HASH160 <hash> EQUALVERIFY CHECKSIG
  return Uint8Array.of(0x76, 0xa9, hash.length, ...hash, 0x88, 0xac)
}

/** The address that a script pays; absent if it is not the script of an address. */
export function addressOfScript(script: Uint8Array): string | undefined {
  const paid = [
    Uint8Array.of(SCRIPT_ADDRESS_VERSION, ...script.subarray(2, -1)),
    Uint8Array.of(KEY_ADDRESS_VERSION, ...script.subarray(3, -2)),
  ].find((address) => isAuxAddress(address) && equalBytes(outputScript(address), script))
  return paid && toBase58Check(paid)
}

/** Sender of a transaction: the account of a key, a multisig, or unknown. Refunds go to its address (version and hash). */
export type AuxSender =
  | { readonly kind: 'key'; readonly account: Address; readonly address: Uint8Array }
  | { readonly kind: 'multisig'; readonly address: Uint8Array }
  | { readonly kind: 'unknown' }

const UNKNOWN: AuxSender = { kind: 'unknown' }

/**
 * Finds the sender by the first input (node-next 4.2). A signature and the key spend a key hash; several items and a script spend a
 * multisig. They are in the input's script, or in the witness if the script has one push (nested).
 */
export function senderOf({ inputs, witnesses }: AuxTransaction): AuxSender {
  const pushes = pushesOf(inputs[0]?.script ?? EMPTY_BYTES) ?? []
  const isNested = pushes.length === 1
  const items = isNested ? (witnesses[0] ?? []) : pushes
  const last = items.at(-1) ?? EMPTY_BYTES
  if (items.length === 2) return senderOfKey(last, isNested)
  if (items.length < 2 || !isMultisig(last)) return UNKNOWN
  return { kind: 'multisig', address: scriptAddress(isNested ? witnessProgram(last) : last) }
}

function senderOfKey(key: Uint8Array, isNested: boolean): AuxSender {
  if (key.length !== 33 && (isNested || key.length !== 65)) return UNKNOWN
  const point = curve.decodePoint(key)
  if (point === undefined) return UNKNOWN
  const hash = hash160(key)
  const address = isNested
    ? scriptAddress(Uint8Array.of(0, hash.length, ...hash))
    : Uint8Array.of(KEY_ADDRESS_VERSION, ...hash)
  return { kind: 'key', account: addressOfPublicKey(point), address }
}

const scriptAddress = (script: Uint8Array): Uint8Array =>
  Uint8Array.of(SCRIPT_ADDRESS_VERSION, ...hash160(script))

/** Whether a script has the minimum of signatures, keys, their number, and the instruction that checks them. */
function isMultisig(script: Uint8Array): boolean {
  const keys = pushesOf(script.subarray(1, -2)) ?? []
  const threshold = (script[0] ?? 0) - PUSH_NUMBER
  const isInRange = threshold >= 1 && threshold <= keys.length
  return isInRange && equalBytes(script, Uint8Array.from(multisig(keys, threshold)))
}

/** The instruction that pushes 0 is this number; the one that pushes 1 is the next. */
const PUSH_NUMBER = 0x50

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

/** Bytes of the length in a push: 0 (in the opcode), 1 (PUSHDATA1) or 2 (PUSHDATA2); undefined for other instructions. */
function lengthWidth(instruction: number): number | undefined {
  if (instruction <= 0x4b) return 0
  return { 0x4c: 1, 0x4d: 2 }[instruction]
}

const numberAt = (bytes: Uint8Array, at: number, width: number): number =>
  bytes.subarray(at, at + width).reduceRight((value, byte) => value * 256 + byte, 0)

/** RETURN, the first instruction of an output that carries data instead of coins. */
const RETURN = 0x6a

/** Prefix of the data that contains the receiver; the version follows. */
const PAYLOAD_PREFIX = fromHex('0x52534b54')

/** Lengths of the data in bytes: prefix, version and receiver, and the same with a refund address of the auxiliary chain. */
const PAYLOAD_BYTES = { short: 25, long: 46 }

/** Types of the refund address: of a key hash and of a script hash. */
const REFUND_TYPES = [1, 2]

/** The receiver named by an output: an account, or `invalid` if it cannot be decoded. Undefined if no output names one. */
export function receiverIn(outputs: readonly AuxOutput[]): Address | 'invalid' | undefined {
  const payloads = outputs.map(({ script }) => payloadOf(script)).filter((payload) => payload !== undefined)
  const [payload] = payloads
  if (payload === undefined) return undefined
  return payloads.length === 1 && isPayload(payload) ? toAddress(payload.subarray(5, 25)) : 'invalid'
}

function isPayload(payload: Uint8Array): boolean {
  const { short, long } = PAYLOAD_BYTES
  // The byte after the prefix is the version.
  if (payload[4] !== 1) return false
  return payload.length === short || (payload.length === long && REFUND_TYPES.includes(payload[short] ?? 0))
}

function payloadOf(script: Uint8Array): Uint8Array | undefined {
  if (script[0] !== RETURN) return undefined
  const payload = pushesOf(script.subarray(1))?.[0]
  const prefix = payload?.subarray(0, PAYLOAD_PREFIX.length)
  return prefix !== undefined && equalBytes(prefix, PAYLOAD_PREFIX) ? payload : undefined
}
