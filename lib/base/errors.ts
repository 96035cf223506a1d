/** The error class for errors that users cause, by kind. Codes and phrases per dialect are in rpc/error-codes.ts. */

/** All kinds of errors that users can cause. A new kind needs a code in every dialect. */
export const ERROR_KINDS = [
  'parseError',
  'invalidRequest',
  'methodNotFound',
  'needsSocket',
  'invalidParams',
  'internal',
  'serverError',
  'unexpectedError',
  'notMined',
  'unknownBlock',
  'stateDropped',
  'unknownFilter',
  'unknownSnapshot',
  'unknownSession',
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
  'callTimeout',
  'nodeClosed',
  'submissionRefused',
  'miningRefused',
  'blockNumberOrder',
  'blockTimeOrder',
  'remoteFailed',
  'coverageOff',
  'coverageFailed',
  'crossCheckFailed',
  'invalidOption',
  'invalidState',
  'addressInUse',
] as const

export type ErrorKind = (typeof ERROR_KINDS)[number]

/** Data of an error besides its message. */
export interface ErrorDetails {
  /** Bytes returned by a reverted execution, as hex. */
  readonly data?: string | undefined
  /** Hash of the failed transaction, if it was mined. */
  readonly txHash?: string
  /** The message in dialects that have another (config/phrases.ts). */
  readonly phrases?:
    | { readonly hardhat?: string | undefined; readonly node33?: string | undefined }
    | undefined
  /** Whether the params have the right form and break a rule, which has a code of its own in the dialect hardhat. */
  readonly isInput?: boolean
  /** The report of a cross-check that found a difference, as JSON. */
  readonly report?: object
  readonly cause?: unknown
}

/** An error that a user can cause and should read. */
export class NodeError extends Error {
  readonly kind: ErrorKind
  readonly details: ErrorDetails

  constructor(kind: ErrorKind, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.name = 'NodeError'
    this.kind = kind
    this.details = details
  }
}

/** An error of a request whose params do not fit. */
export const invalidParams = (message: string): NodeError => new NodeError('invalidParams', message)

/** Refuses an option or a command line. @throws NodeError 'invalidOption' */
export function refuseOption(problem: string, cause?: unknown): never {
  throw new NodeError('invalidOption', problem, { cause })
}
