/** Calls contract functions at a recorded step, for expressions, with values of any type. Nothing of the call remains. */

import {
  fragmentSignature,
  namedValues,
  type AbiFragment,
  type AbiInput,
  type DecodedValue,
  type NamedValue,
} from '../../abi/fragments.ts'
import { shortReason } from '../../abi/revert-reason.ts'
import { selectorOf } from '../../abi/selector.ts'
import { itemType } from '../../abi/arguments.ts'
import { encodeWords } from '../../abi/values.ts'
import { invalidParams } from '../../base/errors.ts'
import {
  addressIn,
  bigIntToBytes32,
  fromHex,
  readHex,
  stripZeros,
  toHex,
  toWord,
  type Address,
} from '../../base/hex.ts'
import type { BlockContext } from '../../evm/block-context.ts'
import type { Outcome } from '../../evm/outcome.ts'
import type { PreparedCall } from '../../evm/simulated-call.ts'
import type { CompiledContract } from '../../insight/artifacts/compilation.ts'
import { isCreation } from '../../insight/replay/call-tree.ts'
import { State } from '../../state/state.ts'
import type { Activations } from './activations.ts'
import {
  constantValue,
  contentValue,
  elementaryType,
  typedValue,
  uintValue,
} from './expressions/typed-values.ts'
import type { RecordedFrame, Recording, FailedFrame } from './recording.ts'
import {
  arrayValue,
  structValue,
  convertedWord,
  wordFromRight,
  isUnknown,
  type UnknownValue,
  type Value,
} from './values/value.ts'

export interface CallGround {
  readonly context: BlockContext
  readonly simulate: (call: PreparedCall) => Promise<Outcome>
  readonly contractOf: (code: Uint8Array, at: Address) => CompiledContract | undefined
}

/** Maximum gas of a call. */
const GAS = 30_000_000n

/** A call of a function by name, from the debugged code's account. */
export interface ViewCall {
  readonly from: Address
  readonly target: Value
  readonly name: string
  readonly args: readonly Value[]
}

/** Calls a function at a step. @throws NodeError 'invalidParams' if it does not exist or fails */
export async function callAt(
  { context, simulate, contractOf }: CallGround,
  recording: Recording,
  step: number,
  { from, target, name, args }: ViewCall,
): Promise<Value | UnknownValue> {
  if (!/^(?:address|contract )/.test(target.encoding ?? target.type))
    return refuse(`${target.type} has no member ${name}`)
  const to = addressIn(bigIntToBytes32(target.word ?? 0n))
  const state = stateAt(recording, step)
  if (name === 'balance' && args.length === 0) return uintValue(state.account(to)?.balance ?? 0n)
  const contract = contractOf(state.code(to), to)
  const overloads = (contract?.abi ?? []).filter(
    (fragment) =>
      fragment.type === 'function' &&
      fragment.name === name &&
      (fragment.inputs ?? []).length === args.length,
  )
  if (overloads.length === 0)
    return refuse(
      `${contract?.name ?? to} has no external function ${name} with this number of arguments: ${args.length}`,
    )
  const { called, data } = encodedCall(overloads, args)
  const message = { sender: from, to, value: 0n, data, gasLimit: GAS, gasPrice: 0n, isPrepaid: false }
  const outcome = await simulate({
    state,
    context: { ...context, baseFeePerGas: 0n },
    message: {
      ...message,
      accessList: undefined,
      authorizationList: undefined,
      blobVersionedHashes: undefined,
    },
  })
  if (outcome.status !== 'success') {
    const reason = outcome.exception ?? shortReason(toHex(outcome.returnData))
    return refuse(`the call of ${fragmentSignature(called)} fails: ${reason}`)
  }
  return returnedValue(called, outcome.returnData)
}

function refuse(problem: string): never {
  throw invalidParams(problem)
}

/** The state at a step: slots, code of new contracts and balances. */
function stateAt(recording: Recording, step: number): State {
  const state = new State(recording.before)
  const kept = recording.frames.filter((frame) => frame.first <= step && !recording.isUndone(frame, step))
  for (const frame of kept) {
    if (frame.value > 0n && frame.kind !== 'delegatecall' && frame.kind !== 'callcode') move(state, frame)
    if (isCreation(frame) && frame.end <= step && frame.exit?.status === 'success')
      state.putCode(frame.to, frame.exit.output)
  }
  for (const writes of recording.stored)
    for (const { account, slot, value, frame, step: at } of writes)
      if (at < step && !recording.isUndone(frame, step))
        state.putStorage(account, toWord(slot), stripZeros(bigIntToBytes32(value)))
  return state
}

function move(state: State, { from, to, value }: RecordedFrame): void {
  state.addBalance(from, -value)
  state.addBalance(to, value)
}

/** Maximum number of items of an array, because a length in storage can be any number. */
const MAX_ITEMS = 1024

/**
 * The first function with a name that accepts the arguments, and its call data. @throws NodeError 'invalidParams' if none does, or
 * if part of an argument is unknown
 */
function encodedCall(
  overloads: readonly AbiFragment[],
  args: readonly Value[],
): { readonly called: AbiFragment; readonly data: Uint8Array } {
  for (const called of overloads) {
    const { inputs = [] } = called
    const values = inputs.map((input, index) => encodable(input, args[index]))
    if (values.includes(undefined)) continue
    const selector = fromHex(selectorOf(fragmentSignature(called)))
    return { called, data: Buffer.concat([selector, encodeWords(inputs, values)]) }
  }
  const passed = args.map(({ text, type }) => `${text} (${type})`).join(', ')
  return refuse(`expected the arguments of ${overloads.map(fragmentSignature).join(' or ')}, got ${passed}`)
}

/** A value as the encoder takes it; undefined if the type cannot hold it. */
function encodable(input: AbiInput, value: Value | UnknownValue | undefined): unknown {
  if (value === undefined) return undefined
  if (isUnknown(value)) return refuse(`a part of an argument is not known: ${value.unknown}`)
  const { type, components } = input
  if (type === 'string' || type === 'bytes') return value.content && toHex(value.content)
  const item = itemType(type)
  if (item !== undefined) return list({ ...input, type: item }, sizeOf(type), value)
  if (components !== undefined) return tuple(components, value)
  const word = elementaryType(type)
  return word && convertedWord(word, value)
}

/** Number of items in an array type; undefined for any number. */
function sizeOf(type: string): number | undefined {
  const [, digits = ''] = /\[(\d*)\]$/.exec(type) ?? []
  return digits === '' ? undefined : Number(digits)
}

function list(item: AbiInput, size: number | undefined, { type, at, count, content }: Value): unknown {
  if (at === undefined || content !== undefined || type.startsWith('mapping')) return undefined
  if (count === undefined || count > MAX_ITEMS) return refuse(`an array has more than ${MAX_ITEMS} items`)
  if (size !== undefined && size !== count) return undefined
  return whole(Array.from({ length: count }, (_, index) => encodable(item, at(constantValue(BigInt(index))))))
}

function tuple(components: readonly AbiInput[], { parts, at }: Value): unknown {
  const members = at === undefined ? new Map(parts?.()) : undefined
  if (members?.size !== components.length) return undefined
  return whole(components.map((component) => encodable(component, members.get(component.name ?? ''))))
}

const whole = (values: readonly unknown[]): readonly unknown[] | undefined =>
  values.includes(undefined) ? undefined : values

/** A function's return value. Several become members of one. */
function returnedValue({ outputs = [] }: AbiFragment, data: Uint8Array): Value | UnknownValue {
  const values = namedValues(outputs, data)
  if (values === undefined) return { unknown: 'the result does not have the form that the ABI says' }
  const [only, second] = values
  return only !== undefined && second === undefined
    ? outputValue(only.type, only.value)
    : membersValue('', values)
}

function outputValue(type: string, value: DecodedValue | NamedValue): Value {
  if (typeof value === 'object') {
    if ('name' in value) return outputValue(value.type, value.value)
    const item = itemType(type)
    if (item === undefined) return membersValue(type, value)
    const count = BigInt(value.length)
    return arrayValue({ type, count, item: (index) => outputValue(item, value[Number(index)] ?? '') })
  }
  if (type === 'string') return contentValue(type, Buffer.from(String(value)))
  if (type === 'bytes') return contentValue(type, readHex(String(value)) ?? new Uint8Array(0))
  const elementary = elementaryType(type)
  if (elementary === undefined) return { type, text: String(value) }
  return typedValue(elementary, wordFromRight(elementary, BigInt.asUintN(256, BigInt(value))))
}

/** Values with their names, or with their numbers if unnamed. */
const membersValue = (type: string, values: readonly (DecodedValue | NamedValue)[]): Value =>
  structValue({
    type,
    count: values.length,
    members: () =>
      values.map((output, index) => {
        const name = typeof output === 'object' && 'name' in output ? output.name : ''
        return [name || String(index), outputValue('', output)]
      }),
  })

/** An execution that a debugger steps through. */
export interface SteppedExecution {
  readonly recording: Recording
  readonly activations: Activations
  readonly context: BlockContext
  /** Step of the first statement; 0 if no statement is known. */
  readonly first: number
  /** Reason of a failure in words. */
  readonly reasonOf: (failed: FailedFrame) => string
  /** Calls a function of a contract at a step, for an expression. @throws NodeError 'invalidParams' */
  callAt(step: number, call: ViewCall): Promise<Value | UnknownValue>
  /** Whether a condition holds in the innermost function at a step. @throws NodeError 'invalidParams' if it is wrong or unknown */
  holds(step: number, condition: string): Promise<boolean>
  /** A logpoint's text. Expressions in braces are replaced by their values or by what is wrong with them. */
  logText(step: number, text: string): Promise<string>
}
