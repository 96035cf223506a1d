/** Formats console output of contracts as lines for people. */

import type { BlockLogEntry, ConsoleOutput, LoggedFunction } from './request-log.ts'
import type { LoggedRun, NodeHooks, RequestLogEntry } from './request-log.ts'

/** A line for the execution, and indented lines for its console output. */
export function consoleLines({ lines, ...run }: ConsoleOutput, world?: string): readonly string[] {
  const where = world === undefined ? '' : ` in world ${world}`
  const texts = lines.flatMap((line) => line.split(/\r?\n/))
  return [`console.log of ${runText(run)}${where}`, ...texts.map((text) => `  ${shown(text)}`)]
}

/** Describes an execution. */
export function runText({ kind, hash, to }: LoggedRun): string {
  if (hash !== undefined) return `${kind} ${hash}`
  return `${kind} ${to === null ? 'of a new contract' : `to ${to}`}`
}

/** A function of a stack, with its contract, and its place in the source. */
export function placeTexts({ address, contract, function: name, file, line, column }: LoggedFunction) {
  const who = [contract ?? (file === undefined ? address : undefined), name]
  const where = [file, line, column].filter((part) => part !== undefined).join(':')
  return { who: who.filter((part) => part !== undefined).join('.'), where }
}

const MAX_TEXT = 10_000

/** A text of a contract, printable and shortened. */
export function shown(text: string): string {
  const start = printable(text.slice(0, MAX_TEXT))
  return text.length > MAX_TEXT ? `${start}... (${text.length} characters)` : start
}

/** Text from a client or a contract without characters that control the terminal or the writing direction. */
export function printable(text: string): string {
  return text.replace(/[\u0000-\u001F\u007F-\u009F\u200E\u200F\u2028-\u202E\u2066-\u2069]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}

/** Hooks that also pass console output as text to `onConsole`. */
export function withConsole(hooks: NodeHooks): NodeHooks {
  const { onConsole, onRequest, onBlock } = hooks
  if (onConsole === undefined) return hooks
  const passOn = ({ console: outputs = [], world }: RequestLogEntry | BlockLogEntry): void => {
    for (const output of outputs) onConsole(consoleLines(output, world).join('\n'))
  }
  return {
    ...hooks,
    onRequest: (entry) => {
      passOn(entry)
      onRequest?.(entry)
    },
    onBlock: (entry) => {
      passOn(entry)
      onBlock?.(entry)
    },
  }
}
