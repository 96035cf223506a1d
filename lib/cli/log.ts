/** Prints a line per request for people. Equal lines in a row are folded into one. */

import type { ChalkInstance } from 'chalk'
import { consoleLines, printable, runText, shown } from '../config/console-lines.ts'
import type { BlockLogEntry, ConsoleOutput, FailedRun } from '../config/request-log.ts'
import type { RequestLogEntry, SentTransaction } from '../config/request-log.ts'
import { toJson } from './json-line.ts'

/** Output and style of the log. */
export interface LogStyle {
  readonly write: (text: string) => void
  /** Whether lines can be rewritten in place. */
  readonly isTty: boolean
  /** Whether params and results are shown. */
  readonly isVerbose: boolean
  readonly paint: ChalkInstance
}

/** Maximum number of characters of params or of a result. */
const MAX_DETAIL = 300

/** Moves to the start of the line above and clears it. */
const REWRITE = '\u001B[1A\u001B[2K'

/** Prints requests. On a terminal a repeated line is rewritten with its count; elsewhere it is printed after the last one. */
export class RequestLog {
  readonly #style: LogStyle
  /** The line that may still repeat. */
  #line: string | undefined
  #times = 0

  constructor(style: LogStyle) {
    this.#style = style
  }

  /** Prints the request, or counts it. */
  add(entry: RequestLogEntry): void {
    const lines = render(entry, this.#style)
    const [line] = lines
    if (lines.length === 1 && line !== undefined) return this.#fold(line)
    this.flush()
    this.#style.write(`${lines.join('\n')}\n`)
  }

  /** Prints console output and failures of a block that was mined without a request. */
  addBlock({ blockNumber, world, console: outputs, failed }: BlockLogEntry): void {
    this.flush()
    const { paint } = this.#style
    const title = `block ${blockNumber.toString()}${placeText(world, paint)}`
    const lines = [title, ...outputs.flatMap(describeOutput), ...describeFailures(failed, paint)]
    this.#style.write(`${lines.join('\n')}\n`)
  }

  /** Prints the last line if it was held back. The next line does not count as its repetition. */
  flush(): void {
    if (this.#line !== undefined && !this.#style.isTty) this.#style.write(`${this.#folded(this.#line)}\n`)
    this.#line = undefined
    this.#times = 0
  }

  #fold(line: string): void {
    const isRepeat = line === this.#line
    if (!isRepeat) this.flush()
    this.#line = line
    this.#times++
    if (this.#style.isTty) this.#style.write(`${isRepeat ? REWRITE : ''}${this.#folded(line)}\n`)
  }

  #folded(line: string): string {
    return this.#times === 1 ? line : `${line} ${this.#style.paint.dim(`x${this.#times}`)}`
  }
}

function render(entry: RequestLogEntry, { isVerbose, paint }: LogStyle): readonly string[] {
  const method = printable(entry.method)
  const { error, transaction, console: outputs = [] } = entry
  const where = placeText(entry.world, paint)
  const title =
    error === undefined
      ? `${method}${where}`
      : `${paint.red(method)}${where} error ${error.code}: ${explained(error, entry)}`
  const sent = transaction === undefined ? [] : describeTransaction(transaction, entry, paint)
  const lines = [title, ...sent, ...outputs.flatMap(describeOutput), ...describeFailures(entry.failed, paint)]
  if (!isVerbose) return lines
  const took = `took ${entry.durationMs.toFixed(1)} ms`
  const result = error === undefined ? entry.result : error.data
  const details = [
    `params ${detail(entry.params)}`,
    ...(result === undefined ? [] : [`result ${detail(result)}`]),
    took,
  ]
  return [...lines, ...details.map((text) => paint.dim(`  ${text}`))]
}

function placeText(world: string | undefined, paint: ChalkInstance): string {
  return world === undefined ? '' : paint.dim(` in world ${printable(world)}`)
}

/** The message, and the reason if the message does not contain it. */
function explained({ message }: { readonly message: string }, { reason }: RequestLogEntry): string {
  const isSaid = reason === undefined || message.includes(reason)
  return shown(isSaid ? message : `${message} (${reason})`)
}

function describeOutput(output: ConsoleOutput): readonly string[] {
  return consoleLines(output).map((line) => `  ${line}`)
}

function describeFailures(failed: readonly FailedRun[] | undefined, paint: ChalkInstance): readonly string[] {
  return (failed ?? []).map(
    ({ reason, ...run }) => `  ${runText(run)} ${paint.red('reverted')}: ${shown(reason)}`,
  )
}

/** The lines of a sent transaction. If the request failed, the line above them has the reason of a revert. */
function describeTransaction(
  transaction: SentTransaction,
  { error }: RequestLogEntry,
  paint: ChalkInstance,
): readonly string[] {
  const { hash, from, to, contractAddress, gasUsed, gasLimit, blockNumber, status, reason } = transaction
  const target = to ?? (contractAddress === null ? 'a new contract' : `new contract ${contractAddress}`)
  const lines = [
    `  ${hash}`,
    `  from ${from} to ${target}`,
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
