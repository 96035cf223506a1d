/** Profiles transactions: gas by line of the sources, and by call path. */

import { present } from '../../base/invariant.ts'
import type { Receipt } from '../../chain/block.ts'
import type { ChainEntry } from '../../chain/chain-entry.ts'
import type { Observer } from '../../evm/observer.ts'
import type { Outcome } from '../../evm/outcome.ts'
import { codeOfFrame } from '../explain/executed-frame.ts'
import type { KnownContracts } from '../explain/explained-call.ts'
import type { State } from '../../state/state.ts'
import type { Recorder, Replayer } from '../trace/replay.ts'
import type { GasProfile } from '../../schema/gas-results.ts'
import { LineTable, PathNode, ProfiledFrame } from './profiled-frame.ts'

/** Profiles mined transactions, which are executed again. */
export const gasProfiler =
  (replayer: Replayer, contracts: KnownContracts) =>
  async (entry: ChainEntry, receipt: Receipt): Promise<GasProfile> => {
    await contracts.refresh()
    const gasLimit = Number(receipt.transaction.gasLimit)
    return replayer.recordOne(entry, receipt, (state) => recordProfile(contracts, state, gasLimit))
  }

/** Counts the gas of one execution. */
function recordProfile(
  { contractOf, contractAt }: KnownContracts,
  state: State,
  gasLimit: number,
): Recorder<GasProfile> {
  const root = new PathNode('')
  const lines = new LineTable()
  const open: ProfiledFrame[] = []
  /** Gas that the outermost frame began with, and that it used. */
  let gasAtBegin: number | undefined
  let executionGas = 0
  const observer: Observer = {
    onEnter: (event) => {
      gasAtBegin ??= Number(event.gas)
      const mapped = codeOfFrame(event, state, contractOf)
      const contract = mapped?.contract ?? contractAt(event.to)
      open.push(new ProfiledFrame({ event, mapped, contract, caller: open.at(-1)?.node ?? root, lines }))
    },
    onOpcode: (step): undefined => present(open.at(-1), 'frame of an instruction').step(step),
    onExit: (event) => {
      present(open.pop(), 'frame that ends').end(event)
      const gas = Number(event.gasUsed)
      const caller = open.at(-1)
      if (caller === undefined) executionGas = gas
      else caller.addCall(gas)
    },
  }
  const end = ({ gasUsed: used }: Outcome): GasProfile => {
    const gasUsed = Number(used)
    const intrinsicGas = gasLimit - (gasAtBegin ?? gasLimit - gasUsed)
    const adjustment = gasUsed - intrinsicGas - executionGas
    const floorGas = Math.max(0, adjustment)
    root.child('intrinsic gas').gas += intrinsicGas
    root.child('data floor').gas += floorGas
    return {
      gasUsed,
      intrinsicGas,
      refund: Math.max(0, -adjustment),
      floorGas,
      lines: lines.used,
      folded: Array.from(root.folded(), (line) => `${line}\n`).join(''),
    }
  }
  return { observer, end }
}
