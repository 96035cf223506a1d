/**
 * Decodes legacy transactions of merged-mining networks (node-chain 7.1-7.3). These networks accept leading zeros in price
 * and gas, and hash and sign the bytes as received.
 */

import { NodeError } from '../base/errors.ts'
import { EMPTY_BYTES, bigIntToBytes, bytesToBigInt, stripZeros, toAddress } from '../base/hex.ts'
import type { Address } from '../base/hex.ts'
import { encodeRlp } from '../base/rlp.ts'
import { keccak256 } from '../crypto/keccak.ts'

/** The decoded members of the signed list. */
export interface LegacyTransaction {
  readonly nonce: bigint
  readonly gasPrice: bigint
  readonly gasLimit: bigint
  /** Absent for a creation. */
  readonly to: Address | undefined
  readonly value: bigint
  readonly data: Uint8Array
  readonly v: bigint
  readonly r: bigint
  readonly s: bigint
}

/** Maximum bytes of a nonce, and of a gas limit without leading zeros. */
const MAX_NUMBER_BYTES = 8

/** Maximum gas limit of a transaction. */
const MAX_GAS_LIMIT = 2n ** 60n

/** Bytes of an address. */
const ADDRESS_BYTES = 20

/** Largest chain id whose signatures have a `v` of one byte (EIP-155). */
const MAX_SHORT_CHAIN_ID = 110n

/**
 * Reads the nine members of a list.
 * @throws NodeError 'invalidTransaction', or 'transactionRejected' if the pool of the reference node rejects it
 */
export function readLegacyMembers(members: readonly Uint8Array[], chainId: bigint): LegacyTransaction {
  const [nonce, gasPrice, gasLimit, to, value, data = EMPTY_BYTES, v, r, s] = members
  return {
    nonce: readNonce(nonce),
    gasPrice: readNumber(gasPrice),
    gasLimit: readGasLimit(gasLimit),
    to: readReceiver(to),
    value: readMinimal('value', value),
    data,
    v: readRecovery(v, chainId),
    r: readMinimal('r', r),
    s: readMinimal('s', s),
  }
}

/** The hash to sign: the first six members as received, and the chain id if the signature includes it (EIP-155). */
export function legacySigningHash(members: readonly Uint8Array[], chainId: bigint | undefined): Uint8Array {
  const named = chainId === undefined ? [] : [bigIntToBytes(chainId), EMPTY_BYTES, EMPTY_BYTES]
  return keccak256(encodeRlp([...members.slice(0, 6), ...named]))
}

function refuse(reason: string): never {
  throw new NodeError('invalidTransaction', `invalid transaction: ${reason}`)
}

const readNumber = (bytes: Uint8Array = EMPTY_BYTES): bigint => bytesToBigInt(bytes)

function readMinimal(name: string, bytes: Uint8Array = EMPTY_BYTES): bigint {
  if (bytes[0] === 0) refuse(`${name} has zeros in front`)
  return bytesToBigInt(bytes)
}

function readNonce(bytes: Uint8Array = EMPTY_BYTES): bigint {
  const { length } = bytes
  if (length > MAX_NUMBER_BYTES) {
    throw new NodeError(
      'transactionRejected',
      `invalid nonce: it has ${length} bytes, at most ${MAX_NUMBER_BYTES} are accepted`,
      { node33Phrase: `transaction nonce byte length exceeds maximum: ${length} > ${MAX_NUMBER_BYTES}` },
    )
  }
  if (bytes[0] === 0) {
    const node33Phrase = 'transaction nonce has non-canonical encoding'
    throw new NodeError('transactionRejected', 'invalid nonce: it has zeros in front', { node33Phrase })
  }
  return bytesToBigInt(bytes)
}

function readGasLimit(bytes: Uint8Array = EMPTY_BYTES): bigint {
  const { length } = stripZeros(bytes)
  if (length > MAX_NUMBER_BYTES) refuse(`the gas limit has ${length} bytes, at most ${MAX_NUMBER_BYTES}`)
  const gasLimit = bytesToBigInt(bytes)
  if (gasLimit > MAX_GAS_LIMIT) refuse(`gas limit ${gasLimit} is above ${MAX_GAS_LIMIT}`)
  return gasLimit
}

function readReceiver(bytes: Uint8Array = EMPTY_BYTES): Address | undefined {
  if (bytes.length === 0) return undefined
  if (bytes.length === ADDRESS_BYTES) return toAddress(bytes)
  return refuse(`the receiver has ${bytes.length} bytes, expected ${ADDRESS_BYTES}, or none for a creation`)
}

function readRecovery(bytes: Uint8Array = EMPTY_BYTES, chainId: bigint): bigint {
  if (bytes.length !== 1 && chainId <= MAX_SHORT_CHAIN_ID) refuse(`v has ${bytes.length} bytes, expected 1`)
  return readMinimal('v', bytes)
}
