/** Generates random steps on a state, and reads all of its contents, for the state tests. */

import fc from 'fast-check'
import type { Address, Hash } from '../../lib/base/hex.ts'
import { asAddress, toHex, toWord } from '../../lib/base/hex.ts'
import type { StateRoot } from '../../lib/state/state-root.ts'
import type { State } from '../../lib/state/state.ts'

/** Few accounts and slots, so that steps interact. */
export const ADDRESSES: readonly Address[] = [1, 2, 3, 0x1003, 5].map((n) =>
  asAddress(`0x${n.toString(16).padStart(40, '0')}`),
)
export const SLOTS: readonly Hash[] = [0n, 1n, 2n, 2n ** 255n].map(toWord)

/** A change of one account. */
export type Change =
  | {
      readonly type: 'putAccount'
      readonly address: Address
      readonly nonce: bigint
      readonly balance: bigint
    }
  | { readonly type: 'deleteAccount'; readonly address: Address }
  | { readonly type: 'putCode'; readonly address: Address; readonly code: Uint8Array }
  | {
      readonly type: 'putStorage'
      readonly address: Address
      readonly slot: Hash
      readonly value: Uint8Array
    }
  | { readonly type: 'clearStorage'; readonly address: Address }

/** A change, or an operation on the journal. */
export type Step = Change | { readonly type: 'checkpoint' | 'commit' | 'revert' | 'seal' }

const address = fc.constantFrom(...ADDRESSES)
const anyPutStorage = fc.record({
  type: fc.constant('putStorage' as const),
  address,
  slot: fc.constantFrom(...SLOTS),
  value: fc.constantFrom('', '00', '01', '0001', '7f', '80', '0100', 'ff'.repeat(32)).map(bytesOf),
})

/** Any change. */
export const anyChange: fc.Arbitrary<Change> = fc.oneof(
  fc.record({
    type: fc.constant('putAccount' as const),
    address,
    nonce: fc.constantFrom(0n, 1n, 127n, 128n, 2n ** 64n - 1n),
    balance: fc.constantFrom(0n, 1n, 10n ** 18n, 2n ** 256n - 1n),
  }),
  { arbitrary: anyPutStorage, weight: 3 },
  fc.record({ type: fc.constant('deleteAccount' as const), address }),
  fc.record({ type: fc.constant('clearStorage' as const), address }),
  fc.record({
    type: fc.constant('putCode' as const),
    address,
    code: fc.constantFrom('', '00', '6000', '60'.repeat(40)).map(bytesOf),
  }),
)

/** Any step. */
export const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { arbitrary: anyChange, weight: 6 },
  {
    arbitrary: fc.constantFrom('checkpoint', 'commit', 'revert', 'seal').map((type) => ({ type })),
    weight: 3,
  },
)

/** Number of runs and seed of the random tests: `STATE_SEED` repeats the seed of a failure. */
export function runs(numRuns: number): fc.Parameters<unknown> {
  const seed = process.env['STATE_SEED']
  return seed === undefined ? { numRuns } : { numRuns, seed: Number(seed) }
}

/** Applies a change. */
export function change(state: State, made: Change): void {
  switch (made.type) {
    case 'putAccount':
      return state.putAccount(made.address, made)
    case 'deleteAccount':
      return state.deleteAccount(made.address)
    case 'putCode':
      return state.putCode(made.address, made.code)
    case 'putStorage':
      return state.putStorage(made.address, made.slot, made.value)
    case 'clearStorage':
      return state.clearStorage(made.address)
  }
}

/** The contents of an account as comparable text. */
export function accountText(state: State, of: Address): string {
  const account = state.account(of)
  const slots = SLOTS.map((slot) => toHex(state.storage(of, slot)))
  const fields = account === undefined ? 'none' : `${account.nonce} ${account.balance} ${account.codeHash}`
  return [of, fields, toHex(state.code(of)), state.hasStorage(of) ? 'storage' : 'no storage', ...slots].join(
    ' ',
  )
}

/** The contents of a state as comparable text. */
export function stateText(state: State): string {
  return ADDRESSES.map((of) => accountText(state, of)).join('\n')
}

/** The contents of a root in the same form. */
export function rootText(root: StateRoot): string {
  const lines = ADDRESSES.map((of) => {
    const account = root.account(of)
    const slots = SLOTS.map((slot) => root.storageAt(of, slot).replace(/^0x(00)*/, '0x'))
    const fields =
      account === undefined ? 'none' : `${root.nonce(of)} ${root.balance(of)} ${account.codeHash}`
    const hasStorage = account !== undefined && !account.storage.isEmpty
    return [of, fields, toHex(root.code(of)), hasStorage ? 'storage' : 'no storage', ...slots].join(' ')
  })
  return lines.join('\n')
}

function bytesOf(digits: string): Uint8Array {
  return new Uint8Array(Buffer.from(digits, 'hex'))
}
