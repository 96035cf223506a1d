/** Explains the failure of an execution: the reason in words, and the Solidity stack over all frames. */

import type { CustomErrorNames } from '../../abi/revert-reason.ts'
import { toHex, type Address } from '../../base/hex.ts'
import { present } from '../../base/invariant.ts'
import type { LoggedFunction, LoggedStack } from '../../config/request-log.ts'
import { isCreation } from '../trace/call-tree.ts'
import type { ExecutedFrame, FramePosition, LastCall } from './executed-frame.ts'
import { assemblyPoint, callPoint, creationPoint, expectedPoint, pointAt } from './expected-points.ts'
import type { ExpectedPoint, FailureKind, FailureReason } from './expected-points.ts'
import { frameStack, type StackedFunction } from './frame-stack.ts'
import { calledFunction, functionGraph } from './function-graph.ts'
import type { MappedCode } from './mapped-code.ts'
import { failureReason } from './reason.ts'
import type { CompiledContract, SourceUnit } from '../artifacts/compilation.ts'
import { linesOf } from '../artifacts/source-unit.ts'
import { declaredContract, type SolidityFunction } from '../artifacts/solidity-ast.ts'
import type { SourceRange } from '../artifacts/source-map.ts'

/** The failure of an execution. */
export interface ExplainedFailure {
  readonly reason: FailureReason
  /** Innermost function first. Functions that are not certain are left out. */
  readonly stack: LoggedStack
}

/** Explains the failure of the outermost frame; undefined after a success. */
export function explainFailure(root: ExecutedFrame, nameOf: CustomErrorNames): ExplainedFailure | undefined {
  if (root.exit?.status === 'success') return undefined
  const entries: LoggedFunction[] = []
  let frame = root
  for (let call = passedOn(frame); call !== undefined; call = passedOn(frame)) {
    entries.push(...callerEntries(frame, call))
    frame = call.frame
  }
  const reason = failureReason(frame, nameOf)
  entries.push(...failedEntries(frame, reason))
  return { reason, stack: entries.toReversed() }
}

const RETURNDATACOPY = 0x3e

/** Bytes before a REVERT in which the compiler copies the data of the call whose revert it passes on. */
const PASSING_BYTES = 16

/** The call whose failure the frame passed on unchanged; undefined if the failure began in the frame itself. */
export function passedOn({ exit, code, lastCall, mapped }: ExecutedFrame): LastCall | undefined {
  const inner = lastCall?.frame.exit
  if (exit?.status !== 'reverted' || inner === undefined || inner.status === 'success') return undefined
  const data = inner.status === 'failed' ? '0x' : toHex(inner.output)
  if (toHex(exit.output) !== data) return undefined
  const end = exit.position ?? 0
  if (code?.subarray(Math.max(0, end - PASSING_BYTES), end).includes(RETURNDATACOPY) === true) return lastCall
  // Without a copy just before, only inline assembly passes data on: the failure of a later check can have equal data.
  const place = mapped?.placeAt(end)
  const isAssembly = place !== undefined && pointAt(place.within, place.range, assemblyPoint) !== undefined
  return data !== '0x' && (mapped === undefined || isAssembly) ? lastCall : undefined
}

function callerEntries(caller: ExecutedFrame, { frame, from }: LastCall): LoggedStack {
  const { mapped } = caller
  if (mapped === undefined || from === undefined) return [{ address: caller.to }]
  const expected = isCreation(frame) ? creationPoint : pointOfCall(mapped, frame.input)
  return entriesAt(caller, mapped, from, expected)
}

/** Places that call a function with the selector of the call data. */
function pointOfCall({ contract }: MappedCode, input: Uint8Array): ExpectedPoint {
  const graph = functionGraph(contract)
  const selector = toHex(input.subarray(0, 4)).slice(2)
  return callPoint((declaration) => (graph.byId(declaration)?.selector ?? selector) === selector)
}

/** Failures before the body of the called function has begun, or after it has ended. */
const AT_HEAD: ReadonlySet<FailureKind> = new Set([
  'not payable',
  'invalid call data',
  'code too large',
  'invalid code',
  'deposit out of gas',
])

/** Failures that no function causes. */
const AT_CONTRACT: ReadonlySet<FailureKind> = new Set(['function not found', 'library called directly'])

function failedEntries(frame: ExecutedFrame, reason: FailureReason): LoggedStack {
  const { mapped, walk, exit, to } = frame
  if (frame.isPrecompile || exit?.position === undefined) return []
  if (mapped === undefined || walk === undefined) return [{ address: to }]
  const { contract } = mapped
  if (AT_CONTRACT.has(reason.kind)) return [headEntry(to, contract, undefined)]
  if (AT_HEAD.has(reason.kind)) return [headEntry(to, contract, calledFunction(frame, contract))]
  const at = { functions: walk.functions(), position: exit.position }
  const call = frame.lastCall && pointOfCall(mapped, frame.lastCall.frame.input)
  return entriesAt(frame, mapped, at, expectedPoint(reason, call))
}

function entriesAt(
  frame: ExecutedFrame,
  mapped: MappedCode,
  at: FramePosition,
  expected: ExpectedPoint | undefined,
): LoggedStack {
  const { contract } = mapped
  const stack = frameStack({ mapped, at, called: calledFunction(frame, contract), expected })
  const graph = functionGraph(contract)
  if (stack.length === 0) return [contractEntry(frame.to, contract)]
  return stack.map((one) => entryOf(frame.to, one, present(graph.unitOf(one.within), 'source of a function')))
}

const entryOf = (address: Address, { within, range }: StackedFunction, unit: SourceUnit): LoggedFunction => ({
  address,
  contract: within.contract?.name,
  function: within.name,
  file: unit.path,
  ...placeIn(unit, range),
})

/** The entry of a function before its body has begun, or of a contract if no function is called. */
function headEntry(
  address: Address,
  contract: CompiledContract,
  called: SolidityFunction | undefined,
): LoggedFunction {
  const unit = called && functionGraph(contract).unitOf(called)
  if (called !== undefined && unit !== undefined)
    return entryOf(address, { within: called, range: called.range }, unit)
  const own = contract.compilation.sources.find(({ path }) => path === contract.path)
  return { ...contractEntry(address, contract), ...placeIn(own, declaredContract(contract)?.range) }
}

/** The entry of a contract of which no function is certain. */
const contractEntry = (
  address: Address,
  { name: contract, path: file, hint }: CompiledContract,
): LoggedFunction => ({ address, contract, file, hint })

function placeIn(
  unit: SourceUnit | undefined,
  range: SourceRange | undefined,
): Pick<LoggedFunction, 'line' | 'column' | 'excerpt'> {
  const lines = unit && linesOf(unit)
  if (lines === undefined || range === undefined) return {}
  const position = lines.positionOf(range.start)
  return { ...position, excerpt: lines.textOf(position.line).trim() }
}
