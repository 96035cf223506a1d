/**
 * Traces in Parity's format: an execution's output, calls and state changes. Also lists calls flat in the formats of the reference
 * node (node-chain 3.2) and geth's flatCallTracer.
 */

import { toHex, toQuantity, type Address, type Hash, type Hex } from '../../base/hex.ts'
import { jsonText } from '../../base/json-text.ts'
import type { Routine } from '../../base/routine.ts'
import type { Block, Receipt } from '../../chain/block.ts'
import type { Observer } from '../../evm/observer.ts'
import type { Outcome } from '../../evm/outcome.ts'
import type { Transaction } from '../../evm/transaction.ts'
import { EMPTY_STORAGE, type AccountEntry, type AccountFields } from '../../state/account.ts'
import type { StateRoot } from '../../state/state-root.ts'
import type { State } from '../../state/state.ts'
import type { LeafChange } from '../../state/trie.ts'
import {
  CallTree,
  isCreation,
  gethErrorOf,
  type CallNode,
  type Fault,
} from '../../insight/replay/call-tree.ts'
import type { Tracer, TracerInput } from './tracer.ts'

/** Runs executions, calls or transactions, that leave their effects in a state. */
interface Runner<T> {
  readonly state: State
  run(
    execution: T,
    observer: Observer,
  ): Routine<{ readonly transaction: Transaction; readonly outcome: Outcome }>
}

/** What to run, and the parts of its trace. */
interface TraceRequest<T> {
  readonly execution: T
  readonly parts: readonly ('trace' | 'stateDiff')[]
}

/** Runs and traces an execution (OpenEthereum, TraceResults). Unwanted parts are empty or null. */
export function* traceRun<T>(runner: Runner<T>, { execution, parts }: TraceRequest<T>, timer: Observer) {
  const tree = new CallTree()
  const before = runner.state.commitRoot()
  const { transaction, outcome } = yield* runner.run(execution, { ...tree.observer, ...timer })
  return {
    output: toHex(outcome.returnData),
    stateDiff: parts.includes('stateDiff') ? stateDiff(before, runner.state.commitRoot()) : null,
    trace: parts.includes('trace') ? parityItems(tree.root, transaction, outcome) : [],
    vmTrace: null,
  }
}

/** The changes from one state to a later one (OpenEthereum, rpc/src/v1/types/trace.rs, StateDiff). */
function stateDiff(before: StateRoot, after: StateRoot) {
  const diffs: [Address, ReturnType<typeof accountDiff>][] = []
  for (const change of after.trie.changesSince(before.trie)) {
    const { address } = change.known
    const diff = accountDiff(address, [before, after], slotsOf(change))
    const isSame = [diff.balance, diff.code, diff.nonce].every((field) => field === '=')
    if (!isSame || Object.keys(diff.storage).length > 0) diffs.push([address, diff])
  }
  return Object.fromEntries(diffs)
}

function slotsOf({ before, after }: LeafChange<AccountEntry>): readonly Hash[] {
  const [old, now] = [before?.storage ?? EMPTY_STORAGE, after?.storage ?? EMPTY_STORAGE]
  return Array.from(now.changesSince(old), ({ known }) => known.slot)
}

function accountDiff(
  address: Address,
  [before, after]: readonly [StateRoot, StateRoot],
  slots: readonly Hash[],
) {
  const [old, now] = [before.account(address), after.account(address)]
  const changeOf = (show: (fields: AccountFields, state: StateRoot) => Hex) =>
    changeBetween(old && show(old, before), now && show(now, after))
  return {
    balance: changeOf(({ balance }) => toQuantity(balance)),
    code: changeOf(({ code }) => toHex(code)),
    nonce: changeOf(({ nonce }) => toQuantity(nonce)),
    storage: Object.fromEntries(
      slots.map((slot) => [slot, changeOf((_, state) => state.storageAt(address, slot))]),
    ),
  }
}

/** A value that is the same, new, gone or changed. */
function changeBetween(from: Hex | undefined, to: Hex | undefined) {
  if (from === to) return '='
  if (from !== undefined && to !== undefined) return { '*': { from, to } }
  if (to !== undefined) return { '+': to }
  return from === undefined ? '=' : { '-': from }
}

/** Whether a list shows a call. */
export type ShowsCall = (call: Pick<CallNode, 'from' | 'to'>) => boolean

/** A client's rules for flat traces: which calls it lists, and its error messages. */
interface FlatStyle {
  /** Whether the list contains an inner call. If it is left out, its inner calls are too. */
  readonly keeps: (node: CallNode) => boolean
  /** The error of a failed call. */
  readonly errorOf: (node: CallNode) => string | undefined
  /** Whether to show a call that the list contains; by default all are shown. */
  readonly shows?: ShowsCall | undefined
  /** Members that tell where the transaction is. */
  readonly place?: object
}

/** Whether the reference node lists a call: one that began and is not of a precompile, or a created contract (node-chain 3.2). */
const isListedByReference = (node: CallNode): boolean =>
  isCreation(node)
    ? node.status === 'success'
    : node.ranCode || (node.status === 'success' && !node.isPrecompile)

/** False for calls of precompiles without value. Parity, which introduced these traces, leaves them out too. */
const isListedByDefault = (node: CallNode): boolean => !node.isPrecompile || node.value > 0n

/** The items of a call and its inner calls. The path contains the positions of the call and its callers among the listed calls. */
function itemsOf(node: CallNode, style: FlatStyle, path: readonly number[] = []): readonly object[] {
  const kept = node.children.filter((child) => style.keeps(child))
  const inside = kept.flatMap((child, position) => itemsOf(child, style, [...path, position]))
  const item = {
    action: actionOf(node, path.length > 0),
    ...style.place,
    type: typeOf(node),
    subtraces: kept.length,
    traceAddress: path,
    result: resultOf(node),
    ...(node.status === 'success' ? {} : { error: style.errorOf(node) }),
  }
  return style.shows?.(node) === false ? inside : [item, ...inside]
}

/** Items of one transaction, in the reference's format. */
export function flatItems(
  root: CallNode,
  { hash: blockHash, header }: Block,
  { transaction, outcome, index }: Receipt,
  { isParity, shows }: { readonly isParity: boolean; readonly shows?: ShowsCall | undefined },
): readonly object[] {
  // The transaction's gas limit, or 0 if it ran no code (node-chain 3.2).
  const gas = root.ranCode ? transaction.gasLimit : 0n
  // On network 33, a transaction whose direct call of a precompile fails has succeeded (node-chain 8.2).
  const { gasUsed, status } = outcome
  const outermost = { ...root, gas, gasUsed, status }
  return itemsOf(isParity || isCreation(root) ? outermost : { ...outermost, output: '0x' }, {
    keeps: isParity ? isListedByDefault : isListedByReference,
    errorOf: isParity ? parityErrorOf : (node) => referenceErrorOf(node, transaction.hash),
    shows,
    place: {
      blockHash,
      blockNumber: Number(header.number),
      transactionHash: transaction.hash,
      transactionPosition: index,
    },
  })
}

/** Items of an execution in Parity's format, without members of a block. */
function parityItems(
  root: CallNode,
  { gasLimit }: Pick<Transaction, 'gasLimit'>,
  { gasUsed }: Outcome,
): readonly object[] {
  return itemsOf({ ...root, gas: gasLimit, gasUsed }, { keeps: isListedByDefault, errorOf: parityErrorOf })
}

/** The flatCallTracer. Its items lack geth's blockHash, blockNumber and transactionPosition. */
export function flatCallTracer({ traced, config }: TracerInput): Tracer {
  const tree = new CallTree()
  const { message, transactionHash } = traced
  const style: FlatStyle = {
    keeps: (node) => config.includePrecompiles || isListedByDefault(node),
    errorOf: gethErrorOf,
    place: { transactionHash },
  }
  const end = ({ gasUsed }: Outcome): string =>
    jsonText(itemsOf({ ...tree.root, gas: message.gasLimit, gasUsed }, style))
  return { observer: tree.observer, end }
}

function typeOf(node: CallNode): 'call' | 'create' | 'suicide' {
  if (node.kind === 'selfdestruct') return 'suicide'
  return isCreation(node) ? 'create' : 'call'
}

function actionOf(node: CallNode, isInner: boolean): object {
  const value = toQuantity(node.value)
  if (node.kind === 'selfdestruct') return { address: node.from, refundAddress: node.to, balance: value }
  const { from, input } = node
  const gas = toQuantity(node.gas)
  if (!isCreation(node)) return { callType: node.kind, from, to: node.to, gas, input, value }
  return { from, gas, init: input, value, ...(isInner ? { creationMethod: node.kind } : {}) }
}

/** The result of a call; null for a failed call and a self-destruct. */
function resultOf(node: CallNode): object | null {
  if (node.kind === 'selfdestruct' || node.status !== 'success') return null
  const gasUsed = toQuantity(node.gasUsed)
  return isCreation(node)
    ? { gasUsed, code: node.output, address: node.to }
    : { gasUsed, output: node.output }
}

/** Parity's messages by the name of the exception (OpenEthereum, trace/src/types/error.rs). */
const PARITY_TEXTS: ReadonlyMap<string, string> = new Map([
  ['out of gas', 'Out of gas'],
  ['invalid opcode', 'Bad instruction'],
  ['invalid JUMP', 'Bad jump destination'],
  ['stack underflow', 'Stack underflow'],
  ['stack overflow', 'Out of stack'],
  ['static state change', 'Mutable Call In Static Context'],
])

const parityErrorOf = ({ status, exception = 'failed' }: CallNode): string =>
  status === 'reverted' ? 'Reverted' : (PARITY_TEXTS.get(exception) ?? exception)

const PREFIX = 'org.ethereum.vm.program.Program$'

/** The reference node's text for a failed call. For an exception of the outermost call it names the exception's class. */
function referenceErrorOf(node: CallNode, tx: Hash): string {
  const text = flatErrorText(node, tx)
  return node.depth > 0 || node.status === 'reverted' ? text : `class ${text}`
}

function flatErrorText({ status, exception = 'failed', fault, ...node }: CallNode, tx: Hash): string {
  if (status === 'reverted') return 'Reverted'
  switch (exception) {
    case 'out of gas':
      return `${PREFIX}OutOfGasException: ${outOfGasText(fault, node, tx)}`
    case 'invalid opcode':
      return `${PREFIX}IllegalOperationException: Invalid operation code: opcode[${opcodeText(fault)}], tx[${tx}]`
    case 'invalid JUMP':
      return `${PREFIX}BadJumpDestinationException: Operation with pc isn't 'JUMPDEST': PC[${fault?.stack.at(-1) ?? 0n}], tx[${tx}]`
    case 'stack underflow':
      return `${PREFIX}StackTooSmallException: Expected stack size ${fault?.inputs ?? 0} but actual ${fault?.stack.length ?? 0}, tx: ${tx}`
    case 'stack overflow':
      return `${PREFIX}StackTooLargeException: Expected: overflow 1024 elements stack limit`
    case 'static state change':
      return `${PREFIX}StaticCallModificationException: Attempt to call a state modifying opcode inside STATICCALL: tx[${tx}]`
    case 'invalid bytecode deployed':
      return `java.lang.RuntimeException: Contract code cannot start with 0xEF byte (EIP-3541), tx: ${tx}`
    default:
      return `java.lang.RuntimeException: ${exception}, tx: ${tx}`
  }
}

function outOfGasText(
  fault: Fault | undefined,
  { gas, gasUsed }: Pick<CallNode, 'gas' | 'gasUsed'>,
  tx: Hash,
) {
  const { name, cost, gasLeft } = fault ?? {
    name: 'No gas to return just created contract',
    cost: gas - gasUsed,
    gasLeft: gas - gasUsed,
  }
  return `Not enough gas for '${name ?? opcodeText(fault)}' cause spending: invokeGas[${gas}], gas[${cost}], usedGas[${gas - gasLeft}], tx[${tx}]`
}

const opcodeText = (fault: Fault | undefined): string => (fault?.opcode ?? 0).toString(16).padStart(2, '0')
