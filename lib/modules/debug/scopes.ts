/** A running function's variables by scope, what functions called by its statement returned, and parts of variables by path. */

import { invalidParams } from '../../base/errors.ts'
import { toHex, toWord, bytesToBigInt } from '../../base/hex.ts'
import { oncePer } from '../../base/once.ts'
import {
  childAt,
  typeIn,
  definitionsIn,
  listAt,
  numberAt,
  textAt,
  valueNames,
  type AstNode,
} from '../../insight/artifacts/ast-node.ts'
import type { CompiledContract } from '../../insight/artifacts/compilation.ts'
import { declaredContract, neededSources } from '../../insight/artifacts/solidity-ast.ts'
import { JUMP } from '../../insight/artifacts/source-map.ts'
import {
  storageLayout,
  transientLayout,
  typesOf,
  enumType,
  type StorageLayout,
} from '../../insight/artifacts/storage-layout.ts'
import type { Activation } from './activations.ts'
import { rationalOf } from './assignments.ts'
import { isNamed } from './breakpoints.ts'
import type { RunningFunction } from './call-stack.ts'
import type { FoundLocal } from './debug-function.ts'
import { evaluate, parseExpression, type Expression } from './expressions/evaluate.ts'
import { addressValue, contentValue, convertValue, uintValue } from './expressions/typed-values.ts'
import { localsAt } from './locals.ts'
import { viewOf, type FunctionView } from './machine-views.ts'
import { calledFrom } from './stops.ts'
import type { RecordedFrame } from './recording.ts'
import { DEBUG_SCOPES, type DebugVariable } from './results.ts'
import { wordsOf } from './stack-shape.ts'
import type { SteppedExecution } from './view-calls.ts'
import { encodedValues, valueOnStack } from './values/stack-values.ts'
import { valueInStorage, valueInTransient } from './values/storage-values.ts'
import {
  valueOfWord,
  isUnknown,
  type MachineView,
  type Part,
  type UnknownValue,
  type Value,
} from './values/value.ts'

const MOVED: UnknownValue = { unknown: 'the optimizer has rearranged the writes of this line' }

const MAX_WORDS = 1024

export class Scopes {
  readonly #execution: SteppedExecution
  readonly #running: RunningFunction
  readonly #now: number
  readonly #view: FunctionView

  constructor(execution: SteppedExecution, running: RunningFunction, now: number) {
    this.#execution = execution
    this.#running = running
    this.#now = now
    this.#view = viewOf(execution.activations, running, now)
  }

  /**
   * Variables of a scope, or parts of one. After `expression` and an expression, the parts of its value. @throws NodeError
   * 'invalidParams'
   */
  async list([scope = '', ...names]: readonly string[]): Promise<readonly DebugVariable[]> {
    if (scope !== 'expression') return this.#inside(this.#partsOf(scope), names)
    const [expression = '', ...inside] = names
    const value = await this.evaluate(parseExpression(expression))
    return this.#inside([[expression, value]], [expression, ...inside])
  }

  #inside(from: readonly Part[], names: readonly string[]): readonly DebugVariable[] {
    let parts = from
    for (const name of names) {
      const value = parts.find(([own]) => own === name)?.[1]
      if (value === undefined) throw invalidParams(`there is no variable ${name}`)
      parts = isUnknown(value) ? [] : (value.parts?.() ?? [])
      if (!this.#view.takeStorageCertain()) parts = parts.map(([own]) => [own, MOVED])
    }
    return parts.map(([name, value]) => this.shown(name, value))
  }

  #partsOf(scope: string): readonly Part[] {
    switch (scope) {
      case 'locals':
        return [...this.locals(), ...this.#returned()]
      case 'state':
        return this.state()
      case 'message':
        return messageValues(this.#execution, this.#running.activation.frame, this.#view)
      case 'storage':
        return this.#slots()
      case 'memory':
        return this.#memory()
      case 'stack':
        return this.#stack()
      default:
        throw invalidParams(`expected one of ${DEBUG_SCOPES.join(', ')}, got ${scope}`)
    }
  }

  /** The variable with a name, from inner to outer scopes. */
  lookup(name: string): Value | UnknownValue | undefined {
    const message = () => messageValues(this.#execution, this.#running.activation.frame, this.#view)
    for (const parts of [() => this.locals().toReversed(), () => this.state(), message]) {
      const part = parts().find(([own]) => own === name)
      if (part !== undefined) return part[1]
    }
    const contract = this.#running.activation.frame.mapped?.contract
    return contract && enumValue(contract, name, this.#view)
  }

  /** The value of an expression. @throws NodeError 'invalidParams' */
  async evaluate(expression: Expression): Promise<Value | UnknownValue> {
    const { account: from } = this.#running.activation.frame
    const value = await evaluate(expression, {
      lookup: (name) => this.lookup(name),
      call: (target, name, args) => this.#execution.callAt(this.#now, { from, target, name, args }),
    })
    return this.#certain(value)
  }

  /** A value as an answer has it. */
  shown(name: string, value: Value | UnknownValue): DebugVariable {
    if (isUnknown(value)) return { name, type: value.type, value: '', unknown: value.unknown, parts: 0 }
    const { type, text, preview, parts, count, stored } = value
    const size = parts === undefined ? 0 : (count ?? parts().length)
    const shown = { name, type, value: text, parts: size, stored }
    // Making the text of a struct or array has just read its parts.
    const isCertain = this.#view.takeStorageCertain() || preview === undefined
    return isCertain ? shown : { ...shown, value: '', ...MOVED }
  }

  locals(): readonly Part[] {
    const { activation, declared, step } = this.#running
    const locals = localsAt(this.#execution.activations, activation, step).filter(
      ({ within }) => within === declared,
    )
    // A variable hides variables with its name in outer scopes.
    const names = locals.map(({ variable }) => variable.name)
    return locals.flatMap((local, index): readonly Part[] =>
      local.variable.name === '' || names.lastIndexOf(local.variable.name) !== index
        ? []
        : [[local.variable.name, this.#valueOf(local)]],
    )
  }

  #returned(): readonly Part[] {
    const { activation, step, declared } = this.#running
    return activation.declared === declared
      ? returnedValues(this.#execution, activation, step, this.#view)
      : []
  }

  #valueOf(local: FoundLocal): Value | UnknownValue {
    const { variable } = local
    const label = typeIn(variable.node, 'typeString')
    if ('unknown' in local) return { type: label, unknown: local.unknown }
    if (variable.kind === 'assembly') return wordValue(local.words[0] ?? 0n)
    const contract = this.#running.activation.frame.mapped?.contract
    const type = contract && typesOf(contract).typeOf(childAt(variable.node, 'typeName'))
    if (type === undefined) return { type: label, unknown: 'its type is not known' }
    const { viaIr } = contract?.compilation.settings ?? {}
    if (viaIr === true && type.kind === 'value' && type.encoding.startsWith('function'))
      return { type: label, unknown: 'the IR pipeline has numbers for functions' }
    const value = this.#certain(valueOnStack(type, variable.location, local.words, this.#view))
    return variable.location === 'memory' && !this.#view.isMemoryCertain() ? { type: label, ...MOVED } : value
  }

  state(): readonly Part[] {
    const contract = this.#running.activation.frame.mapped?.contract
    if (contract === undefined) return []
    const read = (layout: StorageLayout | undefined, valueIn: typeof valueInStorage): readonly Part[] =>
      (layout ?? []).map(({ label, type, slot, offset }) => [
        label,
        this.#certain(valueIn(type, slot, offset, this.#view)),
      ])
    return [
      ...read(storageLayout(contract), valueInStorage),
      ...read(transientLayout(contract), valueInTransient),
      ...constantValues(this.#running.activation.frame, this.#view),
    ]
  }

  /** A value that was just read, if its origin is certain. */
  #certain(value: Value | UnknownValue): Value | UnknownValue {
    return this.#view.takeStorageCertain() ? value : { ...(value.type && { type: value.type }), ...MOVED }
  }

  #slots(): readonly Part[] {
    const { account } = this.#running.activation.frame
    const slots = new Set<bigint>()
    for (const [first] of this.#execution.recording.stored)
      if (first?.account === account && first.step < this.#now) slots.add(first.slot)
    return [...slots].map((slot) => [
      toWord(slot),
      wordValue(this.#execution.recording.storageAt(this.#now, account, slot)),
    ])
  }

  #memory(): readonly Part[] {
    const { memory } = this.#view
    const count = Math.min(MAX_WORDS, Math.ceil(memory.length / 32))
    return Array.from({ length: count }, (_, index) => {
      const text = toHex(memory.subarray(32 * index, 32 * index + 32))
      return [`0x${(32 * index).toString(16).padStart(2, '0')}`, { type: 'bytes32', text }]
    })
  }

  #stack(): readonly Part[] {
    const parts: Part[] = []
    let top = this.#execution.recording.topAt(this.#running.step)
    for (; top !== undefined && parts.length < MAX_WORDS; top = top.below)
      parts.push([String(top.height - 1), wordValue(top.word)])
    return parts
  }
}

const wordValue = (word: bigint): Value => ({
  type: 'uint256',
  encoding: 'uint256',
  text: toWord(word),
  word,
})

/** The values that every function can use by name: `this`, `msg`, `tx`, `block`. */
function messageValues(
  { recording: { frames }, context }: SteppedExecution,
  { account, caller, value, input }: RecordedFrame,
  { calldata }: MachineView,
): readonly Part[] {
  const origin = frames[0]?.from ?? caller
  return [
    ['this', addressValue(BigInt(account))],
    [
      'msg',
      group('msg', [
        ['sender', addressValue(BigInt(caller))],
        ['value', uintValue(value)],
        [
          'sig',
          convertValue('bytes4', contentValue('bytes', input.subarray(0, 4))) ?? { unknown: 'no call data' },
        ],
        ['data', contentValue('bytes', calldata)],
      ]),
    ],
    ['tx', group('tx', [['origin', addressValue(BigInt(origin))]])],
    [
      'block',
      group('block', [
        ['number', uintValue(context.number)],
        ['timestamp', uintValue(context.timestamp)],
        ['coinbase', addressValue(BigInt(context.coinbase))],
        ['gaslimit', uintValue(context.gasLimit)],
        ['basefee', uintValue(context.baseFeePerGas)],
        ['chainid', uintValue(context.chainId)],
      ]),
    ],
  ]
}

const group = (type: string, parts: readonly Part[]): Value => ({
  type,
  text: '',
  parts: () => parts,
  count: parts.length,
})

/** Known values that functions returned to an activation since its previous statement began. */
function returnedValues(
  execution: SteppedExecution,
  activation: Activation,
  step: number,
  view: MachineView,
): readonly Part[] {
  const { activations } = execution
  const current = activations.visitAt(activation, step)
  const from = current?.step === step ? activations.visitAt(activation, step - 1) : current
  if (from === undefined) return []
  return calledFrom(activations, from.step)
    .filter(([called]) => endOf(called) <= step)
    .flatMap(([called]) => valuesOf(execution, called, view))
}

const endOf = ({ caller, frame, left }: Activation): number =>
  caller?.frame === frame ? left : Math.max(left, frame.end)

function valuesOf(
  execution: SteppedExecution,
  { declared, caller, frame, left }: Activation,
  view: MachineView,
): readonly Part[] {
  const contract = frame.mapped?.contract
  if (declared === undefined || contract === undefined || declared.returns.length === 0) return []
  const named = (index: number): string =>
    `${declared.name} returned${declared.returns.length === 1 ? '' : ` [${index}]`}`
  const types = declared.returns.map(({ node }) => typesOf(contract).typeOf(childAt(node, 'typeName')))
  if (isEntry(declared.node['functionSelector'], caller)) {
    if (frame.exit?.status !== 'success') return []
    const returns = types.map((type) => ({ label: '', type }))
    return encodedValues(returns, frame.exit.output, 0, view).map(([, value], index) => [named(index), value])
  }
  const { recording } = execution
  const { settings } = contract.compilation
  if (recording.opcodeAt(left - 1) !== JUMP || (settings.viaIr && settings.isOptimized)) return []
  let position = recording.heightAt(left - 1) - 1 - wordsOf(declared.returns)
  return declared.returns.flatMap(({ slots, location }, index): readonly Part[] => {
    const [type, words] = [types[index], recording.wordsAt(left - 1, position, slots)]
    position += slots
    return type === undefined || words === undefined
      ? []
      : [[named(index), valueOnStack(type, location, words, view)]]
  })
}

/** Whether a message called the function. Its caller is then contract code, which has no statements. */
const isEntry = (selector: unknown, caller: Activation | undefined): boolean =>
  typeof selector === 'string' && caller?.declared === undefined && caller?.visits.length === 0

const definitionsOf = (contract: CompiledContract): readonly AstNode[] =>
  neededSources(contract).flatMap(({ ast }) => definitionsIn(ast))

/** Declarations of constants and immutable variables of a contract and its base contracts. */
const declarationsOf = oncePer((contract: CompiledContract): readonly AstNode[] => {
  const order = declaredContract(contract)?.linearization ?? []
  const definitions = definitionsOf(contract)
  return order
    .toReversed()
    .flatMap((id) => definitions.find((definition) => numberAt(definition, 'id') === id) ?? [])
    .flatMap((definition) => listAt(definition, 'nodes'))
    .filter((node) => node['constant'] === true || node['mutability'] === 'immutable')
})

/** Constants that are numbers in the source, and immutable variables of deployed code. */
function constantValues({ mapped, code }: RecordedFrame, view: MachineView): readonly Part[] {
  if (mapped === undefined || code === undefined) return []
  const { contract, kind } = mapped
  return declarationsOf(contract).flatMap((node): readonly Part[] => {
    const type = typesOf(contract).typeOf(childAt(node, 'typeName'))
    const place = kind === 'runtime' ? contract.runtime?.immutables.get(numberAt(node, 'id') ?? 0) : undefined
    const word = place === undefined ? constantOf(node) : bytesToBigInt(code.subarray(place, place + 32))
    if (type?.kind !== 'value' || word === undefined) return []
    return [[textAt(node, 'name') ?? '', valueOfWord(type, word, view)]]
  })
}

function constantOf(node: AstNode): bigint | undefined {
  const number = node['constant'] === true ? rationalOf(childAt(node, 'value')) : undefined
  return number === undefined ? undefined : BigInt.asUintN(256, number)
}

const enumsOf = oncePer((contract: CompiledContract): readonly AstNode[] =>
  definitionsOf(contract).filter(({ nodeType }) => nodeType === 'EnumDefinition'),
)

/** The value of a name such as `Phase.Open` or `Auction.Phase.Open`; undefined if no enum has it or several do. */
function enumValue(contract: CompiledContract, name: string, view: MachineView): Value | undefined {
  const [, wanted = '', member = ''] = /^(.+)\.(\w+)$/.exec(name) ?? []
  const titleOf = (definition: AstNode): string => textAt(definition, 'canonicalName') ?? ''
  const meant = enumsOf(contract).filter((definition) => isNamed(titleOf(definition), wanted))
  const definition =
    meant.find((definition) => titleOf(definition) === wanted) ?? (meant.length === 1 ? meant[0] : undefined)
  const names = definition === undefined ? [] : valueNames(definition)
  const index = names.indexOf(member)
  if (definition === undefined || index < 0) return undefined
  return valueOfWord(enumType(`enum ${titleOf(definition)}`, names), BigInt(index), view)
}
