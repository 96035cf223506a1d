/** Profiles transactions: gas by line of the sources, and by call path. */

import { present } from '../../base/invariant.ts'
import type { Receipt } from '../../chain/block.ts'
import type { ChainEntry } from '../../chain/chain-entry.ts'
import type { EnterEvent, ExitEvent, Observer, Step } from '../../evm/observer.ts'
import type { Outcome } from '../../evm/outcome.ts'
import { codeOfFrame } from '../explain/executed-frame.ts'
import type { KnownContracts } from '../explain/explained-call.ts'
import type { State } from '../../state/state.ts'
import type { Replayer } from '../trace/replay.ts'
import type { GasProfile } from '../../schema/gas-results.ts'
import { LineTable, PathNode, ProfiledFrame } from './profiled-frame.ts'

/** Profiles mined transactions, which are executed again. */
export const gasProfiler =
  (replayer: Replayer, contracts: KnownContracts) =>
  async (entry: ChainEntry, receipt: Receipt): Promise<GasProfile> => {
    await contracts.refresh()
    return replayer.recordOne(entry, receipt, (state) => {
      const recorder = new ProfileRecorder(contracts, state)
      const gasLimit = Number(receipt.transaction.gasLimit)
      return { observer: recorder.observer, end: (outcome) => recorder.profile(outcome, gasLimit) }
    })
  }

/** Counts the gas of one execution. */
class ProfileRecorder {
  readonly #contracts: KnownContracts
  readonly #state: State
  readonly #root = new PathNode('')
  readonly #lines = new LineTable()
  readonly #open: ProfiledFrame[] = []
  /** Gas that the outermost frame began with, and that it used. */
  #gasAtBegin: number | undefined
  #executionGas = 0
  readonly observer: Observer

  constructor(contracts: KnownContracts, state: State) {
    this.#contracts = contracts
    this.#state = state
    this.observer = {
      onEnter: (event) => this.#enter(event),
      onOpcode: (step) => this.#step(step),
      onExit: (event) => this.#exit(event),
    }
  }

  /** The profile of the execution, which has ended. */
  profile({ gasUsed: used }: Outcome, gasLimit: number): GasProfile {
    const gasUsed = Number(used)
    const intrinsicGas = gasLimit - (this.#gasAtBegin ?? gasLimit - gasUsed)
    const adjustment = gasUsed - intrinsicGas - this.#executionGas
    const floorGas = Math.max(0, adjustment)
    this.#root.child('intrinsic gas').gas += intrinsicGas
    this.#root.child('data floor').gas += floorGas
    return {
      gasUsed,
      intrinsicGas,
      refund: Math.max(0, -adjustment),
      floorGas,
      lines: this.#lines.used,
      folded: Array.from(this.#root.folded(), (line) => `${line}\n`).join(''),
    }
  }

  #enter(event: EnterEvent): void {
    this.#gasAtBegin ??= Number(event.gas)
    const mapped = codeOfFrame(event, this.#state, this.#contracts.contractOf)
    this.#open.push(
      new ProfiledFrame({
        event,
        mapped,
        contract: mapped?.contract ?? this.#contracts.contractAt(event.to),
        caller: this.#open.at(-1)?.node ?? this.#root,
        lines: this.#lines,
      }),
    )
  }

  #step(step: Step): undefined {
    present(this.#open.at(-1), 'frame of an instruction').step(step)
    return undefined
  }

  #exit(event: ExitEvent): void {
    present(this.#open.pop(), 'frame that ends').end(event)
    const gas = Number(event.gasUsed)
    const caller = this.#open.at(-1)
    if (caller === undefined) this.#executionGas = gas
    else caller.addCall(gas)
  }
}
