/** Movements of tokens, from the events that the token standards prescribe. */

import { asHash, bytesToBigInt, toAddress, fromHex } from '../base/hex.ts'
import type { Address, Hash } from '../base/hex.ts'
import type { Log } from '../evm/outcome.ts'
import { TRANSFER_TOPIC } from '../evm/transfer-event.ts'

/** A movement of tokens (ERC-20, ERC-721, or ERC-1155 of one id). */
export interface TokenTransfer {
  readonly token: Address
  readonly from: Address
  readonly to: Address
  /** Absent for tokens without ids (ERC-20). */
  readonly id: bigint | undefined
  readonly amount: bigint
}

/** keccak256 of `TransferSingle(address,address,address,uint256,uint256)`. */
const TRANSFER_SINGLE = asHash('0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62')

/** The movement that a log tells of; undefined if it tells of none. */
export function transferIn({ address: token, topics, data }: Log): TokenTransfer | undefined {
  const [event, first, second, third] = topics
  if (first === undefined || second === undefined) return undefined
  if (event === TRANSFER_TOPIC && third !== undefined && data.length === 0)
    return { token, from: addressIn(first), to: addressIn(second), id: BigInt(third), amount: 1n }
  if (event === TRANSFER_TOPIC && third === undefined && data.length === 32)
    return {
      token,
      from: addressIn(first),
      to: addressIn(second),
      id: undefined,
      amount: bytesToBigInt(data),
    }
  if (event !== TRANSFER_SINGLE || third === undefined || data.length !== 64) return undefined
  const [id, amount] = [bytesToBigInt(data.subarray(0, 32)), bytesToBigInt(data.subarray(32))]
  return { token, from: addressIn(second), to: addressIn(third), id, amount }
}

const addressIn = (topic: Hash): Address => toAddress(fromHex(topic).subarray(12))
