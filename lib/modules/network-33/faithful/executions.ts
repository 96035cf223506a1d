/** Calls, estimates and sends as the reference node answers them (node-rpc 5.6 to 5.8). */

import { NodeError } from '../../../base/errors.ts'
import { toQuantity } from '../../../base/hex.ts'
import { decodeRlp } from '../../../base/rlp.ts'
import { converted, recovered } from '../../../base/routine.ts'
import { minesAtOnce } from '../../../config/mining-mode.ts'
import type { FaithfulChain } from './scope.ts'
import { blockRef, transactionRequest } from '../../../schema/requests.ts'
import { data, hash } from '../../../schema/wire.ts'
import { failureOf } from '../../../rpc/failed-executions.ts'
import { answering, hasKind, type FaithfulCall } from './results.ts'
import { refused, serverError } from './values.ts'
import type { Observer, Step } from '../../../evm/observer.ts'

/** Whether the receiver in a call object has code. */
function callsCode(call: unknown, { chain }: FaithfulChain): boolean {
  const { to } = transactionRequest.parse(call)
  return to !== undefined && chain.head.state.code(to).length > 0
}

/** Why a call cannot begin: its gas, its block, or invalid state overrides. */
const UNSTARTED = ['intrinsicGasTooLow', 'unknownBlock', 'invalidParams'] as const

/** The answer to such a call. */
function unstarted(
  error: NodeError,
  { params: [call] }: FaithfulCall,
  node: FaithfulChain,
  answer: string,
): unknown {
  if (error.kind === 'unknownBlock') return unknownBlock(error)
  return error.kind === 'intrinsicGasTooLow' && callsCode(call, node) ? answer : serverError()
}

/** The number of a missing block, as calls and estimates name it. */
function unknownBlock({ message }: NodeError): NodeError {
  const number = /0x[0-9a-f]+/.exec(message)?.[0] ?? '0x0'
  return refused(`Invalid block number ${BigInt(number)}`)
}

/** A failure without a revert has the result of a call without return data. */
export const call = answering(['executionFailed', ...UNSTARTED], (error, given, node) =>
  error.kind === 'executionFailed' ? '0x' : unstarted(error, given, node, '0x'),
)

/** Maximum gas of an estimate. */
const ESTIMATE_CAP = 6_800_000n

/** Gas that a call with value gives to the called account. */
const STIPEND = 2300n

/** One execution with the maximum gas, without a search (node-rpc 5.7). */
function* estimated({ params }: FaithfulCall, node: FaithfulChain) {
  const request = transactionRequest.parse(params[0])
  if (request.to === undefined && (request.data?.length ?? 0) === 0) return '0x0'
  const { simulator, blockResolver, startCallTimer } = node
  const resolved = simulator.hold(blockResolver.at(blockRef.parse(params[1] ?? 'latest')))
  const gas = request.gas !== undefined && request.gas < ESTIMATE_CAP ? request.gas : ESTIMATE_CAP
  const peak = new GasPeak(gas)
  const observer = peak.beside(startCallTimer())
  const outcome = yield* simulator.call(resolved, { ...request, gas }, {}, observer)
  if (outcome.status === 'reverted') throw failureOf(outcome)
  if (outcome.status === 'failed')
    return toQuantity(peak.hasFault || peak.highest === 0n ? outcome.gasUsed : peak.highest)
  const { gasNeeded } = outcome
  const used = peak.forwardsAll || peak.highest < gasNeeded ? gasNeeded : peak.highest
  const needed = peak.paysValue ? used + STIPEND : used
  return toQuantity(needed < ESTIMATE_CAP ? needed : ESTIMATE_CAP)
}

export const estimate = answering(
  UNSTARTED,
  (error, given, node) => unstarted(error, given, node, '0x0'),
  estimated,
)

/** Why bytes are not a transaction: null if the reference fails on them (node-rpc 5.8). */
function encodingFault(encoded: unknown): string | null {
  const bytes = data.parse(encoded)
  if (bytes.length === 0 || (bytes[0] ?? 0) < LIST) return null
  try {
    const items: unknown = decodeRlp(bytes)
    const isLegacy = Array.isArray(items) && items.length === LEGACY_ITEMS
    return isLegacy && isEmpty(items[GAS_ITEM]) ? 'Missing parameter, gasPrice, gas or value' : null
  } catch {
    return `Invalid input: The RLP byte array doesn't have enough space to hold an element with the specified length`
  }
}

const isEmpty = (item: unknown): boolean => item instanceof Uint8Array && item.length === 0

/** The first byte of a list in RLP. */
const LIST = 0xc0

/** Items of a legacy transaction, and the position of the gas limit. */
const LEGACY_ITEMS = 9
const GAS_ITEM = 2

/** With some exceptions, a transaction that cannot be decoded is an error of the node. */
export const sendRaw = answering(
  ['unsupportedTransaction', 'invalidTransaction'],
  (_, { params: [encoded] }) => {
    const fault = encodingFault(encoded)
    return fault === null ? serverError() : refused(fault)
  },
  sendMined,
)

/** A sender without an unlocked key is an error with its own text (node-rpc 5.8). */
export const send = answering(
  ['unknownAccount', 'lockedAccount'],
  (_, { params: [sent] }) =>
    refused(`Could not find account for address: ${transactionRequest.parse(sent).from}`),
  sendMined,
)

const notMined = (): NodeError =>
  new NodeError('notMined', "Unknown error when sending transaction: transaction wasn't mined")

/** With instant mining, a transaction that must wait or whose price its block refuses is an error, although it is pooled. */
function sendMined({ run }: FaithfulCall, { chain, miner }: FaithfulChain): unknown {
  const { head } = chain
  const sent = recovered(run, (error) => {
    throw chain.head !== head && hasKind(error, ['feeTooLow', 'feeTooHigh']) ? notMined() : error
  })
  return converted(sent, (id) => {
    if (!minesAtOnce(miner.mode) || chain.ownReceipt(hash.parse(id)) !== undefined) return id
    return miner.mineMany(1n).then(() => {
      throw notMined()
    })
  })
}

const CALLS = new Set(['CALL', 'CALLCODE', 'DELEGATECALL', 'STATICCALL'])

/** Position of the value in the stack of a call. */
const VALUE = 2

/** Observes the maximum gas spent at any time during an execution, including gas forwarded by its frames. */
export class GasPeak {
  highest = 0n
  paysValue = false
  forwardsAll = false
  /** Whether an instruction failed. A creation can also fail after its last one. */
  hasFault = false
  readonly #limit: bigint

  constructor(limit: bigint) {
    this.#limit = limit
  }

  beside<Other extends Observer>(other: Other) {
    return { ...other, onOpcode: this.#onOpcode, onFault: this.#onFault }
  }

  readonly #onFault = (): void => {
    this.hasFault = true
  }

  readonly #onOpcode = (step: Step): undefined => {
    const { name = '', gasLeft, cost, depth } = step
    if (CALLS.has(name) && cost >= gasLeft) this.forwardsAll = true
    if (name === 'CALL' && step.word(VALUE) > 0n) this.paysValue = true
    if (depth > 0) return
    const spent = name.startsWith('CREATE') ? this.#limit : this.#limit - gasLeft + cost
    if (spent > this.highest) this.highest = spent
  }
}
