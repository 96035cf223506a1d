/** Finds the storage slot of a token amount: a slot that the getter reads, and whose override changes what it returns. */

import { bigIntToBytes32, bytesToBigInt, fromHex, toWord, type Address, type Hash } from '../../base/hex.ts'
import type { Routine } from '../../base/routine.ts'
import type { ResolvedBlock } from '../miner/block-resolver.ts'
import type { CallTimer } from '../../evm/observer.ts'
import type { Simulator } from './simulator.ts'

export interface AmountGetter {
  readonly token: Address
  readonly data: Uint8Array
}

export interface StorageLocation {
  /** Not always the token: some tokens keep their amounts in another contract. */
  readonly address: Address
  readonly slot: Hash
}

export const balanceOf = (token: Address, owner: Address): AmountGetter => ({
  token,
  data: callData('0x70a08231', [owner]),
})

export const allowanceOf = (token: Address, owner: Address, spender: Address): AmountGetter => ({
  token,
  data: callData('0xdd62ed3e', [owner, spender]),
})

/**
 * The slot of the amount: if `amount` is written there, the getter returns it. Absent if the contract is not a token, computes
 * its amounts, or packs them with other values.
 * @throws NodeError 'callTimeout' when the timer ends the calls
 */
export function* findAmountSlot(
  simulator: Simulator,
  resolved: ResolvedBlock,
  { getter, amount }: { readonly getter: AmountGetter; readonly amount: bigint },
  timer: CallTimer,
): Routine<StorageLocation | undefined> {
  const call = { to: getter.token, data: getter.data }
  function* returns({ address, slot }: StorageLocation, overridden: bigint): Routine<boolean> {
    const stateDiff = new Map([[slot, toWord(overridden)]])
    const overrides = { stateOverrides: new Map([[address, { stateDiff }]]) }
    const { status, returnData } = yield* simulator.call(resolved, call, overrides, timer)
    return status === 'success' && returnData.length === 32 && bytesToBigInt(returnData) === overridden
  }
  const { accessList } = yield* simulator.createAccessList(resolved, call, {}, timer)
  const locations = accessList.flatMap(({ address, storageKeys }) =>
    storageKeys.map((slot): StorageLocation => ({ address, slot })),
  )
  for (const location of locations) {
    // The getter may return one amount already although the slot is unrelated. Tokens may reject larger ones.
    const other = amount === 0n ? 1n : amount - 1n
    if ((yield* returns(location, amount)) && (yield* returns(location, other))) return location
  }
  return undefined
}

const callData = (selector: string, accounts: readonly Address[]): Uint8Array =>
  Buffer.concat([fromHex(selector), ...accounts.map((account) => bigIntToBytes32(BigInt(account)))])
