/** Reads the instructions of a mined transaction, a bounded number at a time, with their places in the sources. */

import type { Receipt } from '../../chain/block.ts'
import type { ChainEntry } from '../../chain/chain-entry.ts'
import type { EnterEvent, Observer } from '../../evm/observer.ts'
import type { State } from '../../state/state.ts'
import type { Replayer } from '../trace/replay.ts'
import { codeOfFrame } from './executed-frame.ts'
import type { KnownContracts } from './known-contracts.ts'
import type { MappedCode } from './mapped-code.ts'
import { StepFinder } from './step-finder.ts'
import type { StepListener, StepSearch } from './step-finder.ts'
import { StepRecorder } from './step-recorder.ts'
import type { StepSelection, TracedSteps } from './step-recorder.ts'
import { listedSources } from './source-list.ts'
import type { ListedSource } from './source-list.ts'

/** Reads the instructions of transactions, which are executed again for each answer. */
export class StepReader {
  readonly #replayer: Replayer
  readonly #contracts: KnownContracts

  constructor(replayer: Replayer, contracts: KnownContracts) {
    this.#replayer = replayer
    this.#contracts = contracts
  }

  /** Some of the instructions. */
  steps(entry: ChainEntry, receipt: Receipt, selection: StepSelection): Promise<TracedSteps> {
    return this.#replay(entry, receipt, (state) => {
      const recorder = new StepRecorder(selection, state)
      return { listener: recorder, end: () => recorder.steps }
    })
  }

  /** Index of the nearest instruction that the search describes; undefined if there is none. */
  find(entry: ChainEntry, receipt: Receipt, search: StepSearch): Promise<number | undefined> {
    const finder = new StepFinder(search)
    return this.#replay(entry, receipt, () => ({ listener: finder, end: () => finder.found }))
  }

  /** The sources of the contracts that the transaction ran, those of the outermost first. */
  sources(entry: ChainEntry, receipt: Receipt): Promise<readonly ListedSource[]> {
    return this.#replay(entry, receipt, () => ({
      listener: {},
      end: (codes) => listedSources([...codes].flatMap((code) => [...code.sources()])),
    }))
  }

  /** Replays a transaction for a listener. `end` gets the codes that it ran. */
  async #replay<T>(
    entry: ChainEntry,
    receipt: Receipt,
    begin: (state: State) => {
      readonly listener: StepListener
      readonly end: (codes: ReadonlySet<MappedCode>) => T
    },
  ): Promise<T> {
    await this.#contracts.refresh()
    const codes = new Set<MappedCode>()
    return this.#replayer.recordOne(entry, receipt, (state) => {
      const { listener, end } = begin(state)
      const codeOf = (event: EnterEvent): MappedCode | undefined => {
        const code = codeOfFrame(event, state, this.#contracts.contractOf)
        if (code !== undefined) codes.add(code)
        return code
      }
      return { observer: placing(listener, codeOf), end: () => end(codes) }
    })
  }
}

/** Numbers the instructions, and gives each the code of its frame. */
function placing(
  { onStep, onFault }: StepListener,
  codeOf: (event: EnterEvent) => MappedCode | undefined,
): Observer {
  const open: (MappedCode | undefined)[] = []
  let index = 0
  const frames: Observer = {
    onEnter: (event) => {
      open.push(codeOf(event))
    },
    onExit: () => {
      open.pop()
    },
  }
  if (onStep === undefined) return frames
  return {
    ...frames,
    onOpcode: (step) => {
      onStep({ index: index++, step, mapped: open.at(-1) })
      return undefined
    },
    onFault,
  }
}
