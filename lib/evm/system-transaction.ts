/** Builds the transaction with which a network closes a block: it calls the contract that pays out the fees (node-chain 7.8). */

import {
  asAddress,
  EMPTY_BYTES,
  ZERO_ADDRESS,
  bigIntToBytes,
  equalBytes,
  fromHex,
  toHash,
} from '../base/hex.ts'
import type { Address } from '../base/hex.ts'
import { InvariantError } from '../base/invariant.ts'
import { encodeRlp } from '../base/rlp.ts'
import { keccak256 } from '../crypto/keccak.ts'
import type { Transaction } from './transaction.ts'

export const FEE_CONTRACT = asAddress('0x0000000000000000000000000000000001000008')

/**
 * The account whose nonce the transaction increments. Its address is a single zero byte (node-chain 12.2). It is in the state
 * so that the roots of the binary trie match those of the network. Methods and contracts cannot refer to it.
 */
export const SYSTEM_ACCOUNT = oneByteAddress('0x00')

function oneByteAddress(text: string): Address {
  const isOneByte = (text: string): text is Address => /^0x[0-9a-f]{2}$/.test(text)
  if (isOneByte(text)) return text
  throw new InvariantError(`${text} is not one byte`)
}

/** Encoding of a zero price and gas limit; other zero numbers are encoded as no bytes. */
const ZERO_BYTE = Uint8Array.of(0)

export function systemTransaction(blockNumber: bigint): Transaction {
  const nonce = blockNumber - 1n
  const encoded = encode(nonce)
  return {
    hash: toHash(keccak256(encoded)),
    type: 0,
    sender: ZERO_ADDRESS,
    nonce,
    to: FEE_CONTRACT,
    encoded,
    gasLimit: 0n,
    maxFeePerGas: 0n,
    maxPriorityFeePerGas: 0n,
    value: 0n,
    data: EMPTY_BYTES,
    chainId: undefined,
    v: 0n,
    r: 0n,
    s: 0n,
  }
}

function encode(nonce: bigint): Uint8Array {
  const signature = [EMPTY_BYTES, EMPTY_BYTES, EMPTY_BYTES]
  const call = [fromHex(FEE_CONTRACT), EMPTY_BYTES, EMPTY_BYTES]
  return encodeRlp([bigIntToBytes(nonce), ZERO_BYTE, ZERO_BYTE, ...call, ...signature])
}

/** Whether a transaction is a system transaction. User transactions have a signature, and simulated ones another encoding. */
export const isSystemTransaction = ({ to, nonce, r, s, encoded }: Transaction): boolean =>
  to === FEE_CONTRACT && r === 0n && s === 0n && equalBytes(encoded, encode(nonce))
