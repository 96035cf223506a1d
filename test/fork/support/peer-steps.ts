/** Random calls and transactions on a node of another program and on a fork of it, and what both must answer alike. */

import { toHex, toQuantity } from '../../../lib/base/hex.ts'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { AnsweredError } from '../../support/fork-pair.ts'
import { requestOf } from './fork-steps.ts'
import type { ForkStep, StepKind } from './fork-steps.ts'
import type { Ask } from '../../support/peer-process.ts'
import { CONTRACTS as PROGRAMS, DELEGATING } from '../../support/random-programs.ts'
import type { RemoteWorld } from './remote-world.ts'

/** Accounts whose keys are known, so that both nodes get the same bytes. */
const ACCOUNTS = [0xa11ce, 0xb0b, 0xca401, 0xdade].map((key) =>
  privateKeyToAccount(`0x${key.toString(16).padStart(64, '0')}`),
)

/** Their addresses. */
export const SENDERS: readonly Hex[] = ACCOUNTS.map(({ address }) => address.toLowerCase() as Hex)

/** Their balance at first, and the one below which it is renewed. */
export const BALANCE = toQuantity(10n ** 22n)
const MIN_BALANCE = 10n ** 18n

/** A remote of another program, a fork of it, and what they contain. */
export interface PeerPair {
  readonly remote: Ask
  readonly fork: Ask
  readonly world: RemoteWorld
  /** Kinds of requests that the remote does not have, or answers in another way; they are calls instead. */
  readonly lacks: readonly StepKind[]
  /** Whether the remote has the tracers of geth. */
  readonly hasTracers: boolean
}

/** What both answered. */
export interface Compared {
  readonly expected: unknown
  readonly answered: unknown
}

const GAS = toQuantity(2_000_000)
const GAS_PRICE = 3_000_000_000n

/** Runs a step on both nodes. */
export async function runOnBoth(pair: PeerPair, step: ForkStep): Promise<Compared> {
  const { remote, fork, world, lacks } = pair
  const request = { gas: GAS, gasPrice: toQuantity(GAS_PRICE), ...requestOf(world, step) }
  // The code to which a sender delegates may have sent all of its balance away.
  if (BigInt(await remote('eth_getBalance', [request.from, 'latest'])) < MIN_BALANCE)
    for (const ask of [remote, fork]) await ask('hardhat_setBalance', [request.from, BALANCE])
  const both = async (run: (ask: Ask) => Promise<unknown>): Promise<Compared> => {
    return { expected: await run(remote), answered: await run(fork) }
  }
  switch (lacks.includes(step.kind) ? 'call' : step.kind) {
    case 'call':
      return both((ask) => outcomeOf(ask('eth_call', [request, 'latest'])))
    case 'estimate':
      return compareEstimates(pair, request)
    case 'accessList':
      return compareAccessLists(pair, request)
    case 'traceCall':
      return traceOnBoth(pair, { method: 'debug_traceCall', params: [request, 'latest'] })
    case 'send':
      return sendToBoth(pair, step)
  }
}

/**
 * Nodes search for the limit in different ways: the one of the fork must be enough on the remote. If only one finds a limit, because
 * the code looks at its gas, a call with that limit must end in the same way on both.
 */
async function compareEstimates({ remote, fork }: PeerPair, request: object): Promise<Compared> {
  const unlimited = { ...request, gas: undefined }
  const expected = await outcomeOf(remote('eth_estimateGas', [unlimited, 'latest']))
  const answered = await outcomeOf(fork('eth_estimateGas', [unlimited, 'latest']))
  const limits = [answered, expected].filter((outcome) => typeof outcome === 'string')
  if (limits.length === 0) return { expected, answered }
  if (limits.length === 1) {
    const params = [{ ...request, gas: limits[0] }, 'latest']
    const outcomes = [remote, fork].map((ask) => outcomeOf(ask('eth_call', params)))
    return { expected: await outcomes[0], answered: await outcomes[1] }
  }
  const call = await outcomeOf(remote('eth_call', [{ ...request, gas: answered }, 'latest']))
  return { expected: 'enough', answered: typeof call === 'string' ? 'enough' : call }
}

/** Mines a transaction on the remote, then on the fork in a block of the same time and randomness. */
async function sendToBoth(pair: PeerPair, step: ForkStep): Promise<Compared> {
  const { remote, fork, world, hasTracers } = pair
  const { timestamp } = await remote('eth_getBlockByNumber', ['latest', false])
  const raw = await signed(remote, world, step)
  const mine = async (ask: Ask): Promise<string> => {
    await ask('evm_setNextBlockTimestamp', [Number(timestamp) + step.gap])
    const hash = await ask('eth_sendRawTransaction', [raw])
    await ask('evm_mine', [])
    return hash
  }
  const hash = await mine(remote)
  const { mixHash } = await remote('eth_getBlockByNumber', ['latest', false])
  await fork('hardhat_setPrevRandao', [mixHash])
  await mine(fork)
  const difference = await fork('debug_traceTransaction', [hash, CHANGES])
  const touched = slotsIn([difference.pre, difference.post])
  const observe = async (ask: Ask): Promise<unknown> => ({
    block: headerOf(await ask('eth_getBlockByNumber', ['latest', false])),
    receipt: receiptOf(await ask('eth_getTransactionReceipt', [hash])),
    state: await stateOf(ask, touched),
  })
  const [theirs, ours] = [await observe(remote), await observe(fork)]
  if (!hasTracers) return { expected: theirs, answered: ours }
  const traces = await traceOnBoth(pair, { method: 'debug_traceTransaction', params: [hash] })
  return { expected: [theirs, traces.expected], answered: [ours, traces.answered] }
}

/** The transaction of a step, of any type. */
async function signed(ask: Ask, world: RemoteWorld, step: ForkStep): Promise<Hex> {
  const { from, to, data, value } = requestOf(world, step) as { from: Hex; to?: Hex; data?: Hex; value: Hex }
  const account = ACCOUNTS[SENDERS.indexOf(from)]!
  const chainId = Number(await ask('eth_chainId'))
  const nonceOf = async (address: Hex) => Number(await ask('eth_getTransactionCount', [address, 'latest']))
  const nonce = await nonceOf(from)
  const common = { chainId, nonce, gas: BigInt(GAS), to, data, value: BigInt(value) }
  const fees = { maxFeePerGas: GAS_PRICE, maxPriorityFeePerGas: 1_000_000_000n }
  const [one = 0, two = 0] = step.choices.slice(-2)
  const program = PROGRAMS[two % PROGRAMS.length]!
  switch (one % 5) {
    case 0:
      return account.signTransaction({ ...common, ...fees, type: 'eip1559' })
    case 1: {
      const storageKeys = [0, 1, two % 9].map((slot) => toHex(slotBytes(slot)))
      const accessList = [{ address: program, storageKeys }]
      return account.signTransaction({ ...common, gasPrice: GAS_PRICE, type: 'eip2930', accessList })
    }
    case 2: {
      if (to === undefined) break
      const authority = ACCOUNTS[two % ACCOUNTS.length]!
      const own = await nonceOf(authority.address)
      const contractAddress = two % 4 === 0 ? world.contracts['GameToken']!.address : program
      const authorization = { chainId, contractAddress, nonce: authority === account ? own + 1 : own }
      const authorizationList = [await authority.signAuthorization(authorization)]
      return account.signTransaction({ ...common, ...fees, to, type: 'eip7702', authorizationList })
    }
  }
  return account.signTransaction({ ...common, gasPrice: GAS_PRICE, type: 'legacy' })
}

const slotBytes = (slot: number): Uint8Array =>
  Uint8Array.from({ length: 32 }, (_, at) => (at === 31 ? slot : 0))

/** Everything in a header but the hashes that depend on the state root. */
function headerOf(block: any): unknown {
  const names = [
    'number',
    'timestamp',
    'miner',
    'gasLimit',
    'gasUsed',
    'baseFeePerGas',
    'mixHash',
    'logsBloom',
  ]
  const roots = [
    'receiptsRoot',
    'transactionsRoot',
    'withdrawalsRoot',
    'requestsHash',
    'blobGasUsed',
    'excessBlobGas',
  ]
  return Object.fromEntries([...names, ...roots, 'transactions'].map((name) => [name, block[name]]))
}

/** The members of a receipt that all programs have, without hashes of blocks. */
function receiptOf(receipt: any): unknown {
  const names = ['status', 'type', 'from', 'to', 'contractAddress', 'gasUsed', 'cumulativeGasUsed']
  const more = ['effectiveGasPrice', 'logsBloom', 'transactionHash', 'transactionIndex', 'blockNumber']
  const logs = receipt.logs.map(({ address, topics, data, logIndex, transactionHash }: any) => {
    return { address, topics, data, logIndex: Number(logIndex), transactionHash }
  })
  return { ...Object.fromEntries([...names, ...more].map((name) => [name, receipt[name] ?? null])), logs }
}

/** Slots by account. */
type Slots = ReadonlyMap<string, ReadonlySet<string>>

function slotsIn(states: readonly Readonly<Record<string, any>>[]): Slots {
  const slots = new Map<string, Set<string>>()
  for (const state of states)
    for (const [address, { storage = {} }] of Object.entries(state))
      slots.set(address, new Set([...(slots.get(address) ?? []), ...Object.keys(storage)]))
  return slots
}

/** Values of accounts and slots after the newest block. */
async function stateOf(ask: Ask, slots: Slots): Promise<unknown> {
  const questions = [...slots].flatMap(([address, keys]) => [
    ['eth_getBalance', [address]] as const,
    ['eth_getTransactionCount', [address]] as const,
    ['eth_getCode', [address]] as const,
    ...[...keys].map((key) => ['eth_getStorageAt', [address, key]] as const),
  ])
  return Promise.all(
    questions.map(async ([method, params]) => [method, ...params, await ask(method, [...params, 'latest'])]),
  )
}

/** The request of a trace, but for the tracer. */
interface TraceRequest {
  readonly method: 'debug_traceCall' | 'debug_traceTransaction'
  readonly params: readonly unknown[]
}

const CHANGES = { tracer: 'prestateTracer', tracerConfig: { diffMode: true } }

async function traceOnBoth({ remote, fork }: PeerPair, request: TraceRequest): Promise<Compared> {
  const [theirs, ours] = [await tracesOf(remote, request), await tracesOf(fork, request)]
  // revm lists what an instruction without enough gas would have read, geth does not (OnOpcode in prestate.go).
  const prestate = hasFailure(ours.frame) ? shared(theirs.prestate, ours.prestate) : theirs.prestate
  const frame = withSelfDestructs(theirs.frame, ours.frame)
  return { expected: { ...theirs, frame, prestate }, answered: ours }
}

async function tracesOf(ask: Ask, { method, params }: TraceRequest) {
  const trace = (tracer: object): Promise<any> => ask(method, [...params, tracer])
  return {
    frame: frameOf(await trace({ tracer: 'callTracer', tracerConfig: { withLog: true } }), true),
    prestate: withoutEmpty(await trace({ tracer: 'prestateTracer', tracerConfig: { includeEmpty: true } })),
    // Calls of this node pay no fees, so they change other balances than those of geth and Anvil.
    changes: method === 'debug_traceCall' ? undefined : await trace(CHANGES),
  }
}

const hasFailure = ({ fails, calls }: any): boolean => fails || calls.some(hasFailure)

/** revm mistakes the addresses and the value of a SELFDESTRUCT whose beneficiary is the account itself. */
function withSelfDestructs(theirs: any, ours: any): any {
  const isToItself = ours?.type === 'SELFDESTRUCT' && ours.from === ours.to
  if (isToItself && theirs.type === 'SELFDESTRUCT') return ours
  const calls = theirs.calls.map((inner: any, index: number) =>
    withSelfDestructs(inner, ours?.calls?.[index]),
  )
  return { ...theirs, calls }
}

/** The accounts and slots of one state that the other has too. */
function shared(state: any, other: any): object {
  return Object.fromEntries(
    Object.entries<any>(state)
      .filter(([address]) => address in other)
      .map(([address, { storage = {}, ...account }]) => {
        const known = Object.entries(storage).filter(([slot]) => slot in (other[address].storage ?? {}))
        return [
          address,
          { ...account, ...(known.length === 0 ? {} : { storage: Object.fromEntries(known) }) },
        ]
      }),
  )
}

/** geth shows the account of a refused creation (CREATE in prestate.go), revm does not. */
function withoutEmpty(prestate: Readonly<Record<string, object>>): object {
  const isEmpty = (account: object) => JSON.stringify(account) === '{"balance":"0x0"}'
  return Object.fromEntries(Object.entries(prestate).filter(([, account]) => !isEmpty(account)))
}

/** A frame without what revm words otherwise: the gas of the root, names of exceptions, events of failed frames. */
function frameOf(frame: any, isRoot = false, isFailed = false): any {
  const { gas, error, logs = [], calls = [], ...rest } = frame
  const fails = isFailed || error !== undefined
  return {
    ...rest,
    gas: isRoot ? undefined : gas,
    fails,
    // revm counts the events of failed frames too; receipts have the true numbers.
    logs: fails ? [] : logs.map(({ index: _index, ...log }: any) => log),
    calls: calls.map((inner: any) => frameOf(inner, false, fails)),
  }
}

/** geth and Anvil do not list the accounts to which accounts delegate, although they are accessed (EIP-7702). */
async function compareAccessLists({ remote, fork, world }: PeerPair, request: object): Promise<Compared> {
  const answers = await Promise.all(
    [remote, fork].map((ask) => outcomeOf(ask('eth_createAccessList', [request, 'latest']))),
  )
  const [expected, answered] = answers.map(accessListOf)
  if (expected === 'fails' || answered === 'fails') return { expected, answered }
  // Anvil lists what an instruction without enough gas would have read too.
  const { frame } = await tracesOf(fork, { method: 'debug_traceCall', params: [request, 'latest'] })
  if (hasFailure(frame)) return { expected: 'a list', answered: 'a list' }
  const codes = await Promise.all([...world.senders, DELEGATING].map((each) => fork('eth_getCode', [each])))
  const delegates = codes.filter((code) => code.startsWith('0xef0100')).map((code) => `0x${code.slice(8)}`)
  const isOnlyOurs = ({ address, storageKeys }: any): boolean =>
    storageKeys.length === 0 &&
    delegates.includes(address) &&
    !expected.accessList.some((item: any) => item.address === address)
  if (!answered.accessList.some(isOnlyOurs)) return { expected, answered }
  const accessList = answered.accessList.filter((item: any) => !isOnlyOurs(item))
  return { expected: expected.accessList, answered: accessList }
}

/** Of a call that fails geth answers the list with the error, Anvil the error alone. */
function accessListOf(outcome: any): any {
  if ('refused' in outcome || outcome.error !== undefined) return 'fails'
  const sorted = outcome.accessList
    .map(({ address, storageKeys }: any) => ({ address, storageKeys: storageKeys.toSorted() }))
    .toSorted((one: any, other: any) => (one.address < other.address ? -1 : 1))
  return { ...outcome, accessList: sorted }
}

/** The result of a request; of an error the data of the revert. Hardhat words some exceptions as reverts without data. */
async function outcomeOf(request: Promise<unknown>): Promise<any> {
  try {
    return await request
  } catch (error) {
    if (!(error instanceof AnsweredError)) throw error
    const { data } = error.error
    const reverted = typeof data === 'object' && data !== null && 'data' in data ? data.data : data
    return { refused: reverted ?? '0x' }
  }
}
