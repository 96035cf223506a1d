/** The tracers by name, and JavaScript tracers, which are loaded on demand. */

import { SELECTOR_LENGTH } from '../../abi/selector.ts'
import { NodeError } from '../../base/errors.ts'
import { getOrAdd } from '../../base/once.ts'
import { toHex, toQuantity, toWord, type Address, type Hash } from '../../base/hex.ts'
import { jsonText } from '../../base/json-text.ts'
import { lazyPart } from '../../base/lazy-part.ts'
import type { EnterEvent, Observer, Step } from '../../evm/observer.ts'
import type { Outcome } from '../../evm/outcome.ts'
import type { StateRoot } from '../../state/state-root.ts'
import {
  framesOf,
  isCreation,
  CallTree,
  gethErrorOf,
  type CallNode,
  storedWord,
  touchedSlot,
} from '../../insight/replay/call-tree.ts'
import { AccessRecorder } from './erc7562.ts'
import { flatCallTracer } from './parity-trace.ts'
import { recordOpcodeGas } from '../../insight/replay/opcode-gas.ts'
import { prestateTracer } from './prestate.ts'
import { structLogs, memoryTexts, slotsText, stackTexts, type TouchedSlots } from './struct-logs.ts'
import type { TraceOptions, Tracer, TracerInput, TracerName } from './tracer.ts'

const MAKERS: Readonly<Record<TracerName, (input: TracerInput) => Tracer>> = {
  structLogs,
  callTracer: (input) => {
    const tree = new CallTree()
    return callTracer(input, { tree, observer: tree.observer })
  },
  flatCallTracer,
  prestateTracer,
  '4byteTracer': fourByteTracer,
  nodeTracer,
  noopTracer: () => ({ observer: {}, end: () => '{}' }),
  erc7562Tracer: (input) => callTracer(input, new AccessRecorder(input)),
  opcodeGasTracer: () => {
    const { observer, end } = recordOpcodeGas()
    return { observer, end: (outcome) => JSON.stringify({ opcodeGas: end(outcome) }) }
  },
}

/** Time limit of executions; 0 for none. */
export interface TimeLimit {
  readonly now: () => number
  readonly timeoutMs: number
}

/** Milliseconds of a tracer in JavaScript for one execution (geth, defaultTraceTimeout). */
const SCRIPT_TIMEOUT_MS = 5000

const loadScripts = lazyPart('tracers in JavaScript', () => import('./javascript/javascript-tracer.ts'))

/** Makes the requested tracer of one execution. */
export async function createTracer(
  { tracer, script }: TraceOptions,
  input: TracerInput,
  limit: TimeLimit,
): Promise<Tracer> {
  if (script === undefined) return MAKERS[tracer](input)
  const { javascriptTracer } = await loadScripts()
  const allowedMs = Math.min(script.timeoutMs ?? SCRIPT_TIMEOUT_MS, limit.timeoutMs || Infinity)
  // The time starts with the sandbox.
  let end: number | undefined
  return javascriptTracer(script, input, () => {
    end ??= limit.now() + allowedMs
    if (limit.now() >= end) throw new NodeError('callTimeout', 'execution timeout')
  })
}

/** Counts selectors. Creations and calls of precompiles are not counted. */
function fourByteTracer(): Tracer {
  const counts = new Map<string, number>()
  const count = (event: EnterEvent): void => {
    const { input, isPrecompile } = event
    if (input.length < SELECTOR_LENGTH || isPrecompile || isCreation(event)) return
    const key = `${toHex(input.subarray(0, SELECTOR_LENGTH))}-${input.length - SELECTOR_LENGTH}`
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return { observer: { onEnter: count }, end: () => JSON.stringify(Object.fromEntries(counts)) }
}

/** Records calls, and optionally other members of their frames. */
interface CallRecorder {
  readonly tree: CallTree
  readonly observer: Observer
  readonly membersOf?: (node: CallNode) => object
}

/** Traces calls. `withLog` adds the logs of each frame, `onlyTopCall` leaves out inner calls. */
function callTracer(input: TracerInput, { tree, observer, membersOf }: CallRecorder): Tracer {
  const end = ({ gasUsed }: Outcome): string => {
    const { root } = tree
    const indexes = logIndexes(root, input)
    const render = (node: CallNode): object => ({
      ...frameOf(node, input, indexes, render),
      ...membersOf?.(node),
    })
    // The outermost frame has the transaction's gas limit and gas used.
    const gas = toQuantity(input.traced.message.gasLimit)
    return jsonText({ ...render(root), gas, gasUsed: toQuantity(gasUsed) })
  }
  return { observer, end }
}

/** Log index in the block by the log's order in the execution, for logs that were not reverted. */
function logIndexes(root: CallNode, { traced }: TracerInput): ReadonlyMap<number, number> {
  const orders = framesOf(root).flatMap(({ logs }) => logs.map(({ order }) => order))
  const sorted = orders.sort((left, right) => left - right)
  return new Map(sorted.map((order, index) => [order, traced.firstLogIndex + index]))
}

function frameOf(
  node: CallNode,
  input: TracerInput,
  indexes: ReadonlyMap<number, number>,
  render: (node: CallNode) => object,
): object {
  const { config } = input
  const { children, logs } = node
  return {
    from: node.from,
    gas: toQuantity(node.gas),
    gasUsed: toQuantity(node.gasUsed),
    to: node.to,
    input: node.input,
    ...(node.output === '0x' ? {} : { output: node.output }),
    error: gethErrorOf(node),
    ...(node.status === 'reverted' ? { revertReason: input.reasonOf(node.output) } : {}),
    ...(config.onlyTopCall || children.length === 0 ? {} : { calls: children.map(render) }),
    ...(config.withLog && logs.length > 0
      ? {
          logs: logs.map(({ order, position, ...log }) => ({
            ...log,
            index: toQuantity(indexes.get(order) ?? 0),
            position: toQuantity(position),
          })),
        }
      : {}),
    ...(node.kind === 'staticcall' ? {} : { value: toQuantity(node.value) }),
    type: node.kind.toUpperCase(),
  }
}

/** Maximum number of listed slots of a contract (node-chain 2.5). If it has more, only touched ones are listed. */
const MAX_SLOTS = 10_000

/** Names of instructions that differ in the reference node (node-chain 2.5). */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['KECCAK256', 'SHA3'],
  ['SELFDESTRUCT', 'SUICIDE'],
  ['PREVRANDAO', 'DIFFICULTY'],
])

/**
 * The reference node's default trace format (node-chain 2.5), without three defects: here every entry has its own cost, the
 * instructions of a creation are listed, and a transaction without code has an empty list.
 */
function nodeTracer({ traced, config, sink }: TracerInput): Tracer {
  const stackText = stackTexts((word) => `"${bare(toWord(word))}"`)
  const memoryText = memoryTexts('')
  const touched: TouchedSlots = new Map()
  let contract = traced.message.to
  let separator = ''
  const entryOf = ({ name, depth, pc, gasLeft, cost, memory, stack, address }: Step): string => {
    const op = name === undefined ? null : (NAMES.get(name) ?? name)
    let text = `{"op":${JSON.stringify(op)},"depth":${depth},"pc":${pc},"gas":${gasLeft},"gasCost":${cost}`
    if (!config.disableMemory) text += `,"memory":${memoryText(memory)}`
    if (!config.disableStack) text += `,"stack":${stackText(stack)}`
    if (!config.disableStorage) text += `,"storage":${slotsText(touched, address)}`
    return `${text}}`
  }
  void sink.write(`{"initStorage":${JSON.stringify(slotsBefore(traced.before, contract))},"structLogs":[`)
  return {
    observer: {
      onOpcode: (step) => {
        const text = separator + entryOf(step)
        separator = ','
        // As in the reference, a touched slot first appears in the next entry.
        const { slot, written } = touchedSlot(step) ?? {}
        if (slot !== undefined) {
          const value = written ?? storedWord(traced.state, step.address, slot)
          getOrAdd(touched, step.address, () => new Map()).set(bare(slot), bare(value))
        }
        return sink.write(text)
      },
      onEnter: ({ depth, to }) => {
        if (depth === 0) contract = to
      },
    },
    end: ({ status, returnData, exception }) => {
      const currentStorage = {
        ...slotsBefore(traced.before, contract),
        ...Object.fromEntries((contract && touched.get(contract)) ?? []),
      }
      const members = {
        contractAddress: (contract ?? traced.message.sender).slice(2),
        result: status === 'failed' ? '' : toHex(returnData).slice(2),
        error: exception ?? '',
        reverted: status === 'reverted',
        storageSize: Object.keys(currentStorage).length,
        currentStorage,
      }
      return `],${JSON.stringify(members).slice(1)}`
    },
  }
}

const bare = (word: Hash): string => word.slice(2)

/** Slots of the contract before the execution; empty if there are more than `MAX_SLOTS`. */
function slotsBefore(before: StateRoot, contract: Address | undefined): Readonly<Record<string, string>> {
  const slots: Record<string, string> = {}
  const account = contract && before.account(contract)
  let size = 0
  for (const [, { slot, value }] of account?.storage.entries() ?? []) {
    if (size++ === MAX_SLOTS) return {}
    slots[bare(slot)] = toHex(value).slice(2).padStart(64, '0')
  }
  return slots
}
