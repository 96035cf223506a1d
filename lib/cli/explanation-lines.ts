/** Explanations, failures and Solidity stacks as lines for a terminal. */

import type { ChalkInstance } from 'chalk'
import { decimalText, etherText, withPowers } from '../base/decimal-text.ts'
import { withNames, withUnits, type TokenUnit } from '../base/named-text.ts'
import { placeTexts, shown, type LoggedFunction, type LoggedStack } from '../config/request-log.ts'
import type { DecodedValue, NamedValue } from '../abi/fragments.ts'
import { amountsIn } from '../schema/token-amounts.ts'
import type { Alike } from '../schema/alike-failures.ts'
import type { CallResult, ExplanationResult, FailureResult } from '../schema/explanation-results.ts'
import type { StepResult } from '../schema/explanation-results.ts'

type EventResult = Extract<StepResult, { readonly event: unknown }>['event']

export function explanationLines(explanation: ExplanationResult, paint: ChalkInstance): readonly string[] {
  const { status, reason, stack = [], call, gasUsed, removedAt, names = {} } = explanation
  const removal = removedAt === undefined ? '' : `, removed by a revert at ${removedAt}`
  const isSuccess = status === 'success'
  const amounts = unitsIn(explanation)
  const inUnits = (text: string): string => withPowers(withUnits(text, amounts))
  const outcome = isSuccess ? paint.green('success') : paint.red(inUnits(shown(reason?.message ?? status)))
  const lines = [
    `${outcome}, ${Number(gasUsed)} gas${removal}`,
    ...gasLines(explanation),
    ...stackLines(stack, paint),
    ...(stack.length > 0 && stack.every(({ contract }) => contract === undefined) ? [NO_SOURCES] : []),
    '',
    ...callLines(call, { paint, inUnits }, { first: '', rest: '' }),
    ...changeLines(explanation, paint),
  ]
  return lines.map((line) => withNames(line, names))
}

const NO_SOURCES =
  '  for lines of Solidity, compile in the folder where the node runs, or start it with --artifacts <folder>'

/** Units of the amounts that tokens moved or would have moved, by their digits. */
const unitsIn = ({ call, tokens, units = {} }: ExplanationResult): ReadonlyMap<string, TokenUnit> =>
  new Map([
    ...tokens.flatMap(({ token, id, amount }) => {
      const unit = id === undefined ? units[token] : undefined
      return unit === undefined ? [] : [[String(BigInt(amount)), unit] as const]
    }),
    ...amountsIn(call, (token) => units[token]),
  ])

interface CallStyle {
  readonly paint: ChalkInstance
  readonly inUnits: (values: string) => string
}

/** Prefixes of the first line of a call, and of the lines of its steps. */
interface Indent {
  readonly first: string
  readonly rest: string
}

function callLines(call: CallResult, style: CallStyle, { first, rest }: Indent): readonly string[] {
  const { omittedSteps = 0 } = call
  const steps = call.steps.flatMap((step, index) => {
    const isLast = index === call.steps.length - 1 && omittedSteps === 0
    const indent = { first: `${rest}${isLast ? '└─ ' : '├─ '}`, rest: `${rest}${isLast ? '   ' : '│  '}` }
    if ('call' in step) return callLines(step.call, style, indent)
    const text =
      'event' in step ? eventText(step.event, style) : style.paint.cyan(`console.log ${shown(step.console)}`)
    return [indent.first + text]
  })
  const omitted = omittedSteps === 0 ? [] : [`${rest}└─ ${omittedSteps} more steps`]
  return [first + callText(call, style), ...steps, ...omitted]
}

function gasLines({ gasSpent = [] }: ExplanationResult): readonly string[] {
  if (gasSpent.length === 0) return []
  const spenders = gasSpent.map(({ address, contract = address, function: signature, gas }) => {
    const name = signature === undefined ? '' : `.${signature.replace(/\(.*$/, '')}`
    return `${shown(contract + name)} ${Number(gas)}`
  })
  return [`  most gas: ${spenders.join(', ')}`]
}

function callText(call: CallResult, style: CallStyle): string {
  const { paint, inUnits } = style
  const { kind, to, contract = to, implementation, value, gasUsed, status, reason, isCaught, results } = call
  const name = implementation === undefined ? contract : `${implementation} (proxy)`
  const target = `${kind} ${paint.bold(shown(name))}${functionText(call, style)}`
  const sent = BigInt(value) === 0n ? '' : ` with ${etherText(BigInt(value))}`
  // This reason includes the gas.
  const gas = reason?.kind === 'out of gas' ? '' : paint.dim(` ${Number(gasUsed)} gas`)
  const returned = results === undefined || results.length === 0 ? '' : ` → ${inUnits(valuesText(results))}`
  if (status === 'success') return `${target}${sent}${returned}${gas}`
  const failure = paint.red(` ${isReasonBelow(call) ? status : inUnits(shown(reason?.message ?? status))}`)
  return `${target}${sent}${failure}${isCaught === true ? paint.yellow(' (caught)') : ''}${gas}`
}

/** Whether an inner call failed for the same reason. Its line shows the reason. */
const isReasonBelow = ({ reason, steps }: CallResult): boolean =>
  steps.some((step) => 'call' in step && step.call.reason?.message === reason?.message)

function functionText(
  { function: signature, arguments: values, input }: CallResult,
  { paint, inUnits }: CallStyle,
): string {
  if (signature === undefined) return input === '0x' ? '' : ` ${shortData(input)}`
  const name = signature.replace(/\(.*$/s, '')
  return `${paint.bold(`.${shown(name)}`)}(${values === undefined ? shortData(input) : inUnits(valuesText(values))})`
}

const eventText = ({ event, values, topics, data }: EventResult, { paint, inUnits }: CallStyle): string => {
  const name = event?.replace(/\(.*$/s, '') ?? `log ${topics.map(shortData).join(' ')}`
  return `${paint.magenta(shown(name))}(${values === undefined ? shortData(data) : inUnits(valuesText(values))})`
}

const valuesText = (values: readonly NamedValue[]): string => values.map(namedText).join(', ')

const namedText = ({ name, type, value }: NamedValue): string =>
  name === '' ? valueText(value, type) : `${shown(name)}: ${valueText(value, type)}`

function valueText(value: DecodedValue, type: string): string {
  if (typeof value === 'string') return type === 'string' ? `"${shown(value)}"` : shown(value)
  if (typeof value === 'boolean') return String(value)
  const item = type.replace(/\[\d*\]$/, '')
  return `[${value.map((element) => (isNamed(element) ? namedText(element) : valueText(element, item))).join(', ')}]`
}

const isNamed = (value: DecodedValue | NamedValue): value is NamedValue =>
  typeof value === 'object' && 'name' in value

/** The beginning of data, with its length. */
const shortData = (data: string): string =>
  data.length <= 74 ? data : `${data.slice(0, 20)}... (${data.length / 2 - 1} bytes)`

function changeLines(
  { storage, balances, tokens, units = {} }: ExplanationResult,
  paint: ChalkInstance,
): readonly string[] {
  return [
    ...section(
      'storage',
      paint,
      storage.map(
        ({ address, slot, variable = `slot ${slot}`, before, after }) =>
          `${address} ${shown(variable)}: ${shown(before)} → ${shown(after)}`,
      ),
    ),
    ...section(
      'balances',
      paint,
      balances.map(
        ({ address, before, after }) =>
          `${address}: ${etherText(BigInt(before))} → ${etherText(BigInt(after))}`,
      ),
    ),
    ...section(
      'tokens',
      paint,
      tokens.map(({ token, from, to, id, amount }) => {
        const { symbol = token, decimals = 0 } = (id === undefined ? units[token] : undefined) ?? {}
        const count = `${decimalText(BigInt(amount), decimals)} ${symbol}`
        return `${count}${id === undefined ? '' : ` id ${BigInt(id)}`} from ${from} to ${to}`
      }),
    ),
  ]
}

const section = (title: string, paint: ChalkInstance, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : ['', paint.bold(title), ...lines.map((line) => `  ${line}`)]

interface FailureStyle {
  readonly paint: ChalkInstance
  /** Names of accounts by address. */
  readonly names: Readonly<Record<string, string>>
  /** Shown in place of the innermost line. */
  readonly stack?: LoggedStack | undefined
}

/** The lines of equal failures, with the command that explains the newest of them, if there is one. */
export function failureLines(
  [newest, ...earlier]: Alike<FailureResult>,
  { paint, names, stack = newest.place && [newest.place] }: FailureStyle,
  command?: string,
): readonly string[] {
  const { kind, hash, world, time, removedAt, gasUsed, reason, test } = newest
  const facts = [
    `${kind} ${hash?.slice(0, 10) ?? ''}`.trim(),
    ...(world === null ? [] : [`world ${world}`]),
    `${Number(gasUsed)} gas`,
    time.slice(11, 19),
    ...(removedAt === undefined ? [] : [`removed by a revert at ${removedAt.slice(11, 19)}`]),
    ...(earlier.length === 0 ? [] : [`and ${earlier.length} like it before`]),
  ]
  const lines = [
    ...(test === undefined ? [] : [paint.bold(shown(testText(test)))]),
    paint.red(withPowers(shown(reason))),
    `  ${paint.bold(withPowers(shown(calledText(newest))))}`,
    ...stackLines(stack ?? [], paint),
  ]
  const explained = paint.dim(`  ${facts.join(', ')}${command === undefined ? '' : `: ${command}`}`)
  return [...lines.map((line) => withNames(line, names)), explained]
}

const testText = ({ title, file, line }: NonNullable<FailureResult['test']>): string =>
  [title, file === undefined ? '' : `(${file}${line === undefined ? '' : `:${line}`})`]
    .filter(Boolean)
    .join(' ')

/** The contract, function and arguments, as far as they are known. */
function calledText({ to = 'a call', contract = to, ...call }: FailureResult): string {
  if (call.function === undefined) return contract
  const name = call.function.replace(/\(.*$/s, '')
  return `${contract}.${name}(${call.arguments === undefined ? '...' : valuesText(call.arguments)})`
}

/** The lines of a stack in the form of JavaScript's stacks, with the line of the source below each entry. */
export const stackLines = (stack: LoggedStack, paint: ChalkInstance): readonly string[] =>
  stack.flatMap((entry) => {
    const { hint, excerpt = hint && `no line: ${hint}` } = entry
    return [placeLine(entry, paint), ...(excerpt === undefined ? [] : [paint.dim(`     ${shown(excerpt)}`)])]
  })

function placeLine(entry: LoggedFunction, paint: ChalkInstance): string {
  const { who, where } = placeTexts(entry)
  return `  at ${paint.bold(shown(who))}${where === '' ? '' : shown(` (${where})`)}`
}
