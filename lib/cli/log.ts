/** Prints a line per request for people. Equal lines in a row are folded into one. */

import type { ChalkInstance } from 'chalk'
import { consoleLines, printable, runText, shown } from '../config/request-log.ts'
import type { BlockLogEntry, ConsoleOutput, FailedRun, RequestLogEntry } from '../config/request-log.ts'
import type { SentTransaction } from '../config/request-log.ts'
import { toJson } from './io.ts'
import { stackLines } from './explanation-lines.ts'

export interface LogStyle {
  readonly write: (text: string) => void
  /** Whether lines can be rewritten in place. */
  readonly isTty: boolean
  readonly isVerbose: boolean
  readonly paint: ChalkInstance
}

/** Maximum number of characters of params or of a result. */
const MAX_DETAIL = 300

/** Moves to the start of the line above and clears it. */
const REWRITE = '\u001B[1A\u001B[2K'

/** Prints requests. A repeated line is rewritten with its count on a terminal; elsewhere the count is printed after the last one. */
export class RequestLog {
  readonly #style: LogStyle
  /** The request that may repeat: its lines, and the key that equal requests share. */
  #last: { readonly key: string; readonly lines: readonly string[] } | undefined
  #times = 0
  #stack = ''

  constructor(style: LogStyle) {
    this.#style = style
  }

  add(entry: RequestLogEntry): void {
    const { isVerbose, paint } = this.#style
    const { error, transaction, console: outputs = [], failed = [] } = entry
    const stack = error?.solidityStack ?? transaction?.solidityStack ?? []
    const title = titleOf(entry, paint)
    const isAlone = transaction === undefined && outputs.length + failed.length === 0 && !isVerbose
    if (isAlone) return this.#fold(title, stackLines(stack, paint))
    this.flush()
    const sent = transaction === undefined ? [] : describeTransaction(transaction, entry, paint)
    this.#write([
      title,
      ...sent,
      ...this.#unlessAbove(stackLines(stack, paint)),
      ...outputs.flatMap(describeOutput),
      ...this.#describeFailures(failed),
      ...(isVerbose ? detailsOf(entry, paint) : []),
    ])
  }

  /** Prints console output and failures of a block that was mined without a request. */
  addBlock({ blockNumber, world, console: outputs, failed = [] }: BlockLogEntry): void {
    this.flush()
    const title = `block ${blockNumber.toString()}${placeText(world, this.#style.paint)}`
    this.#write([title, ...outputs.flatMap(describeOutput), ...this.#describeFailures(failed)])
  }

  flush(): void {
    if (this.#last !== undefined && !this.#style.isTty) this.#write(this.#folded(this.#last.lines))
    this.#last = undefined
    this.#times = 0
  }

  #fold(title: string, stack: readonly string[]): void {
    const key = [title, ...stack].join('\n')
    const repeated = key === this.#last?.key ? this.#last : undefined
    if (repeated === undefined) this.flush()
    const last = repeated ?? { key, lines: [title, ...this.#unlessAbove(stack)] }
    this.#last = last
    this.#times++
    if (!this.#style.isTty) return
    if (repeated !== undefined) this.#style.write(REWRITE.repeat(repeated.lines.length))
    this.#write(this.#folded(last.lines))
  }

  #folded([title = '', ...stack]: readonly string[]): readonly string[] {
    return [this.#times === 1 ? title : `${title} ${this.#style.paint.dim(`x${this.#times}`)}`, ...stack]
  }

  #describeFailures(failed: readonly FailedRun[]): readonly string[] {
    const { paint } = this.#style
    return failed.flatMap(({ reason, solidityStack = [], ...run }) => [
      `  ${runText(run)} ${paint.red('reverted')}: ${shown(reason)}`,
      ...this.#unlessAbove(stackLines(solidityStack, paint)).map((line) => `  ${line}`),
    ])
  }

  /** The lines of a stack. If the same stack was printed last, only the innermost function. */
  #unlessAbove(stack: readonly string[]): readonly string[] {
    const [innermost] = stack
    if (innermost === undefined) return []
    const text = stack.join('\n')
    if (text === this.#stack) return [`${innermost}${this.#style.paint.dim(', as above')}`]
    this.#stack = text
    return stack
  }

  #write(lines: readonly string[]): void {
    this.#style.write(`${lines.join('\n')}\n`)
  }
}

function titleOf(entry: RequestLogEntry, paint: ChalkInstance): string {
  const { error } = entry
  const method = printable(entry.method)
  const where = placeText(entry.world, paint)
  return error === undefined
    ? `${method}${where}`
    : `${paint.red(method)}${where} error ${error.code}: ${explained(error, entry)}`
}

/** Params, result or data of the error, and duration. */
function detailsOf(
  { error, params, result: returned, durationMs }: RequestLogEntry,
  paint: ChalkInstance,
): readonly string[] {
  const result = error === undefined ? returned : error.data
  const details = [
    `params ${detail(params)}`,
    ...(result === undefined ? [] : [`result ${detail(result)}`]),
    `took ${durationMs.toFixed(1)} ms`,
  ]
  return details.map((text) => paint.dim(`  ${text}`))
}

const placeText = (world: string | undefined, paint: ChalkInstance): string =>
  world === undefined ? '' : paint.dim(` in world ${printable(world)}`)

/** The message, and the reason if the message does not contain it. */
function explained({ message }: { readonly message: string }, { reason }: RequestLogEntry): string {
  const isSaid = reason === undefined || message.includes(reason)
  return shown(isSaid ? message : `${message} (${reason})`)
}

const describeOutput = (output: ConsoleOutput): readonly string[] =>
  consoleLines(output).map((line) => `  ${line}`)

function describeTransaction(
  transaction: SentTransaction,
  { error }: RequestLogEntry,
  paint: ChalkInstance,
): readonly string[] {
  const { hash, action, from, to, contractAddress, gasUsed, gasLimit, blockNumber, status, reason } =
    transaction
  const target = to ?? (contractAddress === null ? 'a new contract' : `new contract ${contractAddress}`)
  const lines = [
    `  ${action === undefined ? `from ${from} to ${target}` : shown(action)}`,
    `  ${hash}`,
    `  gas ${gasUsed.toString()} of ${gasLimit.toString()}, block ${blockNumber.toString()}`,
  ]
  if (status === 'success') return lines
  const isSaid = reason === undefined || error !== undefined
  return [...lines, `  ${paint.red('reverted')}${isSaid ? '' : `: ${shown(reason)}`}`]
}

function detail(value: unknown): string {
  const json = printable(value === undefined ? 'none' : toJson(value))
  return json.length > MAX_DETAIL ? `${json.slice(0, MAX_DETAIL)}... (${json.length} characters)` : json
}
