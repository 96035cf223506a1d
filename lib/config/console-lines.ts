/** What contracts said, as lines for people. */

import type { BlockLogEntry, ConsoleOutput, FailedRun, NodeHooks, RequestLogEntry } from './request-log.ts'

/** What ran, and below it what was said. A text of several lines stays within its margin. */
export function consoleLines({ lines, ...run }: ConsoleOutput, world?: string): readonly string[] {
  const where = world === undefined ? '' : ` in world ${world}`
  const texts = lines.flatMap((line) => line.split(/\r?\n/))
  return [`console.log of ${runText(run)}${where}`, ...texts.map((text) => `  ${shown(text)}`)]
}

/** Names an execution. */
export function runText({ kind, hash, to }: Omit<FailedRun, 'reason'>): string {
  if (hash !== undefined) return `${kind} ${hash}`
  return `${kind} ${to === null ? 'of a new contract' : `to ${to}`}`
}

/** Most characters of a line that a contract wrote. */
const MAX_TEXT = 10_000

/** A text of a contract, printable and not too long. */
export function shown(text: string): string {
  const start = printable(text.slice(0, MAX_TEXT))
  return text.length > MAX_TEXT ? `${start}... (${text.length} characters)` : start
}

/** Text from a client or a contract, unable to steer the terminal, or to turn the direction of what is read. */
export function printable(text: string): string {
  return text.replace(/[\u0000-\u001F\u007F-\u009F\u200E\u200F\u2028-\u202E\u2066-\u2069]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}

/** The hooks of somebody who may want to hear in words what contracts say. */
export function withConsole(hooks: NodeHooks): NodeHooks {
  const { onConsole, onRequest, onBlock } = hooks
  if (onConsole === undefined) return hooks
  const say = ({ console: outputs = [], world }: RequestLogEntry | BlockLogEntry): void => {
    for (const output of outputs) onConsole(consoleLines(output, world).join('\n'))
  }
  return {
    ...hooks,
    onRequest: (entry) => {
      say(entry)
      onRequest?.(entry)
    },
    onBlock: (entry) => {
      say(entry)
      onBlock?.(entry)
    },
  }
}
