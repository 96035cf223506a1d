/** The parts of the process that the command uses; bin has the real ones. Writes JSON objects as lines, for programs. */

import { Chalk, type ChalkInstance } from 'chalk'
import { NodeError, seeHelp, troubleOf } from '../base/errors.ts'
import type { StartServer } from '../server/start.ts'

interface OutputStream {
  write(text: string): unknown
}

export interface CommandResult {
  readonly text: string
  readonly code: number
}

export interface Io {
  /** Arguments after the name of the program. */
  readonly argv: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdout: OutputStream
  readonly stderr: OutputStream
  readonly isTTY: boolean
  readonly pid: number
  /** Calls the listener at SIGINT, SIGTERM and the end of the output's reader, until the returned function is called. */
  readonly signals: (listener: (signal: 'SIGINT' | 'SIGTERM') => void) => () => void
  /** Calls the listener with every unhandled error, until the returned function is called. */
  readonly crashes: (listener: (error: unknown) => void) => () => void
  /** Shows a text and returns the line that the user types; absent without a terminal. */
  readonly ask?: ((text: string) => Promise<string>) | undefined
  readonly streams: () => { readonly input: NodeJS.ReadableStream; readonly output: NodeJS.WritableStream }
  readonly start: StartServer
}

/** The colours of the output. Without a terminal or with the environment variable NO_COLOR there are none. */
export const paintOn = ({ isTTY, env }: Pick<Io, 'isTTY' | 'env'>): ChalkInstance =>
  new Chalk({ level: isTTY && !env['NO_COLOR'] ? 1 : 0 })

export async function untilSignal(signals: Io['signals']): Promise<void> {
  let release = (): void => undefined
  await new Promise<void>((resolve) => (release = signals(() => resolve())))
  release()
}

export const readPort = (text: string): number | undefined =>
  /^\d{1,5}$/.test(text) && Number(text) <= 65_535 ? Number(text) : undefined

/** Converts a bigint to a number, or to a decimal string if JSON cannot represent it exactly. */
function plain(_key: string, value: unknown): unknown {
  if (typeof value !== 'bigint') return value
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value.toString()
}

/** The value as JSON on one line, big integers included. */
export const toJson = (value: unknown): string => JSON.stringify(value, plain)

export const jsonLine = (event: string, content: object): string => `${toJson({ event, ...content })}\n`

/** Prints an error: a sentence with its code for an error of the user, the stack for a fault of the program. With --json it is an event, too. */
export function printError(
  { argv, stdout, stderr }: Pick<Io, 'argv' | 'stdout' | 'stderr'>,
  error: unknown,
  title = '',
): void {
  const [code, message] = [troubleOf(error), `${title}${explain(error)}`]
  stderr.write(`dev-node: ${message}${seeHelp(code)}\n`)
  const own = argv.slice(0, argv.indexOf('--') + 1 || undefined)
  if (own.includes('--json')) stdout.write(jsonLine('error', { code, message }))
}

const explain = (error: unknown): string =>
  error instanceof NodeError && error.kind !== 'internal' ? error.message : stackOf(error)

function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const stack = error.stack ?? error.message
  return error.cause === undefined ? stack : `${stack}\nbecause of ${stackOf(error.cause)}`
}
