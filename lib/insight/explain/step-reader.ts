/** Reads the instructions of a mined transaction, a limited number at a time, with stack, memory, storage and source places. */

import { getOrAdd } from '../../base/once.ts'
import { fromHex, toHex, toQuantity } from '../../base/hex.ts'
import type { Receipt } from '../../chain/block.ts'
import type { ChainEntry } from '../../chain/chain-entry.ts'
import type { Observer, Step } from '../../evm/observer.ts'
import type { ListedSource, TracedStep, TracedSteps } from '../../schema/report-results.ts'
import type { State } from '../../state/state.ts'
import { linesOf, listedSource, listedSources } from '../artifacts/source-unit.ts'
import { storageLayout, transientLayout, type StorageLayout } from '../artifacts/storage-layout.ts'
import { gethExceptionText, opcodeName, storedWord, touchedSlot } from '../replay/call-tree.ts'
import type { Recorder, Replayer } from '../replay/replay.ts'
import { codeOfFrame } from './executed-frame.ts'
import type { KnownContracts } from './explained-call.ts'
import type { MappedCode } from './mapped-code.ts'
import { VariableFinder } from './storage-variables.ts'

export interface StepSelection {
  readonly from: number
  readonly count: number
}

/** Reads the instructions of mined transactions. Each answer executes the transaction again. */
export function stepReader(replayer: Replayer, contracts: KnownContracts) {
  const replay = async <T>(
    entry: ChainEntry,
    receipt: Receipt,
    begin: (state: State, frames: FrameCodes) => Recorder<T>,
  ): Promise<T> => {
    await contracts.refresh()
    const record = (state: State): Recorder<T> => begin(state, frameCodes(state, contracts))
    return contracts.withSources(() => replayer.recordOne(entry, receipt, record))
  }
  return {
    steps: (entry: ChainEntry, receipt: Receipt, selection: StepSelection): Promise<TracedSteps> =>
      replay(entry, receipt, (state, { observer, running }) => {
        const recorder = new StepRecorder(selection, state)
        const onOpcode = (step: Step): undefined => {
          recorder.onStep(step, running())
        }
        const onFault = (step: Step, exception: string): void => recorder.onFault(step, exception)
        return { observer: { ...observer, onOpcode, onFault }, end: () => recorder.end() }
      }),
    /** The sources of the contracts that the transaction ran; the outermost frame's come first. */
    sources: (entry: ChainEntry, receipt: Receipt): Promise<readonly ListedSource[]> =>
      replay(entry, receipt, (_, { observer, codes }) => ({
        observer,
        end: () => listedSources([...codes].flatMap((code) => [...code.sources()])),
      })),
  }
}

type FrameCodes = ReturnType<typeof frameCodes>

/** Follows which code each frame of an execution runs. */
function frameCodes(state: State, { contractOf }: KnownContracts) {
  const codes = new Set<MappedCode>()
  const open: (MappedCode | undefined)[] = []
  const observer: Observer = {
    onEnter: (event) => {
      const code = codeOfFrame(event, state, contractOf)
      if (code !== undefined) codes.add(code)
      open.push(code)
    },
    onExit: () => void open.pop(),
  }
  return { observer, codes, running: () => open.at(-1) }
}

const MAX_STACK = 64

/** Maximum bytes of memory shown per instruction, as much as a person reads. */
const MAX_MEMORY = 4096

const MAX_KEYS = 1000

/** Maximum number of slots touched before an answer's first instruction. */
const MAX_TOUCHED = 1000

class StepRecorder {
  readonly #selection: StepSelection
  readonly #state: Pick<State, 'storage'>
  readonly #steps: TracedStep[] = []
  #total = 0
  #memory: string | undefined
  /** The newest keys of mappings, newest last. */
  readonly #keys = new Set<string>()
  /** Recorded instructions that use a slot, by their contract's layout. */
  readonly #bySlot = new Map<StorageLayout, { readonly slot: bigint; readonly step: TracedStep }[]>()
  readonly #touched = new Map<string, TracedSteps['touched'][number]>()

  constructor(selection: StepSelection, state: Pick<State, 'storage'>) {
    this.#selection = selection
    this.#state = state
  }

  end(): TracedSteps {
    const keys = Array.from(this.#keys, (key) => fromHex(key)).toReversed()
    for (const [layout, named] of this.#bySlot) nameSlots(layout, named, keys)
    const touched = [...this.#touched.values()].slice(-MAX_TOUCHED)
    return { total: this.#total, from: this.#selection.from, touched, steps: this.#steps }
  }

  onStep(step: Step, mapped: MappedCode | undefined): void {
    const index = this.#total++
    const { from, count } = this.#selection
    if (index >= from + count) return
    if (step.name === 'KECCAK256') this.#noteKey(step)
    const storage = this.#storageOf(step)
    if (index < from) return this.#touch(step, storage)
    const { pc, depth, gasLeft, cost, address, stack, memory } = step
    const traced: TracedStep = {
      pc,
      op: opcodeName(step),
      depth,
      gas: Number(gasLeft),
      gasCost: Number(cost),
      address,
      stack: stack.slice(-MAX_STACK).map(toQuantity),
      stackSize: stack.length,
      memory: this.#memoryOf(memory),
      memorySize: memory.length,
      storage,
      source: mapped && sourceOf(mapped, pc),
    }
    this.#steps.push(traced)
    if (mapped !== undefined) this.#noteSlot(mapped, step, traced)
  }

  onFault(step: Step, exception: string): void {
    const { from } = this.#selection
    const failed = this.#steps.at(-1)
    if (failed !== undefined && from + this.#steps.length === this.#total)
      failed.error = gethExceptionText(exception, step)
  }

  #storageOf(step: Step): TracedStep['storage'] {
    const touched = touchedSlot(step)
    return touched && { ...touched, value: storedWord(this.#state, step.address, touched.slot) }
  }

  /** Notes the key of a mapping when it is hashed with the mapping's slot. */
  #noteKey({ stack, memory }: Step): void {
    if (stack.at(-2) !== 64n) return
    const start = Number(stack.at(-1))
    const key = toHex(memory.subarray(start, start + 32))
    const [oldest] = this.#keys
    if (oldest !== undefined && this.#keys.size === MAX_KEYS) this.#keys.delete(oldest)
    this.#keys.delete(key)
    this.#keys.add(key)
  }

  /** Notes the slot of SLOAD, SSTORE, TLOAD or TSTORE. Variables are named at the end. */
  #noteSlot({ contract }: MappedCode, { name = '', stack }: Step, step: TracedStep): void {
    if (!/^[ST](LOAD|STORE)$/.test(name)) return
    const layout = name.startsWith('T') ? transientLayout(contract) : storageLayout(contract)
    const slot = stack.at(-1)
    if (layout !== undefined && slot !== undefined)
      getOrAdd(this.#bySlot, layout, () => []).push({ slot, step })
  }

  #touch({ address }: Step, touched: TracedStep['storage']): void {
    if (touched === undefined) return
    const { slot, value, written = value } = touched
    const key = address + slot
    // The newest are at the end.
    this.#touched.delete(key)
    this.#touched.set(key, { address, slot, value: written })
  }

  #memoryOf(memory: Uint8Array): string | undefined {
    const shown = toHex(memory.subarray(0, MAX_MEMORY))
    if (shown === this.#memory) return undefined
    this.#memory = shown
    return shown
  }
}

/** Names the variables in the instructions' slots. One walk over the layout serves all of them. */
function nameSlots(
  layout: StorageLayout,
  named: readonly { slot: bigint; step: TracedStep }[],
  keys: readonly Uint8Array[],
): void {
  const slots = [...new Set(named.map(({ slot }) => slot))]
  const finder = new VariableFinder(layout, { slots, keys: () => keys })
  for (const { slot, step } of named)
    step.variable =
      finder
        .at(slot)
        .map(({ path }) => path)
        .join(', ') || undefined
}

function sourceOf(mapped: MappedCode, pc: number): TracedStep['source'] {
  const place = mapped.sourceAt(pc)
  if (place === undefined) return undefined
  const { id, path } = listedSource(place.unit)
  const { start, end } = place.range
  return { id, path, start, end, line: linesOf(place.unit)?.positionOf(start).line }
}
