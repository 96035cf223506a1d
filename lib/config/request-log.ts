/** Log entries of requests and blocks, which a node passes to its hooks, and their texts for people. */

/** Colours of a terminal; without one, functions that change nothing. */
export type Paint = Readonly<Record<'green' | 'yellow' | 'red', (text: string) => string>>

/** The name of the report of a module, and the report. */
export type ClosingEvent = readonly [name: string, report: object]

/** A function that ran when an execution failed. Members that are not certain are undefined. */
export interface LoggedFunction {
  /** The account whose code ran. */
  readonly address: string
  /** The contract that declares the function; undefined for a function outside of contracts. */
  readonly contract?: string | undefined
  readonly function?: string | undefined
  /** Path of the source as the compiler names it. */
  readonly file?: string | undefined
  /** From 1. */
  readonly line?: number | undefined
  /** From 1, in UTF-16 units. */
  readonly column?: number | undefined
  /** The line without the spaces around it. */
  readonly excerpt?: string | undefined
  /** How to get the line, if the artifacts lack what it needs. */
  readonly hint?: string | undefined
}

/** The functions that ran when an execution failed, innermost first. */
export type LoggedStack = readonly LoggedFunction[]

export interface SentTransaction {
  readonly hash: string
  /** Its call and its sender by names, such as `Vault.deposit(12 MTK) from account 1`. */
  readonly action?: string | undefined
  readonly from: string
  /** null for the creation of a contract. */
  readonly to: string | null
  readonly contractAddress: string | null
  readonly gasUsed: bigint
  readonly gasLimit: bigint
  readonly blockNumber: bigint
  readonly status: 'success' | 'reverted'
  /** Why it reverted, if known. */
  readonly reason?: string | undefined
  /** Present when it reverted and its contracts are known. */
  readonly solidityStack?: LoggedStack | undefined
}

interface LoggedRun {
  readonly kind: 'call' | 'estimate' | 'transaction'
  /** Hash of the transaction; absent for a call or an estimate. */
  readonly hash?: string | undefined
  /** null for the creation of a contract. */
  readonly to: string | null
}

export interface ConsoleOutput extends LoggedRun {
  /** One text per call of console.log; it may contain any character. */
  readonly lines: readonly string[]
}

export interface FailedRun extends LoggedRun {
  readonly reason: string
  /** Present when the contracts are known. */
  readonly solidityStack?: LoggedStack | undefined
}

/** A block that was mined without a request, with console output or failed transactions. */
export interface BlockLogEntry {
  readonly blockNumber: bigint
  /** Id of the world that has the block; absent for the default chain. */
  readonly world?: string | undefined
  readonly console: readonly ConsoleOutput[]
  readonly failed?: readonly FailedRun[] | undefined
}

export interface RequestLogEntry {
  readonly method: string
  readonly params: unknown
  /** Id of the world that was called; absent for the default chain. */
  readonly world?: string | undefined
  readonly durationMs: number
  readonly error?:
    | {
        readonly code: number
        readonly message: string
        readonly data?: unknown
        readonly solidityStack?: LoggedStack | undefined
      }
    | undefined
  /** Present when the request sent a transaction that was mined at once. */
  readonly transaction?: SentTransaction | undefined
  readonly result?: unknown
  /** Why a call or an estimate reverted, or the node's own text of an error, if the message of the error does not contain it. */
  readonly reason?: string | undefined
  readonly console?: readonly ConsoleOutput[] | undefined
  /** Present when executions failed although the response is not an error. */
  readonly failed?: readonly FailedRun[] | undefined
}

export interface NodeHooks {
  readonly onRequest?: ((entry: RequestLogEntry) => void) | undefined
  /** Whether `onRequest` now reads nothing but console output: it is then called only for requests that have some. */
  readonly readsConsoleOnly?: (() => boolean) | undefined
  /** Called with console output and failures of a block that was mined without a request. */
  readonly onBlock?: ((entry: BlockLogEntry) => void) | undefined
  /** Called with the output of console.log as text, one execution at a time. */
  readonly onConsole?: ((text: string) => void) | undefined
  /** Called with faults of the program. If a request failed, `reference` is the one in its error response. */
  readonly onFault?: ((error: unknown, reference?: string) => void) | undefined
  /** Called with a sentence about an execution that lasts. */
  readonly onNotice?: ((sentence: string) => void) | undefined
  /** Whether the node ends with the run that starts it: its errors name no command for later. */
  readonly endsWithRun?: boolean
}

/** Says what a node waits for, such as `a debugger attaches`. */
export const waitLine = (event: string, url: string): string =>
  `dev-node: the first transactions and calls wait until ${event} to ${url}`

/** A line for the execution, and indented lines for its console output. */
export function consoleLines({ lines, ...run }: ConsoleOutput, world?: string): readonly string[] {
  const where = world === undefined ? '' : ` in world ${world}`
  return [`console.log of ${runText(run)}${where}`, ...lines.flatMap(linesShown).map((text) => `  ${text}`)]
}

/** The lines of a text of `console.log`, printable. Tabs stay. */
export const linesShown = (text: string): readonly string[] =>
  text.split(/\r?\n/).map((line) => line.split('\t').map(shown).join('\t'))

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
    readsConsoleOnly: () => onRequest === undefined || hooks.readsConsoleOnly?.() === true,
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
