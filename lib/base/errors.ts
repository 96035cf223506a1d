/** The error class for errors that users cause, by kind. Codes and phrases per dialect are in rpc/error-codes.ts. */

import type { TroubleCode } from './troubles.ts'

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

/** Kinds whose errors need no code of their own. */
export type CommonKind = Exclude<ErrorKind, 'invalidOption'>

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
  /** What went wrong, if it is not what the kind says (`OF_KIND`). */
  readonly code?: TroubleCode | undefined
}

/** An error that a user can cause and should read. */
export class NodeError extends Error {
  readonly kind: ErrorKind
  readonly details: ErrorDetails

  constructor(kind: CommonKind, message: string, details?: ErrorDetails)
  constructor(
    kind: ErrorKind,
    message: string,
    details: ErrorDetails & { readonly code: TroubleCode | undefined },
  )
  constructor(kind: ErrorKind, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.name = 'NodeError'
    this.kind = kind
    this.details = details
  }
}

/** An error of a request whose params do not fit. */
export const invalidParams = (message: string): NodeError => new NodeError('invalidParams', message)

/** An error that ends a start or a command. */
export const trouble = (code: TroubleCode, message: string, cause?: unknown): NodeError =>
  new NodeError('invalidOption', message, { code, cause })

/** Refuses an option or a command line. @throws NodeError 'invalidOption' */
export function refuseOption(code: TroubleCode, problem: string, cause?: unknown): never {
  throw trouble(code, problem, cause)
}

/** Refuses what a debugger or an agent asks for. @throws NodeError 'invalidOption' */
export function refuseRequest(problem: string, cause?: unknown): never {
  throw trouble('DN-ANSWER', problem, cause)
}

/** The codes of kinds; a kind without one is not expected to end a start or a run. */
const OF_KIND: Readonly<Partial<Record<ErrorKind, TroubleCode>>> = {
  invalidState: 'DN-STATE',
  addressInUse: 'DN-PORT',
  remoteFailed: 'DN-REMOTE',
  coverageOff: 'DN-COVERAGE',
  coverageFailed: 'DN-COVERAGE',
  crossCheckFailed: 'DN-CHECK',
}

/** The code of any error that ends a start or a run. */
export const troubleOf = (error: unknown): TroubleCode =>
  (error instanceof NodeError && (error.details.code ?? OF_KIND[error.kind])) || 'DN-FAULT'

/** The end of a message that leaves the product, except in JSON-RPC answers, whose texts clients match. */
export const seeHelp = (code: TroubleCode): string => ` (see: npx dev-node help ${code})`

/** Waits for a start by a program. Its error gets the code as a member, and its message tells of the help. */
export async function helped<Result>(start: Promise<Result>): Promise<Result> {
  return start.catch((error: unknown) => {
    throw withHelp(error)
  })
}

export function withHelp(error: unknown): unknown {
  const code = troubleOf(error)
  if (!(error instanceof NodeError) || error.message.endsWith(seeHelp(code))) return error
  const message = `${error.message}${seeHelp(code)}`
  const stack = error.stack?.replace(error.message, () => message)
  return Object.assign(error, { code, message, stack })
}
