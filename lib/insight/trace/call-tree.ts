/** Collects the calls of one execution as a tree, from the hooks of the machine. */

import { toHex } from '../../base/hex.ts'
import type { Address, Hash, Hex } from '../../base/hex.ts'
import { present } from '../../base/invariant.ts'
import type { EnterEvent, ExitEvent, SyncObserver, Step } from '../../evm/observer.ts'
import type { Log, Status } from '../../evm/outcome.ts'

/** A log, and its position among the calls of its frame (geth, callLog). */
export interface CallLog {
  readonly address: Address
  readonly topics: readonly Hash[]
  readonly data: Hex
  /** Number of calls that the frame made before. */
  readonly position: number
  /** Position among all logs of the execution, including those of failed frames. */
  readonly order: number
}

/** The instruction at which a frame failed. */
export type Fault = Pick<Step, 'name' | 'opcode' | 'inputs' | 'stack' | 'cost' | 'gasLeft'>

/** A call, a creation or a self-destruct (geth, callFrame). */
export interface CallNode extends Omit<EnterEvent, 'to' | 'input'> {
  /** The account that was called, the beneficiary, or the new contract; absent for a creation that failed. */
  to: Address | undefined
  readonly input: Hex
  gasUsed: bigint
  output: Hex
  status: Status
  exception: string | undefined
  /** Absent if no instruction of the frame itself failed. */
  fault: Fault | undefined
  ranCode: boolean
  readonly children: CallNode[]
  readonly logs: CallLog[]
}

/** Builds the tree while the execution runs. */
export class CallTree {
  /** Frames that have not ended, outermost first. */
  readonly #open: CallNode[] = []
  #root: CallNode | undefined
  #fault: Fault | undefined
  #logCount = 0

  /** The hooks that build the tree. */
  readonly observer: SyncObserver = {
    onEnter: (event) => this.#enter(event),
    onExit: (event) => this.#exit(event),
    onLog: (log) => this.#log(log),
    onFault: (step) => this.#fail(step),
  }

  /** The outermost call, once it has begun. */
  get root(): CallNode {
    return present(this.#root, 'outermost call')
  }

  #enter(event: EnterEvent): void {
    const node: CallNode = {
      ...event,
      input: toHex(event.input),
      gasUsed: 0n,
      output: '0x',
      status: 'success',
      exception: undefined,
      fault: undefined,
      ranCode: false,
      children: [],
      logs: [],
    }
    this.#root ??= node
    this.#open.at(-1)?.children.push(node)
    this.#open.push(node)
  }

  #exit({ status, gasUsed, output, exception, ranCode }: ExitEvent): void {
    const node = present(this.#open.pop(), 'frame that ends')
    node.status = status
    node.gasUsed = gasUsed
    node.exception = exception
    node.ranCode = ranCode
    node.output = status === 'failed' ? '0x' : toHex(output)
    node.fault = this.#fault
    this.#fault = undefined
    if (status === 'success') return
    if (isCreation(node)) node.to = undefined
    forgetLogs(node)
  }

  #log({ address, topics, data }: Log): void {
    const { logs, children } = present(this.#open.at(-1), 'frame of a log')
    const order = this.#logCount++
    logs.push({ address, topics, data: toHex(data), position: children.length, order })
  }

  #fail({ name, opcode, inputs, stack, cost, gasLeft }: Step): void {
    this.#fault = { name, opcode, inputs, stack, cost, gasLeft }
  }
}

/** Whether the frame creates a contract. */
export const isCreation = ({ kind }: Pick<CallNode, 'kind'>): boolean =>
  kind === 'create' || kind === 'create2'

/** Removes the logs of a failed frame and of its inner calls, because they were reverted. */
function forgetLogs(node: CallNode): void {
  node.logs.length = 0
  for (const child of node.children) forgetLogs(child)
}
