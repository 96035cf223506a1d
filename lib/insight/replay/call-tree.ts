/** Collects the calls of an execution as a tree, from the machine's hooks, and reads the slots that steps touch. */

import { bytesToBigInt, toHex, toWord, type Address, type Hash, type Hex } from '../../base/hex.ts'
import { present } from '../../base/invariant.ts'
import type { EnterEvent, ExitEvent, SyncObserver, Step } from '../../evm/observer.ts'
import type { Log, Status } from '../../evm/outcome.ts'
import type { State } from '../../state/state.ts'

/** A log, and its position among the calls of its frame (geth, callLog). */
interface CallLog {
  readonly address: Address
  readonly topics: readonly Hash[]
  readonly data: Hex
  /** Number of earlier calls of the frame. */
  readonly position: number
  readonly order: number
}

/** The instruction at which a frame failed. */
export type Fault = Pick<Step, 'name' | 'opcode' | 'inputs' | 'stack' | 'cost' | 'gasLeft'>

/** A call, a creation or a self-destruct (geth, callFrame). */
export interface CallNode extends Omit<EnterEvent, 'to' | 'input'> {
  /** The called account, the beneficiary, or the new contract; absent for a failed creation. */
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
  readonly #open: CallNode[] = []
  #root: CallNode | undefined
  #fault: Fault | undefined
  #logCount = 0

  readonly observer: SyncObserver = {
    onEnter: (event) => this.#enter(event),
    onExit: (event) => this.#exit(event),
    onLog: (log) => this.#log(log),
    onFault: (step) => this.#fail(step),
  }

  get current(): CallNode {
    return present(this.#open.at(-1), 'running frame')
  }

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
    // The logs of a failed frame and its inner calls were reverted.
    for (const { logs } of framesOf(node)) logs.length = 0
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

export const isCreation = ({ kind }: Pick<CallNode, 'kind'>): boolean =>
  kind === 'create' || kind === 'create2'

/** A frame and all frames inside it, callers first. */
export function framesOf(root: CallNode): readonly CallNode[] {
  const frames = [root]
  for (const { children } of frames) for (const child of children) frames.push(child)
  return frames
}

/** geth's messages by exception name. An exception that is not listed has the same name in geth. */
const GETH_TEXTS: ReadonlyMap<string, string> = new Map([
  ['stack overflow', 'stack limit reached 1024 (1023)'],
  ['invalid JUMP', 'invalid jump destination'],
  ['static state change', 'write protection'],
  ['create collision', 'contract address collision'],
  ['insufficient balance', 'insufficient balance for transfer'],
  ['invalid bytecode deployed', 'invalid code: must not begin with 0xef'],
])

/** geth's message for a creation that cannot pay for storing its code. */
const CODE_STORE_OUT_OF_GAS = 'contract creation code storage out of gas'

/** geth's error message for a call that has ended; undefined after a success. */
export function gethErrorOf({
  status,
  exception,
  fault,
  ranCode,
}: Pick<CallNode, 'status' | 'exception' | 'fault' | 'ranCode'>): string | undefined {
  if (status !== 'failed') return status === 'success' ? undefined : REVERTED
  // Code ran and no instruction failed, so the gas did not suffice to store the code.
  const isCodeStore = exception === 'out of gas' && fault === undefined && ranCode
  return isCodeStore ? CODE_STORE_OUT_OF_GAS : gethExceptionText(exception, fault)
}

/** geth's error message for an exception. Some messages name the instruction that failed, if it is known. */
export function gethExceptionText(
  exception = 'failed',
  fault?: Pick<Step, 'name' | 'opcode' | 'inputs' | 'stack'>,
): string {
  if (exception === 'invalid opcode' && fault !== undefined) return `invalid opcode: ${opcodeName(fault)}`
  if (exception === 'stack underflow' && fault !== undefined) {
    return `stack underflow (${fault.stack.length} <=> ${fault.inputs})`
  }
  return GETH_TEXTS.get(exception) ?? exception
}

/** geth's name of an opcode, including undefined ones (OpCode.String). */
export const opcodeName = ({ name, opcode }: Pick<Step, 'name' | 'opcode'>): string =>
  name ?? `opcode 0x${opcode.toString(16)} not defined`

/** geth's error message for a revert. */
export const REVERTED = 'execution reverted'

/** The slot that SLOAD or SSTORE touches, and the value that SSTORE writes; undefined if the stack is too short. */
export function touchedSlot(step: Step): { slot: Hash; written: Hash | undefined } | undefined {
  const { name } = step
  // Reading the stack copies it, so it is not read for other instructions.
  if (name !== 'SLOAD' && name !== 'SSTORE') return undefined
  const [top, next] = [step.stack.at(-1), step.stack.at(-2)]
  if (top === undefined) return undefined
  if (name === 'SLOAD') return { slot: toWord(top), written: undefined }
  return next === undefined ? undefined : { slot: toWord(top), written: toWord(next) }
}

export const storedWord = (state: Pick<State, 'storage'>, address: Address, slot: Hash): Hash =>
  toWord(bytesToBigInt(state.storage(address, slot)))
