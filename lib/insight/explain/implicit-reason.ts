/** Recognizes the checks that the compiler adds and that revert without data. */

import { functionRun } from '../../abi/fragments.ts'
import { containsRange } from '../artifacts/ast-node.ts'
import { isNonPayable, isTooShort, calledFunction } from './called-function.ts'
import { isCreationFrame } from './executed-frame.ts'
import type { ExecutedFrame } from './executed-frame.ts'
import { plainReason } from './failure-reason.ts'
import type { FailureReason } from './failure-reason.ts'
import { pointAt } from './expected-points.ts'
import type { ExpectedPoint } from './expected-points.ts'
import { functionGraph } from './function-graph.ts'
import { JUMPI } from './mapped-code.ts'
import type { FunctionPlace, MappedCode } from './mapped-code.ts'

/** Why a frame reverted without data. */
export function implicitReason(frame: ExecutedFrame): FailureReason {
  const { mapped } = frame
  const none = plainReason('no reason', 'reverted without a reason string')
  // Code in Yul has no functions that could be called from outside.
  if (mapped === undefined || mapped.contract.compilation.language === 'Yul') return none
  const refused = isCreationFrame(frame) ? refusedCreation(frame, mapped) : refusedCall(frame, mapped)
  return refused ?? reasonOfSlice(frame, mapped) ?? reasonOfCall(frame, mapped) ?? none
}

function refusedCreation({ value }: ExecutedFrame, { contract }: MappedCode): FailureReason | undefined {
  const created = contract.abi.find(({ type }) => type === 'constructor')
  const isRefused = value > 0n && (created === undefined || isNonPayable(created))
  return isRefused ? notPayable(value) : undefined
}

function refusedCall(frame: ExecutedFrame, mapped: MappedCode): FailureReason | undefined {
  const { input, value, kind } = frame
  const { contract } = mapped
  const declared = functionGraph(contract.compilation).contractOf(contract)
  const isLibrary = declared?.kind === 'library'
  const called = functionRun(contract.abi, input)
  // The ABI of a library lacks the functions that change the state: only contracts may call them, by a delegatecall.
  if (called === undefined) {
    const isKnown = calledFunction(frame, mapped) !== undefined
    return isLibrary && isKnown ? calledDirectly(kind) : notFound(contract.abi, input)
  }
  if (!isLibrary && value > 0n && isNonPayable(called))
    return called.type === 'function' ? notPayable(value) : fallbackNotPayable(value, input)
  if (called.type !== 'function') return undefined
  if (!isLibrary && isTooShort(called, input)) return invalidCallData
  return declared === undefined || ranBody(frame, mapped) ? undefined : invalidCallData
}

const calledDirectly = (kind: ExecutedFrame['kind']): FailureReason | undefined =>
  kind === 'delegatecall' ? undefined : plainReason('library called directly', 'library was called directly')

const notPayable = (value: bigint): FailureReason =>
  plainReason('not payable', `non-payable function was called with value ${value}`)

/** Without data the fallback function is called only if there is no receive function. */
function fallbackNotPayable(value: bigint, input: Uint8Array): FailureReason {
  const missing = input.length === 0 ? "there's no receive function, " : ''
  return plainReason(
    'not payable',
    `${missing}fallback function is not payable and was called with value ${value}`,
  )
}

const invalidCallData = plainReason('invalid call data', 'function was called with incorrect parameters')

function notFound(abi: readonly { type: string }[], input: Uint8Array): FailureReason {
  if (input.length > 0)
    return plainReason(
      'function not found',
      "function selector was not recognized and there's no fallback function",
    )
  const missing = abi.some(({ type }) => type === 'receive') ? 'fallback' : 'fallback nor receive'
  return plainReason(
    'function not found',
    `function selector was not recognized and there's no ${missing} function`,
  )
}

/** Whether the frame has run code of the sources. True for optimized code of the new pipeline, whose source map is too coarse. */
function ranBody({ walk, lastCall }: ExecutedFrame, mapped: MappedCode): boolean {
  const { isOptimized, viaIr } = mapped.contract.compilation.settings
  if (lastCall !== undefined || (isOptimized && viaIr)) return true
  const blocks = walk?.sinceCall ?? []
  return blocks.some((start) => placesOfRun(mapped, start).some(isInBody))
}

const isInBody = ({ within, range }: FunctionPlace): boolean =>
  within.kind === 'variable' || (within.body !== undefined && containsRange(within.body, range))

const placesOfRun = (mapped: MappedCode, start: number): readonly FunctionPlace[] =>
  [...mapped.positions(start, mapped.endOfRun(start))]
    .map((position) => mapped.placeAt(position))
    .filter((place) => place !== undefined)

/** The bounds of a slice such as `data[4:8]`. The code that checks them may be the compiler's own; then the slice called it. */
function reasonOfSlice({ exit, walk }: ExecutedFrame, mapped: MappedCode): FailureReason | undefined {
  const path = mapped.path(walk?.sinceCall ?? [])
  const run = path.slice(0, path.lastIndexOf(exit?.position ?? -1) + 1)
  const place = run
    .toReversed()
    .map((position) => mapped.placeAt(position))
    .find((one) => one !== undefined)
  const isSlice =
    place?.within.points.some(({ kind, range }) => kind === 'slice' && sameRange(range, place.range)) ?? false
  return isSlice ? plainReason('slice out of bounds', 'slice of call data is out of bounds') : undefined
}

const EXTCODESIZE = 0x3b

/** Checks around a call: that there is code before it, and that it returned enough after it. */
function reasonOfCall(frame: ExecutedFrame, mapped: MappedCode): FailureReason | undefined {
  if (checkedCode(frame, mapped)) return plainReason('no code', NO_CODE)
  const { lastCall } = frame
  const site = lastCall?.position === undefined ? undefined : mapped.placeAt(lastCall.position)
  if (lastCall === undefined || site === undefined || lastCall.frame.exit?.status !== 'success')
    return undefined
  if (lastCall.frame.isPrecompile || isCreationFrame(lastCall.frame)) return undefined
  const { ranCode, output } = lastCall.frame.exit
  // A result of a function of the sources is decoded, and no data does not encode one.
  if (!ranCode) return pointAt(site.within, site.range, namedCall) && plainReason('no result', NO_CODE)
  return isAtPlace(frame, mapped, site) ? unexpectedData(output.length) : undefined
}

const namedCall: ExpectedPoint = {
  matches: ({ kind, declaration }) => kind === 'call' && declaration !== undefined,
  isComplete: false,
}

const unexpectedData = (size: number): FailureReason =>
  plainReason('unexpected return data', `function returned an unexpected amount of data (${size} bytes)`)

/** Whether the frame has run nothing but what belongs to a place since its last call. */
function isAtPlace({ walk, exit }: ExecutedFrame, mapped: MappedCode, { range }: FunctionPlace): boolean {
  const path = mapped.path(walk?.sinceCall ?? [])
  const end = path.lastIndexOf(exit?.position ?? -1)
  return path
    .slice(0, end + 1)
    .map((position) => mapped.placeAt(position)?.range)
    .every((one) => one === undefined || containsRange(range, one) || containsRange(one, range))
}

const NO_CODE = 'function call to a non-contract account'

/** Instructions between the read of a code size and the decision that depends on it. */
const CHECK_LENGTH = 10

/** Whether the last decision of the frame asked for the code of an account in order to call it. */
function checkedCode({ walk }: ExecutedFrame, mapped: MappedCode): boolean {
  const path = mapped.path(walk?.sinceCall ?? [])
  const decision = path.findLastIndex((position) => mapped.code[position] === JUMPI)
  const before = path.slice(Math.max(0, decision - CHECK_LENGTH), Math.max(0, decision))
  const check = before.findLast((position) => mapped.code[position] === EXTCODESIZE)
  const place = check === undefined ? undefined : mapped.placeAt(check)
  return (
    place?.within.points.some(({ kind, range }) => kind === 'call' && sameRange(range, place.range)) ?? false
  )
}

const sameRange = (one: FunctionPlace['range'], other: FunctionPlace['range']): boolean =>
  one.start === other.start && one.end === other.end
