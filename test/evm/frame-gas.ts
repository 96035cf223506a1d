/** Compares the gas of frames in hook events with the gas of their instructions. */

import type { EnterEvent, ExitEvent, SyncObserver, Step } from '../../lib/evm/observer.ts'
import type { Rules } from '../../lib/evm/rules.ts'

/** A call instruction whose frame has not continued yet. */
interface Pending {
  readonly name: string
  /** Gas of the caller after the cost of the instruction. */
  readonly paid: bigint
  /** The frame that it entered, or that was refused. */
  child?: { readonly gas: bigint; readonly gasUsed: bigint }
}

interface OpenFrame {
  readonly event: EnterEvent
  steps: number
  pending: Pending | undefined
  /** Gas after the last instruction, unless it called. */
  left: bigint
}

const CREATIONS = new Set(['CREATE', 'CREATE2'])
const CALLS = new Set([...CREATIONS, 'CALL', 'CALLCODE', 'DELEGATECALL', 'STATICCALL'])

/** Observes one execution and records differences. */
export class FrameGas {
  readonly complaints: string[] = []
  /** Gas of every frame in the order in which they began: type, gas, gas used, exception. */
  readonly frames: [kind: string, gas: bigint, gasUsed: bigint, exception: string | undefined][] = []
  readonly #rules: Rules
  readonly #open: (OpenFrame & { readonly position: number })[] = []

  constructor(rules: Rules) {
    this.#rules = rules
  }

  readonly observer: SyncObserver = {
    onOpcode: (step) => this.#step(step),
    onFault: () => this.#compare('a fault in steps', this.#innermost.steps > 0, true),
    onEnter: (event) => this.#enter(event),
    onExit: (event) => this.#exit(event),
  }

  get #innermost(): OpenFrame {
    return this.#open.at(-1)!
  }

  #step({ name = '', gasLeft, cost, depth }: Step): undefined {
    const frame = this.#innermost
    this.#compare('depth', depth, frame.event.depth)
    if (frame.steps++ === 0) this.#compare('gas of the first instruction', gasLeft, frame.event.gas)
    else
      this.#compare(`gas after ${frame.pending?.name ?? 'an instruction'}`, gasLeft, this.#goesOnWith(frame))
    frame.left = gasLeft - cost
    frame.pending = CALLS.has(name) ? { name, paid: frame.left } : undefined
    return undefined
  }

  /** Gas that a frame has after its last instruction and the frame that it entered. */
  #goesOnWith({ pending, left }: OpenFrame): bigint {
    if (pending?.child === undefined) return left
    const { gas, gasUsed } = pending.child
    // The price of a call includes what it forwards, but not a stipend that is granted; that of a creation does not.
    return CREATIONS.has(pending.name) ? pending.paid - gasUsed : pending.paid + gas - gasUsed
  }

  #enter(event: EnterEvent): void {
    const caller = this.#open.at(-1)
    const pending = caller?.pending
    if (pending !== undefined && CREATIONS.has(pending.name)) {
      const kept = this.#rules.call.reserves64th ? pending.paid / 64n : 0n
      this.#compare(`gas of ${event.kind}`, event.gas, pending.paid - kept)
    }
    this.frames.push([event.kind, event.gas, 0n, undefined])
    const position = this.frames.length - 1
    this.#open.push({ event, steps: 0, pending: undefined, left: event.gas, position })
  }

  #exit({ gasUsed, status, exception, ranCode }: ExitEvent): void {
    const { event, position, steps, ...rest } = this.#open.pop()!
    this.frames[position] = [event.kind, event.gas, gasUsed, exception]
    const isCreation = event.kind === 'create' || event.kind === 'create2'
    // The remaining gas of a creation pays for its code, too.
    if (ranCode && status !== 'failed' && !(isCreation && status === 'success')) {
      this.#compare('gas used', gasUsed, event.gas - this.#goesOnWith({ event, steps, ...rest }))
    }
    if (ranCode && status === 'failed') this.#compare('gas used by a failure', gasUsed, event.gas)
    if (event.kind !== 'selfdestruct' && !ranCode && steps > 0) this.complaints.push('ran no code in steps')
    const pending = this.#open.at(-1)?.pending
    if (pending !== undefined) pending.child = { gas: event.gas, gasUsed }
  }

  #compare(what: string, found: unknown, expected: unknown): void {
    if (found !== expected) this.complaints.push(`${what}: ${String(found)} is not ${String(expected)}`)
  }
}
