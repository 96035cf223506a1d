/** What the server tells about an answered request, and the command prints. */

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
}
