/** The one error a user can cause, identified by its kind. Codes and phrases per dialect are in rpc/error-codes.ts. */

/** Everything that can go wrong through a user's doing. Closed: a new kind must be given a code in every dialect. */
export const ERROR_KINDS = [
  'parseError',
  'invalidRequest',
  'methodNotFound',
  'needsSocket',
  'invalidParams',
  'internal',
  'unknownBlock',
  'unknownFilter',
  'unknownSnapshot',
  'unknownSlot',
  'limitExceeded',
  'unknownAccount',
  'lockedAccount',
  'wrongPassphrase',
  'walletDisabled',
  'unsupportedTransaction',
  'invalidTransaction',
  'wrongChainId',
  'alreadyKnown',
  'receiptTimeout',
  'nonceTooLow',
  'nonceTooHigh',
  'insufficientFunds',
  'gasLimitTooHigh',
  'intrinsicGasTooLow',
  'feeTooLow',
  'feeTooHigh',
  'underpriced',
  'initCodeTooLarge',
  'senderNotExternal',
  'transactionRejected',
  'reverted',
  'executionFailed',
  'estimationFailed',
  'submissionRefused',
  'miningRefused',
  'blockNumberOrder',
  'blockTimeOrder',
  'invalidOption',
  'invalidState',
  'addressInUse',
] as const

/** Identity of an error. */
export type ErrorKind = (typeof ERROR_KINDS)[number]

/** What travels with an error beside its message. */
export interface ErrorDetails {
  /** Bytes returned by a reverted execution, as hex. */
  readonly data?: string
  /** Hash of the transaction that was mined although it failed. */
  readonly txHash?: string
  /** What the dialect of network 33 says instead of the message. */
  readonly node33Phrase?: string
  readonly cause?: unknown
}

/** An error a user can cause and should read. */
export class NodeError extends Error {
  readonly kind: ErrorKind
  readonly data: string | undefined
  readonly txHash: string | undefined
  readonly node33Phrase: string | undefined
  readonly #details: ErrorDetails

  constructor(kind: ErrorKind, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.name = 'NodeError'
    this.kind = kind
    this.data = details.data
    this.txHash = details.txHash
    this.node33Phrase = details.node33Phrase
    this.#details = details
  }

  /** The same error in other words; this one is its cause. */
  reworded(reword: (text: string) => string): NodeError {
    const { node33Phrase, ...details } = this.#details
    return new NodeError(this.kind, reword(this.message), {
      ...details,
      ...(node33Phrase === undefined ? {} : { node33Phrase: reword(node33Phrase) }),
      cause: this,
    })
  }
}
