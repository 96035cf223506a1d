/** Finds the storage slot of a token amount: a slot that the getter reads and whose override changes the getter's answer. */

import { bigIntToBytes32, bytesToBigInt, fromHex, toWord } from '../base/hex.ts'
import type { Address, Hash } from '../base/hex.ts'
import { runAtOnce } from '../base/routine.ts'
import type { ResolvedBlock } from '../miner/views.ts'
import type { Simulator } from './simulator.ts'

/** A getter of a token that answers an amount, and its arguments. */
export interface AmountGetter {
  readonly token: Address
  readonly data: Uint8Array
}

/** A word of storage. */
export interface StorageLocation {
  /** Not always the token: some keep their amounts in another contract. */
  readonly address: Address
  readonly slot: Hash
}

/** The getter of an account's balance (ERC-20). */
export const balanceOf = (token: Address, owner: Address): AmountGetter => ({
  token,
  data: callData('0x70a08231', [owner]),
})

/** The getter of what an owner lets another account spend (ERC-20). */
export const allowanceOf = (token: Address, owner: Address, spender: Address): AmountGetter => ({
  token,
  data: callData('0xdd62ed3e', [owner, spender]),
})

/**
 * The word that holds the amount the getter answers, such that writing `amount` there makes the getter answer it.
 * Absent where there is none: tokens that compute their amounts, pack them with other values, or are none.
 */
export function findAmountSlot(
  simulator: Simulator,
  view: ResolvedBlock,
  { getter, amount }: { readonly getter: AmountGetter; readonly amount: bigint },
): StorageLocation | undefined {
  const call = { to: getter.token, data: getter.data }
  const answers = ({ address, slot }: StorageLocation, overridden: bigint): boolean => {
    const stateDiff = new Map([[slot, toWord(overridden)]])
    const overrides = { stateOverrides: new Map([[address, { stateDiff }]]) }
    const outcome = runAtOnce(simulator.call(view, call, overrides))
    const { status, returnData } = outcome
    return status === 'success' && returnData.length === 32 && bytesToBigInt(returnData) === overridden
  }
  const { accessList } = runAtOnce(simulator.fitAccessList(view, call))
  const places = accessList.flatMap(({ address, storageKeys }) =>
    storageKeys.map((slot): StorageLocation => ({ address, slot })),
  )
  // Two amounts: a word that has nothing to do with it leaves the answer as it is, which may be one of them already.
  return places.find((place) => answers(place, amount) && answers(place, otherThan(amount)))
}

/** As large as the amount or less, so that a token that refuses large ones answers both. */
const otherThan = (amount: bigint): bigint => (amount === 0n ? 1n : amount - 1n)

function callData(selector: string, accounts: readonly Address[]): Uint8Array {
  return Buffer.concat([fromHex(selector), ...accounts.map((account) => bigIntToBytes32(BigInt(account)))])
}
