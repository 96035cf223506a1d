/** A line per request for people; the same requests follow each other folded into one line. */

import type { ChalkInstance } from 'chalk'
import type { BlockLogEntry, ConsoleOutput, RequestLogEntry, SentTransaction } from '../config/request-log.ts'
import { toJson } from './json-line.ts'

/** How the log writes. */
export interface LogStyle {
  readonly write: (text: string) => void
  /** Whether lines can be rewritten in place. */
  readonly isTty: boolean
  /** Whether params and results are shown. */
  readonly isVerbose: boolean
  readonly paint: ChalkInstance
}

/** Most characters of params or of a result. */
const MOST_DETAIL = 300

/** Moves to the start of the line above and clears it. */
const REWRITE = '\u001B[1A\u001B[2K'

/** Prints answered requests. On a terminal a repeated line counts up in place; elsewhere it is printed once complete. */
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

  /** Prints what contracts said in a block that no request asked for. */
  addBlock({ blockNumber, console: outputs }: BlockLogEntry): void {
    this.flush()
    const lines = [`block ${blockNumber.toString()}`, ...outputs.flatMap(describeOutput)]
    this.#style.write(`${lines.join('\n')}\n`)
  }

  /** Prints what was held back, and begins a new line. */
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
  const where = entry.world === undefined ? '' : paint.dim(` in world ${printable(entry.world)}`)
  const title =
    error === undefined
      ? `${method}${where}`
      : `${paint.red(method)}${where} error ${error.code}: ${explained(error, entry)}`
  const sent = transaction === undefined ? [] : describeTransaction(transaction, paint)
  const lines = [title, ...sent, ...outputs.flatMap(describeOutput)]
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

/** The message, and the reason where neither it nor the lines below say it. */
function explained(
  { message }: { readonly message: string },
  { reason, transaction }: RequestLogEntry,
): string {
  const isSaid = reason === undefined || transaction !== undefined || message.includes(reason)
  return short(isSaid ? message : `${message} (${reason})`)
}

/** What ran, and below it what was said. A text of several lines stays within its margin. */
function describeOutput({ kind, hash, to, lines }: ConsoleOutput): readonly string[] {
  const target = to === null ? 'of a new contract' : `to ${to}`
  const title = hash === undefined ? `${kind} ${target}` : `${kind} ${hash}`
  const texts = lines.flatMap((line) => line.split(/\r?\n/))
  return [`  console.log of ${title}`, ...texts.map((text) => `    ${short(text)}`)]
}

function describeTransaction(transaction: SentTransaction, paint: ChalkInstance): readonly string[] {
  const { hash, from, to, contractAddress, gasUsed, gasLimit, blockNumber, status, reason } = transaction
  const target = to ?? (contractAddress === null ? 'a new contract' : `new contract ${contractAddress}`)
  const lines = [
    `  ${hash}`,
    `  from ${from} to ${target}`,
    `  gas ${gasUsed.toString()} of ${gasLimit.toString()}, block ${blockNumber.toString()}`,
  ]
  if (status === 'success') return lines
  return [...lines, `  ${paint.red('reverted')}${reason === undefined ? '' : `: ${short(reason)}`}`]
}

/** Most characters of a line that a contract wrote. */
const MOST_TEXT = 10_000

function short(text: string): string {
  const shown = printable(text.slice(0, MOST_TEXT))
  return text.length > MOST_TEXT ? `${shown}... (${text.length} characters)` : shown
}

/** Text from a client or a contract, unable to steer the terminal, or to turn the direction of what is read. */
function printable(text: string): string {
  return text.replace(/[\u0000-\u001F\u007F-\u009F\u200E\u200F\u2028-\u202E\u2066-\u2069]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}

function detail(value: unknown): string {
  const json = printable(value === undefined ? 'none' : toJson(value))
  return json.length > MOST_DETAIL ? `${json.slice(0, MOST_DETAIL)}... (${json.length} characters)` : json
}
