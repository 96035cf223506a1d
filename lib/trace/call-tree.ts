/** The calls of one execution as a tree, with what the tracers of calls need to know of each. */

import { toAddress, toHex, toWord } from '../base/hex.ts'
import type { Address, Hash, Hex } from '../base/hex.ts'
import { present } from '../base/invariant.ts'
import type { Frame, FrameEnd, FrameKind, PromptObserver, Step } from '../evm/observer.ts'
import type { Status } from '../evm/outcome.ts'
import * as opcodes from './opcodes.ts'

/** An event, and where among the calls of its frame it was emitted. */
export interface CallLog {
  readonly address: Address
  readonly topics: readonly Hash[]
  readonly data: Hex
  /** How many calls of the frame came before. */
  readonly position: number
  /** Place among all events of the execution, those that were taken back included. */
  readonly order: number
}

/** A call, a creation or a self-destruction. */
export interface CallNode {
  readonly kind: FrameKind | 'selfdestruct'
  readonly from: Address
  /** Whose code ran, or who inherits; of a creation once it has succeeded. */
  to: Address | undefined
  readonly value: bigint
  readonly gas: bigint
  readonly input: Hex
  gasUsed: bigint
  output: Hex
  status: Status
  exception: string | undefined
  /** The instruction at which it failed. */
  failedAt: Step | undefined
  ranCode: boolean
  readonly isPrecompile: boolean
  readonly children: CallNode[]
  readonly logs: CallLog[]
}

/** Grows the tree while the execution runs. */
export class CallTree {
  readonly #running: CallNode[] = []
  #root: CallNode | undefined
  /** The newest step, with the frame it belongs to. */
  #last: { readonly step: Step; readonly node: CallNode } | undefined
  #logs = 0

  /** Hears what the tree grows from. */
  readonly observer: PromptObserver = {
    onStep: (step) => this.#onStep(step),
    onEnter: (frame) => this.#onEnter(frame),
    onExit: (end) => this.#onExit(end),
  }

  /** The outermost call, once it has begun. */
  get root(): CallNode {
    return present(this.#root, 'outermost call')
  }

  #onStep(step: Step): undefined {
    const node = present(this.#running.at(-1), 'frame of a step')
    this.#settleLast(node)
    this.#last = { step, node }
    if (step.opcode >= opcodes.LOG0 && step.opcode <= opcodes.LOG4) this.#log(node, step)
    return undefined
  }

  #onEnter(frame: Frame): void {
    const node: CallNode = {
      ...frame,
      input: toHex(frame.input),
      gasUsed: 0n,
      output: '0x',
      status: 'success',
      exception: undefined,
      failedAt: undefined,
      ranCode: false,
      children: [],
      logs: [],
    }
    this.#root ??= node
    this.#running.at(-1)?.children.push(node)
    this.#running.push(node)
    this.#last = undefined
  }

  #onExit({ status, gasUsed, output, exception, created, ranCode }: FrameEnd): void {
    const node = present(this.#running.pop(), 'frame that ends')
    if (status === 'failed') node.failedAt = this.#last?.node === node ? this.#last.step : undefined
    else this.#settleLast(node)
    if (isCreation(node)) node.to = status === 'success' ? created : undefined
    Object.assign(node, {
      status,
      gasUsed,
      exception,
      ranCode,
      output: status === 'failed' ? '0x' : toHex(output),
    })
    // What failed emitted nothing, nor did what it called.
    if (status !== 'success') forgetLogs(node)
    this.#last = undefined
  }

  /** The newest instruction of the frame did not fail. A call that no frame followed was refused. */
  #settleLast(node: CallNode): void {
    if (this.#last?.node !== node) return
    const { step } = this.#last
    const child = step.opcode === opcodes.SELFDESTRUCT ? selfdestruction(step) : refusedCall(step, node)
    if (child !== undefined) node.children.push(child)
  }

  #log(node: CallNode, { stack, memory, opcode, address }: Step): void {
    const [offset, length, ...rest] = stack.toReversed()
    if (offset === undefined || length === undefined) return
    // What cannot be paid for fails at this very instruction, and is forgotten.
    if (length > MAX_DATA || (length > 0n && offset > MAX_DATA)) return
    const data = new Uint8Array(Number(length))
    if (length > 0n) data.set(memory.subarray(Number(offset), Number(offset + length)))
    const topics = rest.slice(0, opcode - opcodes.LOG0).map(toWord)
    node.logs.push({
      address,
      topics,
      data: toHex(data),
      position: node.children.length,
      order: this.#logs++,
    })
  }
}

/** Bytes no block has the gas for: memory costs the square of its size. */
const MAX_DATA = 1n << 26n

/** Whether the frame creates a contract. */
export const isCreation = ({ kind }: Pick<CallNode, 'kind'>): boolean =>
  kind === 'create' || kind === 'create2'

function forgetLogs(node: CallNode): void {
  node.logs.length = 0
  for (const child of node.children) forgetLogs(child)
}

/** Kinds by instruction, and how many words of the stack come before the place of the input. */
const CALLS: ReadonlyMap<number, { readonly kind: FrameKind; readonly input: number }> = new Map([
  [opcodes.CALL, { kind: 'call', input: 3 }],
  [opcodes.CALLCODE, { kind: 'callcode', input: 3 }],
  [opcodes.DELEGATECALL, { kind: 'delegatecall', input: 2 }],
  [opcodes.STATICCALL, { kind: 'staticcall', input: 2 }],
  [opcodes.CREATE, { kind: 'create', input: 1 }],
  [opcodes.CREATE2, { kind: 'create2', input: 1 }],
])

function selfdestruction({ stack, address, balance }: Step): CallNode {
  return {
    kind: 'selfdestruct',
    from: address,
    to: addressOf(stack.at(-1) ?? 0n),
    value: balance,
    gas: 0n,
    ...leaf('success', undefined),
  }
}

/** The call that an instruction asked for and nobody ran, for its depth or want of balance; none if it asked for none. */
function refusedCall(step: Step, caller: CallNode): CallNode | undefined {
  const { opcode, stack, memory, address, balance } = step
  const call = CALLS.get(opcode)
  if (call === undefined) return undefined
  const words = stack.toReversed()
  const creates = isCreation(call)
  const offset = Number(words[call.input] ?? 0n)
  const sent = creates ? words[0] : call.input === 3 ? words[2] : undefined
  const isTooMuch = (sent ?? 0n) > balance
  return {
    kind: call.kind,
    from: address,
    to: creates ? undefined : addressOf(words[1] ?? 0n),
    value: call.kind === 'delegatecall' ? caller.value : (sent ?? 0n),
    gas: gasOffered(step, { creates, sends: (sent ?? 0n) > 0n }),
    ...leaf('failed', isTooMuch ? 'insufficient balance' : 'max call depth exceeded'),
    input: toHex(memory.subarray(offset, offset + Number(words[call.input + 1] ?? 0n))),
  }
}

/** Gas that goes with a call that sends something, for the callee to log it (Yellow Paper, G_callstipend). */
const STIPEND = 2300n

function gasOffered(
  { gasLeft, cost, handedOver }: Step,
  { creates, sends }: { readonly creates: boolean; readonly sends: boolean },
): bigint {
  if (!creates) return handedOver + (sends ? STIPEND : 0n)
  // All but one 64th (EIP-150).
  const left = gasLeft - cost
  return left - left / 64n
}

/** A frame in which nothing ran. */
function leaf(status: Status, exception: string | undefined) {
  return {
    ...({ input: '0x', gasUsed: 0n, output: '0x', status, exception, failedAt: undefined } as const),
    ranCode: false,
    isPrecompile: false,
    children: [],
    logs: [],
  }
}

const addressOf = (word: bigint): Address => toAddress(Buffer.from(toWord(word).slice(26), 'hex'))
