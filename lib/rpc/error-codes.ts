/** The error objects of responses: each error kind's code and phrase in every dialect. The rest of the node knows only kinds. */

import { NodeError, type ErrorKind } from '../base/errors.ts'
import { placeTexts } from '../config/request-log.ts'
import type { Dialect } from '../config/dialect.ts'
import { panicText, revertReason, statedReason, type CustomErrorNames } from '../abi/revert-reason.ts'
import type { FailureKind } from '../insight/explain/reason.ts'
import type { ExplainedFailure } from '../insight/explain/solidity-stack.ts'
import type { WireError } from '../schema/report-results.ts'

/** Details of a failed execution in its error object. */
export interface FailureDetails {
  readonly nameOf?: CustomErrorNames | undefined
  readonly failure?: ExplainedFailure | undefined
  /** The command that explains the failure, for clients of a node with a port. */
  readonly command?: string | undefined
}

const everywhere = (code: number) => ({ node33: code, hardhat: code, ethereum: code })

/** The mempool refuses a transaction: -32010 on network 33 (node-rpc 6), the server error elsewhere. */
const REFUSED = { node33: -32010, hardhat: -32000, ethereum: -32000 }

/** The transaction itself is invalid: Hardhat's InvalidArgumentsError. */
const MALFORMED = { node33: -32602, hardhat: -32602, ethereum: -32000 }

/** The account or the passphrase is invalid: -32602 on network 33 (node-rpc 5.8), the server error elsewhere. */
const INVALID = { node33: -32602, hardhat: -32000, ethereum: -32000 }

/** The kinds that are not a server error in every dialect. */
const OWN_CODES: Readonly<Partial<Record<ErrorKind, Readonly<Record<Dialect, number>>>>> = {
  parseError: everywhere(-32700),
  invalidRequest: everywhere(-32600),
  methodNotFound: everywhere(-32601),
  // geth, rpc/errors.go: notifications are not supported.
  needsSocket: everywhere(-32601),
  invalidParams: everywhere(-32602),
  internal: everywhere(-32603),
  // These three occur with --faithful only (node-rpc 2.5).
  serverError: everywhere(-32603),
  unexpectedError: everywhere(-32099),
  notMined: everywhere(-32009),
  unknownBlock: { node33: -32600, hardhat: -32000, ethereum: -32000 },
  limitExceeded: { node33: -32012, hardhat: -32005, ethereum: -32005 },
  unknownAccount: INVALID,
  lockedAccount: INVALID,
  wrongPassphrase: INVALID,
  // node-rpc 2.5; "method not supported" of EIP-1474.
  walletDisabled: { node33: -32604, hardhat: -32004, ethereum: -32004 },
  unsupportedTransaction: MALFORMED,
  invalidTransaction: MALFORMED,
  wrongChainId: MALFORMED,
  alreadyKnown: REFUSED,
  // The transaction is pooled but was not mined in time (EIP-7966).
  receiptTimeout: everywhere(4),
  nonceTooLow: REFUSED,
  nonceTooHigh: REFUSED,
  insufficientFunds: REFUSED,
  gasLimitTooHigh: REFUSED,
  intrinsicGasTooLow: REFUSED,
  feeTooLow: REFUSED,
  feeTooHigh: REFUSED,
  underpriced: REFUSED,
  initCodeTooLarge: { ...REFUSED, hardhat: -32602 },
  senderNotExternal: REFUSED,
  transactionRejected: REFUSED,
  // EIP-1474 has no code for a revert; geth uses 3.
  reverted: { node33: -32015, hardhat: 3, ethereum: 3 },
  // Hardhat treats an exception as a revert, and viem follows it; geth does not.
  executionFailed: { node33: -32015, hardhat: 3, ethereum: -32000 },
  // A miner's block (node-chain 1.2).
  submissionRefused: everywhere(-33000),
  // eth_simulateV1 (execution-apis, "simulate").
  blockNumberOrder: everywhere(-38020),
  blockTimeOrder: everywhere(-38021),
  invalidState: everywhere(-32602),
  // These two stop the node from starting, so no request gets them.
  invalidOption: everywhere(-32603),
  addressInUse: everywhere(-32603),
}

const SERVER_ERROR = everywhere(-32000)

export const codesOf = (kind: ErrorKind): Readonly<Record<Dialect, number>> => OWN_CODES[kind] ?? SERVER_ERROR

export function toWireError(error: unknown, dialect: Dialect, known: FailureDetails = {}): WireError {
  if (!(error instanceof NodeError)) return { code: codesOf('internal')[dialect], message: 'Internal error' }
  const solidityStack = knownStack(known.failure)
  const { data, isInput, report, txHash } = error.details
  return {
    code: codesOf(dialect === 'hardhat' && isInput ? 'transactionRejected' : error.kind)[dialect],
    message: withHint(phrase(error, dialect, known), dialect === 'ethereum' ? solidityStack : [], known),
    ...(data !== undefined && { data }),
    ...(txHash !== undefined && { txHash }),
    ...(solidityStack && { solidityStack, ...(known.command && { explain: known.command }) }),
    ...(report && { crossCheck: report }),
    ...(error.kind === 'reverted' && dialect === 'node33' && { cause: ethereumRevert(error) }),
  }
}

/** Adds the place of the failure and the command that explains it after the reason, where geth's clients show it. */
function withHint(
  message: string,
  stack: ExplainedFailure['stack'] = [],
  { command }: FailureDetails,
): string {
  const place = stack.find(({ file }) => file !== undefined)
  if (command === undefined || place === undefined) return message
  const { who, where } = placeTexts(place)
  return `${message}${message === 'execution reverted' ? ':' : ','} at ${who} (${where}); ${command}`
}

/**
 * A revert as geth returns it, for Ethereum clients that use the dialect node33: ethers 5 searches every member of an
 * error for a message with "reverted" and hex data (@ethersproject/providers, json-rpc-provider.ts, spelunk).
 */
const ethereumRevert = ({ details: { data = '0x' } }: NodeError): NonNullable<WireError['cause']> => ({
  code: codesOf('reverted').ethereum,
  message: ethereumPhrase(data),
  data,
})

function phrase(error: NodeError, dialect: Dialect, { nameOf, failure }: FailureDetails): string {
  const inferred = error.details.phrases?.hardhat ?? (failure && hardhatText(failure))
  if (dialect === 'hardhat' && inferred !== undefined) return inferred
  if (error.kind === 'reverted') return REVERT_PHRASES[dialect](error.details.data ?? '0x', nameOf)
  if (error.kind === 'executionFailed' && dialect !== 'ethereum') {
    return `VM Exception while processing transaction: ${error.message}`
  }
  return dialect === 'node33' ? (error.details.phrases?.node33 ?? error.message) : error.message
}

/** The text for a reverted execution in each dialect; client libraries match these texts. */
const REVERT_PHRASES: Readonly<Record<Dialect, (data: string, nameOf?: CustomErrorNames) => string>> = {
  node33: (data) => `VM Exception while processing transaction: ${node33Reason(data)}`,
  hardhat: hardhatReason,
  ethereum: (data, nameOf) => ethereumPhrase(data, nameOf?.(data)),
}

/** node-rpc 5.6. */
function node33Reason(data: string): string {
  const reason = revertReason(data)
  return reason.kind === 'text' ? `revert ${reason.text}` : 'transaction reverted'
}

function hardhatReason(data: string, nameOf?: CustomErrorNames): string {
  const stated = statedReason(data, nameOf && ((bytes) => nameOf(bytes, true)))
  if (stated === undefined) return 'Transaction reverted without a reason string'
  return `VM Exception while processing transaction: ${stated.message}`
}

function ethereumPhrase(data: string, customError?: string): string {
  const reason = revertReason(data)
  if (reason.kind === 'text') return `execution reverted: ${reason.text}`
  if (reason.kind === 'panic') return `execution reverted: ${panicText(reason.code)}`
  return customError === undefined ? 'execution reverted' : `execution reverted: custom error ${customError}`
}

/** The stack of a failure; undefined if it has no source. */
export const knownStack = (failure: ExplainedFailure | undefined): ExplainedFailure['stack'] | undefined =>
  failure?.stack.some(({ file }) => file !== undefined) === true ? failure.stack : undefined

/** Reasons with Hardhat's own words, except for figures in brackets at the end. */
const SAME_AS_HARDHAT: ReadonlySet<FailureKind> = new Set([
  'function not found',
  'not payable',
  'invalid call data',
  'library called directly',
  'no code',
  'call failed',
  'unexpected return data',
  'code too large',
])

/** Hardhat's words for other reasons. */
const OF_HARDHAT: Partial<Record<FailureKind, string>> = {
  'no result': 'Transaction reverted: function returned an unexpected amount of data',
  'out of gas': 'Transaction reverted: contract call run out of gas and made the transaction revert',
  'invalid instruction': 'VM Exception while processing transaction: invalid opcode',
}

/** Hardhat 2's text for an inferred reason, if it has one (internal/hardhat-network/stack-traces/solidity-errors.ts). */
function hardhatText({ reason: { kind, message } }: ExplainedFailure): string | undefined {
  return SAME_AS_HARDHAT.has(kind)
    ? `Transaction reverted: ${message.replace(/ \(.*$/, '')}`
    : OF_HARDHAT[kind]
}
