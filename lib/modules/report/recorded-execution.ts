/** Executions that can run again anywhere: transaction or call, block, ancestors, and what they read of the state. */

import { finish } from '../../base/routine.ts'
import { entryBefore, entryBelow } from '../../chain/ancestors.ts'
import type { Block } from '../../chain/block.ts'
import { ChainEntry } from '../../chain/chain-entry.ts'
import type { MinedReceipt } from '../../chain/chain-index.ts'
import type { Network } from '../../config/network.ts'
import type { Ancestor, BlockContext } from '../../evm/block-context.ts'
import type { Outcome } from '../../evm/outcome.ts'
import type { PreparedCall } from '../../evm/simulated-call.ts'
import type { Address, Hash } from '../../base/hex.ts'
import type { ContractCatalog } from '../../insight/artifacts/catalog.ts'
import type { CompiledContract } from '../../insight/artifacts/compilation.ts'
import type { KnownContracts } from '../../insight/explain/explained-call.ts'
import { Explainer } from '../../insight/explain/explainer.ts'
import type { FailedExecution } from '../../insight/explain/failures.ts'
import type { Replayer } from '../../insight/replay/replay.ts'
import { loadedBlock, savedBlock } from '../../node/persistence/records.ts'
import type { StateRoot } from '../../state/state-root.ts'
import { State } from '../../state/state.ts'
import type { CallTimer } from '../../evm/observer.ts'
import { notedState, stateOf, type Codes, type RecordedState } from './recorded-state.ts'

/** A block without what only its own execution needs. */
type SavedBlock = ReturnType<typeof savedBlock>

/** A transaction in a block of its own, or a call. */
type RecordedRun = Awaited<ReturnType<typeof recordMined | typeof recordCall>>['run']

export interface RecordedExecution {
  readonly kind: FailedExecution['kind']
  readonly outcome: Outcome
  readonly run: RecordedRun
  readonly state: RecordedState
}

/** What runs a chain's executions again, and knows its contracts. */
export interface ExecutedChain {
  readonly replayer: Replayer
  readonly network: Network
  readonly knownContracts: KnownContracts
  readonly contractCatalog: Pick<ContractCatalog, 'refreshUnlessRecent'>
  readonly startCallTimer: () => CallTimer
  readonly precompiles: ReadonlyMap<Address, unknown>
}

/** Records an execution by running it again, and explains it. @throws NodeError if it cannot run again */
export async function recordExecution(
  { kind, mined, outcome, prepare }: Pick<FailedExecution, 'kind' | 'mined' | 'outcome' | 'prepare'>,
  chain: ExecutedChain,
  { codes, contracts }: { readonly codes: Codes; readonly contracts: Set<CompiledContract> },
) {
  const explainer = new Explainer(chain.replayer, notingContracts(chain, contracts))
  const noted = (before: StateRoot) => notedState(before, chain.precompiles.keys())
  const recording = mined
    ? await recordMined(mined, chain, { explainer, noted })
    : prepare && (await recordCall(prepare(), chain, { explainer, noted }))
  if (recording === undefined) return undefined
  const { state, explanation, run } = recording
  const execution: RecordedExecution = { kind, outcome, run, state: state(codes) }
  return { execution, explanation }
}

const notingContracts = (
  { knownContracts: known, contractCatalog }: ExecutedChain,
  contracts: Set<CompiledContract>,
): KnownContracts => ({
  ...known,
  // Twenty executions of a test should not search twenty times for new artifacts.
  refresh: () => contractCatalog.refreshUnlessRecent(),
  contractOf: (...code) => {
    const contract = known.contractOf(...code)
    if (contract !== undefined) contracts.add(contract)
    return contract
  },
})

interface Recording {
  readonly explainer: Explainer
  readonly noted: (before: StateRoot) => ReturnType<typeof notedState>
}

async function recordMined(
  { entry, receipt }: MinedReceipt,
  { replayer }: ExecutedChain,
  { explainer, noted }: Recording,
) {
  const parent = await finish(() => entryBefore(entry))
  const before = noted(await replayer.stateAfter(entry, receipt.index))
  const ancestors = new Map<bigint, ChainEntry>()
  const make = (number: bigint): ChainEntry | undefined => {
    const ancestor = entryBelow(parent, number)
    if (ancestor !== undefined) ancestors.set(number, ancestor)
    return ancestor
  }
  const block = alone(entry.block, receipt)
  const own = parent?.block ?? entry.block
  const mined = minedIn(block, own, { state: before.root, make })
  const explanation = await explainer.transaction(mined.entry, mined.receipt)
  const run = {
    block: savedBlock(block),
    parent: savedBlock(bare(own)),
    ancestors: Object.fromEntries(
      Array.from(ancestors, ([number, { block: at }]) => [String(number), savedBlock(bare(at))] as const),
    ),
  }
  return { state: before.recorded, explanation, run }
}

const alone = (block: Block, receipt: MinedReceipt['receipt']): Block => ({
  ...bare(block),
  receipts: [{ ...receipt, index: 0, firstLogIndex: 0, cumulativeGasUsed: receipt.outcome.gasUsed }],
})

/** The block without transactions. */
const bare = ({ header, hash, uncles, chainId, totalDifficulty }: Block): Block => ({
  header,
  hash,
  uncles,
  chainId,
  totalDifficulty,
  receipts: [],
})

/** A mined transaction after a block whose ancestors are made when they are read. */
function minedIn(
  block: Block,
  parentBlock: Block,
  { state, make }: { readonly state: StateRoot; readonly make: (number: bigint) => ChainEntry | undefined },
): MinedReceipt {
  const reservation = { last: parentBlock.header.number, make, byHash: () => undefined, keepsState: false }
  const parent = new ChainEntry({ block: parentBlock, state, parent: undefined, reservation })
  const [receipt] = block.receipts
  if (receipt === undefined) throw new Error('a recorded block has no transaction')
  return { entry: new ChainEntry({ block, state: undefined, parent }), receipt }
}

async function recordCall(
  { state, context, message }: PreparedCall,
  { startCallTimer }: ExecutedChain,
  { explainer, noted }: Recording,
) {
  const before = noted(state.commitRoot())
  const hashes = new Map<bigint, Hash | undefined>()
  const ancestors = new Map<number, Ancestor | undefined>()
  const { blockHash, ancestor, ...plain } = context
  const noting: BlockContext = {
    ...plain,
    blockHash: (number) => valueOf(hashes, number, blockHash),
    ancestor: (depth) => valueOf(ancestors, depth, ancestor),
  }
  const prepare = () => ({ state: new State(before.root), context: noting, message })
  const explanation = await explainer.call(prepare, startCallTimer())
  const run = { message, context: plain, hashes: present(hashes), ancestors: present(ancestors) }
  return { state: before.recorded, explanation, run }
}

function valueOf<Key, Value>(known: Map<Key, Value>, key: Key, read: (key: Key) => Value): Value {
  const value = known.get(key) ?? read(key)
  known.set(key, value)
  return value
}

const present = <Key extends bigint | number, Value>(values: ReadonlyMap<Key, Value | undefined>) =>
  Object.fromEntries(
    [...values].flatMap(([key, value]) => (value === undefined ? [] : [[String(key), value] as const])),
  )

/** Prepares the execution to run again on a node with the report's network. */
export function rerunOf(
  { run, state: recorded }: RecordedExecution,
  { network, precompiles }: Pick<ExecutedChain, 'network' | 'precompiles'>,
  codes: Codes,
): Pick<FailedExecution, 'mined' | 'prepare' | 'height'> {
  const state = stateOf(recorded, codes, precompiles.keys())
  if ('message' in run) {
    const { message, context, hashes, ancestors } = run
    const whole: BlockContext = {
      ...context,
      blockHash: (number) => hashes[String(number)],
      ancestor: (depth) => ancestors[depth],
    }
    return { height: context.number, prepare: () => ({ state: new State(state), context: whole, message }) }
  }
  const loaded = (block: SavedBlock): Block => loadedBlock(block, network.kind.consensus)
  const make = (number: bigint): ChainEntry | undefined => {
    const ancestor = run.ancestors[String(number)]
    return ancestor && new ChainEntry({ block: loaded(ancestor), state: undefined, parent: undefined })
  }
  const mined = minedIn(loaded(run.block), loaded(run.parent), { state, make })
  return { height: mined.entry.block.header.number, mined }
}
