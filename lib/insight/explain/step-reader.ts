/** Reads the instructions of a mined transaction, a bounded number at a time, with their places in the sources. */

import type { Receipt } from '../../chain/block.ts'
import type { ChainEntry } from '../../chain/chain-entry.ts'
import type { Observer } from '../../evm/observer.ts'
import type { ListedSource, TracedSteps } from '../../schema/report-results.ts'
import type { State } from '../../state/state.ts'
import type { Recorder, Replayer } from '../trace/replay.ts'
import { codeOfFrame } from './executed-frame.ts'
import type { KnownContracts } from './explained-call.ts'
import type { MappedCode } from './mapped-code.ts'
import { StepRecorder, type StepSelection } from './step-recorder.ts'
import { listedSources } from './source-list.ts'

/** Receives the instructions of one execution, unless it needs only the codes that ran. */
interface Listener<T> extends Partial<Pick<StepRecorder, 'onStep' | 'onFault'>> {
  end(codes: ReadonlySet<MappedCode>): T
}

/** Reads the instructions of mined transactions, which are executed again for each answer. */
export function stepReader(replayer: Replayer, contracts: KnownContracts) {
  const replay = async <T>(
    entry: ChainEntry,
    receipt: Receipt,
    begin: (state: State) => Listener<T>,
  ): Promise<T> => {
    await contracts.refresh()
    return contracts.withSources(() =>
      replayer.recordOne(entry, receipt, (state) => recorderFor(begin(state), state, contracts)),
    )
  }
  return {
    /** Some of the instructions. */
    steps: (entry: ChainEntry, receipt: Receipt, selection: StepSelection): Promise<TracedSteps> =>
      replay(entry, receipt, (state) => new StepRecorder(selection, state)),
    /** The sources of the contracts that the transaction ran, those of the outermost first. */
    sources: (entry: ChainEntry, receipt: Receipt): Promise<readonly ListedSource[]> =>
      replay(entry, receipt, () => ({
        end: (codes) => listedSources([...codes].flatMap((code) => [...code.sources()])),
      })),
  }
}

/** Tells a listener of one execution, at last the codes that it ran. */
function recorderFor<T>(listener: Listener<T>, state: State, { contractOf }: KnownContracts): Recorder<T> {
  const codes = new Set<MappedCode>()
  /** The codes of the frames that have not ended, outermost first. */
  const open: (MappedCode | undefined)[] = []
  let index = 0
  const frames: Observer = {
    onEnter: (event) => {
      const code = codeOfFrame(event, state, contractOf)
      if (code !== undefined) codes.add(code)
      open.push(code)
    },
    onExit: () => void open.pop(),
  }
  const steps: Observer = {
    onOpcode: (step) => {
      listener.onStep?.(index++, step, open.at(-1))
      return undefined
    },
    onFault: (step, exception) => listener.onFault?.(step, exception),
  }
  const observer = listener.onStep === undefined ? frames : { ...frames, ...steps }
  return { observer, end: () => listener.end(codes) }
}
