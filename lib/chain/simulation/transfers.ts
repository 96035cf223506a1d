/** Shows transfers of the native coin as ERC-20 Transfer logs (eth_simulateV1; geth, internal/ethapi/logtracer.go). */

import { asAddress, fromHex, toWord, type Address } from '../../base/hex.ts'
import type { EnterEvent, ExitEvent, SyncObserver } from '../../evm/observer.ts'
import { TRANSFER_TOPIC, type Log } from '../../evm/outcome.ts'

/** The address of these logs (ERC-7528). */
const NATIVE_COIN = asAddress(`0x${'ee'.repeat(20)}`)

/** Kinds of frames that transfer their value. */
const MOVING: ReadonlySet<EnterEvent['kind']> = new Set(['call', 'create', 'create2', 'selfdestruct'])

/** Collects the logs and the transfers of one execution in their order, without those of failed frames. */
export class TransferLogs {
  /** Logs of each running frame, with those of its calls that succeeded. */
  readonly #frames: Log[][] = []
  /** The logs and transfers; complete when the execution has ended. */
  logs: readonly Log[] = []

  readonly observer: SyncObserver = {
    onEnter: (event) => this.#frames.push(transferIn(event)),
    onExit: ({ status }) => this.#exit(status),
    onLog: (log) => this.#frames.at(-1)?.push(log),
  }

  #exit(status: ExitEvent['status']): void {
    const logs = this.#frames.pop() ?? []
    const kept = status === 'success' ? logs : []
    const caller = this.#frames.at(-1)
    if (caller === undefined) this.logs = kept
    else for (const log of kept) caller.push(log)
  }
}

function transferIn({ kind, from, to, value }: EnterEvent): Log[] {
  if (value === 0n || !MOVING.has(kind)) return []
  const word = (address: Address) => toWord(BigInt(address))
  return [
    { address: NATIVE_COIN, topics: [TRANSFER_TOPIC, word(from), word(to)], data: fromHex(toWord(value)) },
  ]
}
