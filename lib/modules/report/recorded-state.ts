/** What an execution reads of a state: noted while it runs, kept in the report, and made into a state to run on again. */

import { NodeError } from '../../base/errors.ts'
import { EMPTY_BYTES, fromHex, stripZeros, type Address, type Hash } from '../../base/hex.ts'
import { getOrAdd } from '../../base/once.ts'
import { ZERO_HASH } from '../../chain/header.ts'
import { BEACON_ROOTS, BLOCK_HASHES } from '../../evm/system-contracts.ts'
import type { AccountFields } from '../../state/account.ts'
import type { StateSource } from '../../state/state-source.ts'
import { StateRoot } from '../../state/state-root.ts'

interface RecordedAccount {
  /** Absent if the account does not exist. */
  readonly fields?: Omit<AccountFields, 'code'>
  /** Values without leading zeros. */
  readonly slots: Readonly<Record<string, Uint8Array>>
  /** Whether all other slots are zero. */
  readonly isWhole: boolean
}

export type RecordedState = Readonly<Record<string, RecordedAccount>>

/** Codes by their hash, for all states of a report. */
export type Codes = Map<Hash, Uint8Array>

/** If an account has at most this many slots, all are recorded, because the debugger shows variables that the execution did not read. */
const MAX_SLOTS = 256

/** Contracts with a slot for each recent block and no variables. */
const BUFFERS: ReadonlySet<Address> = new Set([BEACON_ROOTS.address, BLOCK_HASHES.address])

/** A state that notes what is read of it. `precompiles` are the accounts of precompiles, which may keep values in slots. */
export function notedState(before: StateRoot, precompiles: Iterable<Address>) {
  const touched = new Map<Address, Set<Hash>>()
  const slotsOf = (address: Address): Set<Hash> => getOrAdd(touched, address, () => new Set<Hash>())
  const root = rootOver({
    precompileSlots: new Set(precompiles),
    account: (address) => {
      slotsOf(address)
      return before.account(address)
    },
    storage: (address, slot) => {
      slotsOf(address).add(slot)
      return stripZeros(fromHex(before.storageAt(address, slot)))
    },
  })
  const recorded = (codes: Codes): RecordedState =>
    Object.fromEntries(
      Array.from(touched, ([address, slots]) => [
        address,
        recordedAccount(before, address, { slots, codes }),
      ]),
    )
  return { root, recorded }
}

function recordedAccount(
  before: StateRoot,
  address: Address,
  { slots, codes }: { readonly slots: ReadonlySet<Hash>; readonly codes: Codes },
): RecordedAccount {
  const account = before.account(address)
  const values = Array.from(
    slots,
    (slot) => [slot, stripZeros(fromHex(before.storageAt(address, slot)))] as const,
  )
  if (account === undefined) return { slots: Object.fromEntries(values), isWhole: true }
  const { nonce, balance, code, codeHash, storage } = account
  if (code.length > 0) codes.set(codeHash, code)
  const others = []
  const isBuffer = BUFFERS.has(address)
  for (const [, { slot, value }] of isBuffer ? [] : storage.entries())
    if (others.push([slot, value] as const) > MAX_SLOTS) break
  const isWhole = !isBuffer && others.length <= MAX_SLOTS && !before.continues(address)
  return { fields: { nonce, balance, codeHash }, slots: Object.fromEntries([...values, ...others]), isWhole }
}

/** The recorded state. Reading anything else throws NodeError 'stateDropped', because a zero would be wrong. */
export function stateOf(recorded: RecordedState, codes: Codes, precompiles: Iterable<Address>): StateRoot {
  const accountAt = (address: Address): RecordedAccount =>
    recorded[address] ?? notRecorded(`account ${address}`)
  return rootOver({
    precompileSlots: new Set(precompiles),
    account: (address) => {
      const { fields } = accountAt(address)
      return fields && { ...fields, code: codes.get(fields.codeHash) ?? EMPTY_BYTES }
    },
    storage: (address, slot) => {
      const { slots, isWhole } = accountAt(address)
      return slots[slot] ?? (isWhole ? EMPTY_BYTES : notRecorded(`slot ${slot} of account ${address}`))
    },
  })
}

function notRecorded(what: string): never {
  throw new NodeError('stateDropped', `the report does not have ${what}: the execution did not read it`)
}

const rootOver = (source: Pick<StateSource, 'account' | 'storage' | 'precompileSlots'>): StateRoot =>
  new StateRoot(undefined, {
    ...source,
    stateRoot: ZERO_HASH,
    changes: () => false,
    proof: () => notRecorded('proofs'),
    expect: () => undefined,
  })
