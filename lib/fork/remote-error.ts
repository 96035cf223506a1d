/** The errors of a remote: the meaning of its JSON-RPC errors, and the sentences about them. */

import { NodeError } from '../base/errors.ts'
import { isJsonObject } from '../base/json-text.ts'
import type { TroubleCode } from '../base/troubles.ts'
import type { RemoteFault } from './transport.ts'

export const remoteFailed = (message: string, code?: TroubleCode): NodeError =>
  new NodeError('remoteFailed', message, { code })

export interface RemoteErrorObject {
  readonly code: number
  readonly message: string
  readonly data: unknown
}

/** What an error means for the caller, which may have another way to ask. */
export type RemoteErrorReason = 'methodNotFound' | 'stateMissing' | 'other'

/** A JSON-RPC error that the remote answered. */
export class RemoteError extends NodeError {
  readonly reason: RemoteErrorReason
  readonly remote: RemoteErrorObject
  readonly isTransient: boolean

  constructor(message: string, remote: RemoteErrorObject, isTransient = false) {
    const code = reasonOf(remote) === 'stateMissing' ? 'DN-ARCHIVE' : isTransient ? 'DN-RATE' : undefined
    super('remoteFailed', message, { data: bytesIn(remote.data), code })
    this.name = 'RemoteError'
    this.reason = reasonOf(remote)
    this.remote = remote
    this.isTransient = isTransient
  }
}

/** A request got no answer, or none in JSON-RPC: the remote is unavailable, or something else answers in its place. */
export class UnansweredError extends NodeError {
  readonly isTransient: boolean
  /** The remote asks to wait this many milliseconds. */
  readonly retryAfterMs: number | undefined

  constructor(
    message: string,
    fault: Partial<Pick<RemoteFault, 'isTransient' | 'isRateLimit' | 'retryAfterMs'>> = {},
  ) {
    super('remoteFailed', message, { code: fault.isRateLimit === true ? 'DN-RATE' : undefined })
    this.isTransient = fault.isTransient === true
    this.retryAfterMs = fault.retryAfterMs
  }
}

/** The remote has another chain than the fork, or has not reached the fork's block. */
export class OtherChainError extends NodeError {
  readonly isBehind: boolean

  constructor(message: string, isBehind = false) {
    super('remoteFailed', message, { code: 'DN-CHAIN' })
    this.isBehind = isBehind
  }
}

/** The error if none of several remotes could answer. It names all of them. */
export function errorOfAll(errors: readonly NodeError[]): NodeError {
  const [first] = errors
  if (first !== undefined && errors.length === 1) return first
  const message = `none of the remotes can be used: ${errors.map((error) => error.message).join('; ')}`
  // An unavailable remote may have the answer.
  if (errors.some((error) => error instanceof UnansweredError)) return new UnansweredError(message)
  const answered = errors.filter((error) => error instanceof RemoteError)
  const telling = answered.find(({ reason }) => reason !== 'methodNotFound') ?? answered[0]
  return telling === undefined ? remoteFailed(message) : new RemoteError(message, telling.remote)
}

export interface DescribedRequest {
  readonly url: string
  readonly method: string
  readonly params: readonly unknown[]
  readonly attempts: number
}

/** The error of a request that got no answer, or none in JSON-RPC. */
export function faultError({ url, method, attempts }: DescribedRequest, fault: RemoteFault): UnansweredError {
  const often = fault.isTransient && attempts > 1 ? ` (${attempts} attempts)` : ''
  const advice = fault.isRateLimit === true ? RATE_ADVICE : ''
  return new UnansweredError(`the remote ${url} ${fault.describe(method)}${often}${advice}`, fault)
}

/** The end of a sentence about a rate limit. */
const RATE_ADVICE = ', which --fork-rate <n> avoids'

export function answeredError(
  { url, method, params, attempts }: DescribedRequest,
  error: RemoteErrorObject,
  isTransient: boolean,
): RemoteError {
  const often = isTransient && attempts > 1 ? `, ${attempts} attempts` : ''
  const said = `${shortened(error.message)} (code ${error.code}${often})`
  if (reasonOf(error) !== 'stateMissing') {
    const text = `the remote ${url} answered ${method} with an error: ${said}${isTransient ? RATE_ADVICE : ''}`
    return new RemoteError(text, error, isTransient)
  }
  const advice = 'use an archive node or fork a newer block'
  const message = `the remote ${url} keeps no state of ${blockIn(params)}: ${advice}; ${method}: ${said}`
  return new RemoteError(message, error)
}

const MAX_MESSAGE = 300

const shortened = (text: string): string =>
  text.length > MAX_MESSAGE ? `${text.slice(0, MAX_MESSAGE)}...` : text

const bytesIn = (data: unknown): string | undefined =>
  typeof data === 'string' && /^0x([0-9a-f]{2})*$/i.test(data) ? data : undefined

/** JSON-RPC: the method does not exist. EIP-1474: the method is not supported. */
const METHOD_NOT_FOUND_CODES = [-32601, -32004]

/** Texts of geth, Hardhat, Alchemy and providers' proxies. */
const METHOD_NOT_FOUND =
  /method (\S+ )?(was |is )?(not found|not supported|not available|not whitelisted|not allowed|does not exist)|(unsupported|unknown) methods?\b|not whitelisted/i

/**
 * Texts about state that the remote has dropped: geth "missing trie node", "historical state ... is not available",
 * "required historical state unavailable", "header not found"; Erigon "old data not available due to pruning"; reth "state at
 * block #1 is pruned"; Nethermind "No state available for block", or MissingTrieNodeException in the data; OpenEthereum "node
 * is running with state pruning"; providers "Archive requests require a personal token".
 */
const STATE_MISSING =
  /missing ?trie ?node|header not found|\bprun(ed|ing)\b|historical (state|data)|no state available|state (\S+ )?(is )?(not available|not found|unavailable)|archive (node|request|state|data|access|mode|plan)/i

/** The meaning of an error. A revert is always 'other', even if the contract's text looks like another error. */
function reasonOf({ code, message, data }: RemoteErrorObject): RemoteErrorReason {
  if (/\brevert/i.test(message)) return 'other'
  const texts = typeof data === 'string' ? `${message} ${data}` : message
  if (STATE_MISSING.test(texts)) return 'stateMissing'
  const isUnknown = METHOD_NOT_FOUND_CODES.includes(code) || METHOD_NOT_FOUND.test(message)
  return isUnknown ? 'methodNotFound' : 'other'
}

/** Codes of executions that fail: geth, the reference node of network 33. */
const FAILED_EXECUTION = [3, -32015]

/** Whether the remote ran a call that failed, as opposed to a request that it could not handle. */
export const isFailedExecution = ({ reason, remote: { code, message } }: RemoteError): boolean =>
  reason === 'other' &&
  (FAILED_EXECUTION.includes(code) || /\brevert|vm (execution|exception)/i.test(message))

/** Codes of rate limits: EIP-1474 and Infura -32005, QuickNode -32007, Alchemy 429. */
const RATE_LIMIT_CODES = [-32005, -32007, 429]

const RATE_LIMITED =
  /rate.?limit|too many requests|(compute units|requests?) per (second|minute)|exceeded its .*capacity|throttl/i

/** The code of rate limits is also used for too many logs. Asking for those again does not help. */
const TOO_MUCH = /\bresults?\b|\branges?\b|\bsize\b|too large/i

/** Whether the remote refused because of too many requests. The same request may succeed later. */
export function isRateLimit({ code, message }: RemoteErrorObject): boolean {
  if (RATE_LIMITED.test(message)) return true
  return RATE_LIMIT_CODES.includes(code) && !TOO_MUCH.test(message)
}

/** Geth ends a batch at 25 MB or 30 seconds: the remaining requests get "response too large" or "request timed out". */
export function isBatchTooLong({ code, message }: RemoteErrorObject): boolean {
  return (
    (code === -32003 && /response too large/i.test(message)) ||
    (code === -32002 && /timed out/i.test(message))
  )
}

/**
 * Whether the answer to a batch refuses it for its size: geth "batch too large", Erigon "batch limit 100 exceeded", dRPC "Batch of more
 * than 3 requests are not allowed", others "batch limit exceeded".
 */
export const isBatchRefusal = (message: string): boolean =>
  /\bbatch/i.test(message) && !RATE_LIMITED.test(message) && !/\brevert/i.test(message)

/** The block whose state a request reads, which is its last param. */
function blockIn(params: readonly unknown[]): string {
  const last = params.at(-1)
  if (isJsonObject(last) && typeof last['blockHash'] === 'string') return `block ${last['blockHash']}`
  return typeof last === 'string' && /^0x[0-9a-f]{1,16}$/i.test(last) ? `block ${BigInt(last)}` : 'that block'
}
