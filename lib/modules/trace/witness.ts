/** Execution witnesses: what a stateless client needs to execute a block. The block runs on a state that notes each read. */

import { getOrAdd } from '../../base/once.ts'
import { EMPTY_BYTES, toHex, toWord, type Address, type Hash, type Hex } from '../../base/hex.ts'
import { invalidParams } from '../../base/errors.ts'
import { nextTurn } from '../../base/host.ts'
import { finish } from '../../base/routine.ts'
import { entryBefore, entryBelow } from '../../chain/ancestors.ts'
import { BlockProcessor } from '../../chain/block-processor.ts'
import type { ChainEntry } from '../../chain/chain-entry.ts'
import { rawHeader } from '../../chain/raw-forms.ts'
import type { Network } from '../../config/network.ts'
import { SYSTEM_ADDRESS } from '../../evm/outcome.ts'
import { systemContracts } from '../../evm/system-contracts.ts'
import { EMPTY_STORAGE } from '../../state/account.ts'
import { hashedKey } from '../../state/trie-nodes.ts'
import type { StateSource } from '../../state/state-source.ts'
import { StateRoot } from '../../state/state-root.ts'
import { State } from '../../state/state.ts'
import type { Trie } from '../../state/trie.ts'
import type { Replayer } from '../../insight/replay/replay.ts'

/** What runs a block again. */
interface WitnessDependencies {
  readonly replayer: Replayer
  readonly network: Network
  /** Accounts of precompiles, which can keep values in slots. */
  readonly precompileAccounts: readonly Address[]
}

/** The accounts and slots that a block reads or changes. Those that it removes from a trie have the value true. */
type Touched = Map<Address, { isRemoved: boolean; readonly slots: Map<Hash, boolean> }>

/**
 * A block's witness in reth's form (alloy, ExecutionWitness). Its headers reach from the oldest whose hash the block reads to its
 * parent. @throws NodeError 'invalidParams' for the genesis, and for blocks of a fork, whose tries are incomplete
 */
export async function executionWitness(entry: ChainEntry, dependencies: WitnessDependencies) {
  const parent = entryBefore(entry)
  const { number } = entry.block.header
  if (parent === undefined || parent.state.isPartial) {
    const reason = parent === undefined ? 'it has no parent' : 'a fork does not have the whole state trie'
    throw invalidParams(`params[0] (block): there is no witness of block ${number}: ${reason}`)
  }
  const touched: Touched = new Map()
  const before = noting(parent.state, touched, dependencies.precompileAccounts)
  const oldest = await runOn(before, entry, dependencies)
  addChanges(touched, parent.state, entry.state)
  const headers: Hex[] = []
  for (let height = oldest; height < number; height++) {
    const ancestor = entryBelow(parent, height)
    if (ancestor !== undefined) headers.push(toHex(rawHeader(ancestor.block)))
  }
  return { ...statePart(parent.state, touched), headers }
}

/** Runs a whole block. Returns the number of the oldest block whose hash it read; its parent is always read. */
async function runOn(
  before: StateRoot,
  entry: ChainEntry,
  { replayer, network }: WitnessDependencies,
): Promise<bigint> {
  const { header, receipts, withdrawals = [] } = entry.block
  let oldest = header.number - 1n
  const own = replayer.contextOf(entry)
  const blockHash = (number: bigint): Hash | undefined => {
    if (number < oldest) oldest = number
    return own.blockHash(number)
  }
  const state = new State(before)
  // The node writes the slots of these contracts directly. Other clients call them, which reads the caller and the slots.
  for (const { address, values } of systemContracts(network)) {
    state.account(SYSTEM_ADDRESS)
    for (const [slot] of values(header)) state.storage(address, toWord(slot))
  }
  const plan = { ...header, state, context: { ...own, blockHash }, timer: { onSlice: nextTurn } }
  const processor = new BlockProcessor(replayer.engine, network, plan)
  for (const { transaction } of receipts) await finish(processor.execute(transaction))
  await finish(processor.close(withdrawals))
  return oldest
}

/** The state, as if nothing were known before it is read. */
function noting(state: StateRoot, touched: Touched, precompiles: readonly Address[]): StateRoot {
  const touch = (address: Address) =>
    getOrAdd(touched, address, () => ({ isRemoved: false, slots: new Map() }))
  const source: StateSource = {
    stateRoot: state.hash,
    precompileSlots: new Set(precompiles),
    account: (address) => {
      touch(address)
      return state.account(address)
    },
    storage: (address, slot) => {
      touch(address).slots.set(slot, false)
      return state.account(address)?.storage.get(hashedKey(slot))?.value ?? EMPTY_BYTES
    },
    changes: () => false,
    proof: (address, slots) => state.prove(address, slots),
    expect: () => undefined,
  }
  return new StateRoot(undefined, source)
}

/** Adds what the block changes, because system contracts write slots that they do not read. */
function addChanges(touched: Touched, before: StateRoot, after: StateRoot): void {
  for (const change of after.trie.changesSince(before.trie)) {
    const [old, now] = [change.before, change.after]
    const { address } = change.known
    const slots = touched.get(address)?.slots ?? new Map<Hash, boolean>()
    for (const slot of (now?.storage ?? EMPTY_STORAGE).changesSince(old?.storage ?? EMPTY_STORAGE))
      slots.set(slot.known.slot, slot.after === undefined)
    touched.set(address, { isRemoved: now === undefined, slots })
  }
}

/** The encoded nodes on paths to touched keys, the codes, and the addresses, each before its slots. */
function statePart({ trie }: StateRoot, touched: Touched) {
  const [state, codes, keys] = [new Set<Hex>(), new Set<Hex>(), new Array<Hex>()]
  /** Adds the nodes of a key's proof. For a removed key, also those that its removal can merge. */
  const add = <V>(within: Trie<V>, key: string, isRemoved: boolean): void => {
    for (const node of isRemoved ? within.proveRemoval(key) : within.prove(key)) state.add(toHex(node))
  }
  for (const [address, { isRemoved, slots }] of touched) {
    const { code, storage = EMPTY_STORAGE } = trie.get(hashedKey(address)) ?? {}
    add(trie, hashedKey(address), isRemoved)
    if (code !== undefined && code.length > 0) codes.add(toHex(code))
    keys.push(address, ...slots.keys())
    for (const [slot, isCleared] of slots) add(storage, hashedKey(slot), isCleared && !isRemoved)
  }
  return { state: [...state], codes: [...codes], keys }
}
