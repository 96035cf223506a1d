/** Puts the reason of a failed frame in words. It recognizes checks added by the compiler, which revert without data. */

import {
  errorText,
  errorsOf,
  functionRun,
  namedValues,
  type AbiFragment,
  type AbiInput,
} from '../../abi/fragments.ts'
import { statedReason, type CustomErrorNames, type StatedReason } from '../../abi/revert-reason.ts'
import { SELECTOR_LENGTH } from '../../abi/selector.ts'
import type { AbiParameterType } from '../../abi/values.ts'
import { toHex } from '../../base/hex.ts'
import { present } from '../../base/invariant.ts'
import { oncePer } from '../../base/once.ts'
import { containsRange, isSameRange, definitionsIn, textAt, valueNames } from '../artifacts/ast-node.ts'
import type { Compilation, CompiledContract } from '../artifacts/compilation.ts'
import {
  declaredContract,
  type FailurePointKind,
  type FailurePoint,
  type SolidityFunction,
} from '../artifacts/solidity-ast.ts'
import { JUMPI, type SourceRange } from '../artifacts/source-map.ts'
import { isCreation } from '../replay/call-tree.ts'
import type { ExecutedFrame } from './executed-frame.ts'
import { calledFunction } from './function-graph.ts'
import type { FunctionPlace, MappedCode } from './mapped-code.ts'

export function failureReason(frame: ExecutedFrame, nameOf: CustomErrorNames): FailureReason {
  const { status, exception, output } = present(frame.exit, 'end of the frame')
  if (status === 'failed') return exceptionReason(frame, exception ?? 'failed')
  const textOf: CustomErrorNames = (data) => ownErrorText(frame, data) ?? nameOf(data)
  return statedReason(toHex(output), textOf) ?? implicitReason(frame)
}

/** The text of the contract's own error, with names of enum values. */
function ownErrorText({ mapped }: ExecutedFrame, data: string): string | undefined {
  const error = errorsOf(mapped?.contract.abi).find(({ selector }) => data.startsWith(selector))
  return mapped && error && errorText({ ...error, types: withEnumNames(mapped.contract, error.types) }, data)
}

const NEVER_BEGAN: ReadonlySet<string> = new Set(['max call depth exceeded', 'insufficient balance'])

const RETURN = 0xf3
const INVALID = 0xfe

function exceptionReason(frame: ExecutedFrame, exception: string): FailureReason {
  const { code, exit, isPrecompile, to } = frame
  const opcode = exit?.position === undefined ? undefined : code?.[exit.position]
  // frame-input.ts has these texts. Such a frame never begins.
  if (NEVER_BEGAN.has(exception))
    return { kind: 'call failed', message: `function call failed to execute (${exception})` }
  if (isPrecompile)
    return { kind: 'precompile failed', message: `call to precompile ${to} failed: ${exception}` }
  // transaction-gas.ts has these texts.
  if (/^max (init)?code size/.test(exception)) {
    const message = `trying to deploy a contract whose code is too large (${exception})`
    return { kind: 'code too large', message }
  }
  if (exception === 'invalid bytecode deployed') {
    const message = 'trying to deploy code that begins with the byte 0xef (EIP-3541)'
    return { kind: 'invalid code', message }
  }
  if (exception === 'out of gas') return outOfGas(frame, isCreation(frame) && opcode === RETURN)
  if (exception === 'invalid opcode' && opcode === INVALID) {
    const message = 'reached an invalid instruction, as a failed assertion does'
    return { kind: 'invalid instruction', message }
  }
  return { kind: 'exception', message: exception }
}

/** Out of gas, with the part of the gas that the frame's calls used. */
function outOfGas({ gas, gasOfCalls }: ExecutedFrame, isDeposit: boolean): FailureReason {
  const calls = gasOfCalls === 0n ? '' : `, of which its calls used ${gasOfCalls}`
  const had = `it had ${gas} gas${calls}`
  return isDeposit
    ? {
        kind: 'deposit out of gas',
        message: `ran out of gas when the code of the new contract was stored: ${had}`,
      }
    : { kind: 'out of gas', message: `ran out of gas: ${had}` }
}

const NO_REASON: FailureReason = { kind: 'no reason', message: 'reverted without a reason string' }

function implicitReason(frame: ExecutedFrame): FailureReason {
  const { mapped, walk, exit } = frame
  // Yul code has no external functions.
  if (mapped === undefined || mapped.contract.compilation.language === 'Yul') return NO_REASON
  // The positions since the last call, up to the frame's end.
  const path = mapped.path(walk?.sinceCall ?? [])
  const run = path.slice(0, path.lastIndexOf(exit?.position ?? -1) + 1)
  const places = run.map((position) => mapped.placeAt(position)).filter((place) => place !== undefined)
  const refused = isCreation(frame) ? refusedCreation(frame, mapped) : refusedCall(frame, mapped, places)
  if (refused !== undefined) return refused
  // Code that checks a slice such as `data[4:8]` or decodes data may be the compiler's own. Then the calling place counts.
  if (isPoint(places.at(-1), 'slice'))
    return { kind: 'slice out of bounds', message: 'slice of call data is out of bounds' }
  if (isPoint(places.at(-1), 'decode'))
    return { kind: 'undecodable data', message: 'abi.decode failed: the data does not encode the types' }
  if (checksCode(run, mapped)) return { kind: 'no code', message: NO_CODE }
  return reasonOfCall(frame, mapped, places) ?? NO_REASON
}

const isNonPayable = ({ stateMutability }: AbiFragment): boolean =>
  stateMutability !== undefined && stateMutability !== 'payable'

function refusedCreation({ value }: ExecutedFrame, { contract }: MappedCode): FailureReason | undefined {
  const created = contract.abi.find(({ type }) => type === 'constructor')
  const isRefused = value > 0n && (created === undefined || isNonPayable(created))
  return isRefused ? notPayable(value) : undefined
}

function refusedCall(
  frame: ExecutedFrame,
  mapped: MappedCode,
  places: readonly FunctionPlace[],
): FailureReason | undefined {
  const { input, value, kind } = frame
  const { contract } = mapped
  const declared = declaredContract(contract)
  const isLibrary = declared?.kind === 'library'
  const called = functionRun(contract.abi, input)
  // A library's ABI lacks functions that change state, because only contracts may call them, by delegatecall.
  if (called === undefined) {
    const isKnown = calledFunction(frame, contract) !== undefined
    if (!isLibrary || !isKnown) return notFound(contract.abi, input)
    return kind === 'delegatecall'
      ? undefined
      : { kind: 'library called directly', message: 'library was called directly' }
  }
  if (!isLibrary && value > 0n && isNonPayable(called))
    return called.type === 'function' ? notPayable(value) : fallbackNotPayable(value, input)
  if (called.type !== 'function' || frame.lastCall !== undefined) return undefined
  // The source map of optimized code of the IR pipeline is too coarse.
  const { isOptimized, viaIr } = contract.compilation.settings
  const hasRefused =
    declared === undefined || (isOptimized && viaIr)
      ? !isLibrary && namedValues(called.inputs ?? [], input.subarray(SELECTOR_LENGTH)) === undefined
      : !places.some(isInBody)
  return hasRefused
    ? { kind: 'invalid call data', message: 'function was called with incorrect parameters' }
    : undefined
}

const notPayable = (value: bigint): FailureReason => ({
  kind: 'not payable',
  message: `non-payable function was called with value ${value}`,
})

/** Without data the fallback function runs only if there is no receive function. */
function fallbackNotPayable(value: bigint, input: Uint8Array): FailureReason {
  const missing = input.length === 0 ? "there's no receive function, " : ''
  const message = `${missing}fallback function is not payable and was called with value ${value}`
  return { kind: 'not payable', message }
}

function notFound(abi: readonly AbiFragment[], input: Uint8Array): FailureReason {
  const isReceiving = input.length > 0 || abi.some(({ type }) => type === 'receive')
  const missing = isReceiving ? 'fallback' : 'fallback nor receive'
  const message = `function selector was not recognized and there's no ${missing} function`
  return { kind: 'function not found', message }
}

const isInBody = ({ within, range }: FunctionPlace): boolean =>
  within.kind === 'variable' || (within.body !== undefined && containsRange(within.body, range))

const EXTCODESIZE = 0x3b

/** Maximum number of instructions between reading a code size and the decision that depends on it. */
const CHECK_LENGTH = 10

/** Whether the frame's last decision checked an account's code before calling it. */
function checksCode(run: readonly number[], mapped: MappedCode): boolean {
  const decision = run.findLastIndex((position) => mapped.code[position] === JUMPI)
  const before = run.slice(Math.max(0, decision - CHECK_LENGTH), Math.max(0, decision))
  const check = before.findLast((position) => mapped.code[position] === EXTCODESIZE)
  return check !== undefined && isPoint(mapped.placeAt(check), 'call')
}

/** Whether a function can fail in this way at a place. */
const isPoint = (place: FunctionPlace | undefined, wanted: FailurePointKind): boolean =>
  place?.within.points.some(({ kind, range }) => kind === wanted && isSameRange(range, place.range)) === true

const NO_CODE = 'function call to a non-contract account'

/** The check after a call that enough data was returned. */
function reasonOfCall(
  { lastCall }: ExecutedFrame,
  mapped: MappedCode,
  places: readonly FunctionPlace[],
): FailureReason | undefined {
  const site = lastCall?.position === undefined ? undefined : mapped.placeAt(lastCall.position)
  const { exit, isPrecompile } = lastCall?.frame ?? {}
  if (lastCall === undefined || site === undefined || exit?.status !== 'success') return undefined
  if (isPrecompile === true || isCreation(lastCall.frame)) return undefined
  // The result of a declared function is decoded, and empty data cannot be.
  if (!exit.ranCode)
    return pointAt(site.within, site.range, namedCall) && { kind: 'no result', message: NO_CODE }
  const message = `function returned an unexpected amount of data (${exit.output.length} bytes)`
  return places.every(({ range }) => containsRange(site.range, range) || containsRange(range, site.range))
    ? { kind: 'unexpected return data', message }
    : undefined
}

const namedCall: ExpectedPoint = {
  matches: ({ kind, declaration }) => kind === 'call' && declaration !== undefined,
  isComplete: false,
}

/** Names of enum values by the enum's title, such as `Shop.Status`. */
const enumsOf = oncePer(({ sources }: Compilation) => {
  const enums = sources
    .flatMap(({ ast }) => definitionsIn(ast))
    .filter(({ nodeType }) => nodeType === 'EnumDefinition')
  return new Map(enums.map((one) => [textAt(one, 'canonicalName'), valueNames(one)]))
})

export const withEnumNames = (
  contract: CompiledContract,
  inputs: readonly AbiInput[],
): (AbiInput & Pick<AbiParameterType, 'names'>)[] =>
  inputs.map((input) => {
    const [, title] = /^enum ([^[]+)/.exec(input.internalType ?? '') ?? []
    const components = input.components && withEnumNames(contract, input.components)
    return {
      ...input,
      components,
      names: title === undefined ? undefined : enumsOf(contract.compilation).get(title),
    }
  })

export type FailureKind =
  | StatedReason['kind']
  | 'no reason'
  | 'out of gas'
  | 'deposit out of gas'
  | 'function not found'
  | 'not payable'
  | 'invalid call data'
  | 'library called directly'
  | 'no code'
  | 'no result'
  | 'call failed'
  | 'slice out of bounds'
  | 'undecodable data'
  | 'unexpected return data'
  | 'precompile failed'
  | 'code too large'
  | 'invalid code'
  | 'invalid instruction'
  | 'exception'

/** The reason of a failed frame, in words. */
export interface FailureReason extends Omit<StatedReason, 'kind'> {
  readonly kind: FailureKind
}

/** The places where a failure can begin. */
export interface ExpectedPoint {
  readonly matches: (point: FailurePoint) => boolean
  /** Whether the failure cannot begin elsewhere. If a function has only one such place, it is the place of the failure. */
  readonly isComplete: boolean
}

const pointOf = (...kinds: readonly FailurePointKind[]): ExpectedPoint => ({
  matches: ({ kind }) => kinds.includes(kind),
  isComplete: false,
})

/** Places that revert with this text or custom error. If the text is unknown on either side, it matches any. */
const textPoint = (wanted: 'text' | 'custom error', text: string | undefined): ExpectedPoint => ({
  matches: ({ kind, text: own = text }) =>
    kind === 'assembly' || (kind === wanted && (text === undefined || own === text)),
  isComplete: true,
})

/** Places in inline assembly that revert. */
export const assemblyPoint: ExpectedPoint = pointOf('assembly')

/** Places that create a contract. */
export const creationPoint: ExpectedPoint = { ...pointOf('creation'), isComplete: true }

/** Places that call another account, by the called function's selector if the sources declare it. */
export const callPoint = (hasSelector: (declaration: number) => boolean): ExpectedPoint => ({
  matches: ({ kind, declaration }) =>
    kind === 'call' && (declaration === undefined || hasSelector(declaration)),
  isComplete: true,
})

/** Places where each panic arises (Solidity documentation, "Panic via assert and Error via require"). */
const PANIC_POINTS: ReadonlyMap<bigint, FailurePointKind> = new Map([
  [0x01n, 'assert'],
  [0x11n, 'arithmetic'],
  [0x12n, 'division'],
  [0x21n, 'enum'],
  [0x31n, 'pop'],
  [0x32n, 'index'],
])

/** Places that panic with a code; undefined if every place may. */
function panicPoint(code: bigint): ExpectedPoint | undefined {
  const kind = PANIC_POINTS.get(code)
  return kind && { ...pointOf(kind, 'assembly'), isComplete: true }
}

/** The innermost expected point of a function around a source range; otherwise the only one within the range. */
export function pointAt(
  { points }: SolidityFunction,
  range: SourceRange,
  { matches }: ExpectedPoint,
): FailurePoint | undefined {
  const expected = points.filter(matches)
  const around = expected.findLast((point) => containsRange(point.range, range))
  if (around !== undefined) return around
  const inside = expected.filter((point) => containsRange(range, point.range))
  return inside.length === 1 ? inside[0] : undefined
}

/** The only place where the functions can fail in the expected way; undefined if there are several. */
export function onlyPoint(
  functions: Iterable<SolidityFunction>,
  { matches }: ExpectedPoint,
): { readonly within: SolidityFunction; readonly point: FailurePoint } | undefined {
  const found = [...functions].flatMap((within) =>
    within.points.filter(matches).map((point) => ({ within, point })),
  )
  return found.length === 1 ? found[0] : undefined
}

const CALL = pointOf('call')

/** Places of failures without text or code. A check around a call fails at the expected call, if there is one. */
const POINTS: Partial<Record<FailureKind, ExpectedPoint>> = {
  // The compiler adds other such checks.
  'no reason': pointOf('bare', 'assembly'),
  // Before 0.8 solc compiles these to an invalid instruction.
  'invalid instruction': pointOf('assert', 'division', 'index', 'enum', 'pop', 'assembly'),
  'slice out of bounds': pointOf('slice'),
  'undecodable data': pointOf('decode'),
  'no code': CALL,
  'no result': CALL,
  'unexpected return data': CALL,
}

export function expectedPoint(
  { kind, text, panicCode }: FailureReason,
  call: ExpectedPoint | undefined,
): ExpectedPoint | undefined {
  if (kind === 'custom error') return textPoint(kind, text)
  if (text !== undefined) return textPoint('text', text)
  if (panicCode !== undefined) return panicPoint(panicCode)
  const point = POINTS[kind]
  return point === CALL ? (call ?? point) : point
}
