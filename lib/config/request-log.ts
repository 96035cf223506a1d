/** What a node tells of answered requests and of its blocks, and the command prints. */

/** A transaction a request sent. */
export interface SentTransaction {
  readonly hash: string
  readonly from: string
  /** null for the creation of a contract. */
  readonly to: string | null
  readonly contractAddress: string | null
  readonly gasUsed: bigint
  readonly gasLimit: bigint
  readonly blockNumber: bigint
  readonly status: 'success' | 'reverted'
  /** Why it reverted, where that is known. */
  readonly reason?: string | undefined
}

/** What contracts said through console.log in one execution. */
export interface ConsoleOutput {
  readonly kind: 'call' | 'estimate' | 'transaction'
  /** Of a transaction. */
  readonly hash?: string | undefined
  /** null for the creation of a contract. */
  readonly to: string | null
  /** A text for each call of the console; it may hold any character. */
  readonly lines: readonly string[]
}

/** An execution that failed. */
export interface FailedRun {
  readonly kind: 'call' | 'estimate' | 'transaction'
  /** Of a transaction. */
  readonly hash?: string | undefined
  /** null for the creation of a contract. */
  readonly to: string | null
  readonly reason: string
}

/** A block that no request asked for, in which contracts said something or transactions failed. */
export interface BlockLogEntry {
  readonly blockNumber: bigint
  /** Id of the isolated chain it is of; absent for the default one. */
  readonly world?: string | undefined
  readonly console: readonly ConsoleOutput[]
  /** Present when transactions failed. */
  readonly failed?: readonly FailedRun[] | undefined
}

/** One answered request. */
export interface RequestLogEntry {
  readonly method: string
  readonly params: unknown
  /** Id of the isolated chain it was made to; absent for the default one. */
  readonly world?: string | undefined
  readonly durationMs: number
  /** Present when the answer is an error. */
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown } | undefined
  /** Present when the request sent a transaction that was mined at once. */
  readonly transaction?: SentTransaction | undefined
  readonly result?: unknown
  /** Why an execution reverted that is no transaction; the message of the error may say less. */
  readonly reason?: string | undefined
  /** Present when contracts said something. */
  readonly console?: readonly ConsoleOutput[] | undefined
  /** Present when executions failed though the answer is no error. */
  readonly failed?: readonly FailedRun[] | undefined
}

/** What a caller wants to hear of. */
export interface NodeHooks {
  readonly onRequest?: ((entry: RequestLogEntry) => void) | undefined
  /** Told what contracts said in a block that no request asked for, and what failed in it. */
  readonly onBlock?: ((entry: BlockLogEntry) => void) | undefined
  /** Told in words what contracts said through console.log, one execution at a time. */
  readonly onConsole?: ((text: string) => void) | undefined
  /** Errors that are the program's fault; with the reference that the client was told, where a request failed. */
  readonly onFault?: ((error: unknown, reference?: string) => void) | undefined
}
