/** Params for every method that writes: valid most of the time, and such that the calls meet each other. */

import { toHex, toQuantity } from '../../lib/base/hex.ts'
import type { Hex } from '../../lib/base/hex.ts'
import type { Node } from '../../lib/node.ts'
import { auxBlockFor, partsOf } from './aux-blocks.ts'
import { CONTRACTS } from './bytecode.ts'
import { PLAIN_KEYS, contentOf, contractOf, signedOf, transactionOf } from './step-transactions.ts'

/** What a step is made for. */
export interface Place {
  readonly node: Node
  /** Snapshots before this one are not reverted to, and none up to it is dropped. */
  readonly base: bigint
  /** Six numbers that choose among what is there. */
  readonly choices: readonly number[]
}

/** Makes params of one method. */
export type MakeParams = (place: Place) => readonly unknown[] | Promise<readonly unknown[]>

/** A passphrase that opens every key of the steps, and one that opens none. */
export const PASSPHRASES = ['secret', 'wrong']

/** A signature that is impersonated. */
export const SIGNATURE = `0x${'11'.repeat(64)}1b`

const pick = <T>(from: readonly T[], n = 0): T => from[n % from.length]!
const small = (n = 0): string => toQuantity(n % 5)
const toWord = (n = 0): Hex => `0x${n.toString(16).padStart(64, '0')}`
const nothing = () => []
const flagged = ({ choices: [n] }: Place) => [n! % 2 === 0]

/** An account with or without a key, a contract, or nobody. */
function accountOf(place: Place, n = place.choices[0]!): string {
  const { node } = place
  const accounts = node.funded.slice(0, 3).map(({ address }) => address)
  return pick([...accounts, contractOf(place), `0x${'cc'.repeat(20)}`], n)
}

const account = (place: Place) => [accountOf(place)]

/** An account whose key has a passphrase, or is not here. */
function lockable({ node, choices: [n] }: Place): string {
  const others = node.keystore.addresses.filter((address) => !isPlain(node, address))
  return pick([...others, `0x${'dd'.repeat(20)}`], n)
}

/** The keys that sign and send stay unlocked: what a locked one refuses is no change. */
const isPlain = ({ funded }: Node, wanted: string): boolean =>
  funded.slice(0, PLAIN_KEYS).some(({ address }) => address === wanted)

/** Some work that was handed out, mostly the last, or none. */
function someWork({ node, choices }: Place): string {
  const work = node.instance.peek().get('work') as { candidates: readonly { hash: string }[] }
  const { candidates } = work
  const chosen = choices[5]! % 2 === 0 ? candidates[0] : candidates[choices[4]! % candidates.length]
  return chosen?.hash ?? toWord(0)
}

/** A block of the auxiliary chain for it. */
const solutionOf = (place: Place): Uint8Array => auxBlockFor(someWork(place), place.choices[0])

const filterId = ({ choices: [n] }: Place) => [toQuantity((n! % 8) + 1)]

/** A snapshot there is, by its id or its name, or one that is not known. */
function snapshotOf({ node, choices: [n, isNamed] }: Place, least: bigint): string {
  const known = node.snapshots.all.filter(({ id }) => id >= least)
  if (known.length === 0 || n! % 8 === 0) return toQuantity(least + BigInt(n! % 50))
  const { id, name } = pick(known, n)
  return name !== undefined && isNamed! % 2 === 0 ? name : toQuantity(id)
}

/** A time close to that of the head, sometimes before it. */
const timeOf = ({ node, choices: [n] }: Place): bigint =>
  node.chain.head.block.header.timestamp + BigInt(n! % 100) - 2n

/** A transaction that waits, one that is mined, or none. */
function hashOf({ node, choices: [n] }: Place): string {
  const waiting = [...node.mempool.all()].map(({ transaction }) => transaction.hash)
  const mined = node.chain.head.block.receipts.map(({ transaction }) => transaction.hash)
  return pick([...waiting, ...mined, toWord(n)], n)
}

/** Blocks to replace, and transactions for them. */
function reorgOf(place: Place): readonly unknown[] {
  const [, depth, count, at] = place.choices as [number, number, number, number]
  const pairs = count % 3 === 0 ? [[contentOf(place), at % 4]] : []
  return count % 2 === 0 ? [depth % 4, pairs] : [{ depth: depth % 4, tx_block_pairs: pairs }]
}

/** What `eth_subscribe` can be asked for. */
const SUBSCRIPTIONS = [
  ['newHeads'],
  ['logs', {}],
  ['newPendingTransactions'],
  ['newPendingTransactions', true],
  ['syncing'],
  ['chainReverted'],
]

function subscriptionOf({ node, choices: [n] }: Place): readonly unknown[] {
  const subscriptions = node.instance.peek().get('subscriptions') as ReadonlyMap<string, unknown>
  return [pick([...subscriptions.keys(), toWord(n).slice(0, 34)], n)]
}

/** A key of its own, the same for the same number. */
const keyOf = (n: number): string => toWord((n % 3) + 1)

/** A transaction of an account with a passphrase. */
function lockedTransactionOf(place: Place): readonly unknown[] {
  return [
    { ...contentOf(place), from: lockable(place) },
    pick(PASSPHRASES, place.choices[3]! % 4 === 0 ? 1 : 0),
  ]
}

const chains: Readonly<Record<string, MakeParams>> = {
  eth_sendTransaction: (place) => [transactionOf(place)],
  eth_sendRawTransaction: (place) => [signedOf(place)],
  eth_sendUnsignedTransaction: (place) => [{ ...contentOf(place), from: accountOf(place, place.choices[3]) }],
  // Nobody mines while a step waits.
  eth_sendRawTransactionSync: (place) => [signedOf(place), 0],
  eth_sendTransactionSync: (place) => [transactionOf(place), 0],
  eth_resend: (place) => [
    { ...contentOf(place), from: accountOf(place), nonce: small(place.choices[4]) },
    '0x77359400',
  ],
  evm_snapshot: ({ choices: [n] }) => (n! % 2 === 0 ? [] : [{ name: `name-${n! % 20}` }]),
  node_dropSnapshot: (place) => [snapshotOf(place, place.base + 1n)],
  evm_revert: (place) => [
    snapshotOf(place, place.base),
    ...(place.choices[2]! % 2 === 0 ? [{ keep: true }] : []),
  ],
  evm_reset: nothing,
  hardhat_reset: ({ choices: [n] }) => (n! % 2 === 0 ? [] : [{}]),
  // Without its snapshots: those that are taken here stay.
  node_loadState: async ({ node }) => [toHex(await node.stateKeeper.dump({ snapshots: false }))],
  evm_mine: ({ choices: [n] }) => (n! % 2 === 0 ? [] : [{ blocks: small(n) }]),
  evm_mine_detailed: ({ choices: [n] }) => (n! % 2 === 0 ? [] : [{ blocks: small(n) }]),
  // Seven hundred are so many that some are leapt over.
  hardhat_mine: ({ choices: [n, gap] }) => [
    toQuantity(n! % 11 === 0 ? 700 : n! % (n! % 3 === 0 ? 30 : 5)),
    small(gap),
  ],
  anvil_reorg: reorgOf,
  anvil_rollback: ({ choices: [n] }) => [n! % 4],
  eth_getWork: nothing,
  eth_submitWork: (place) => {
    const [n] = place.choices
    return [toWord(n).slice(0, 18), someWork(place), toWord(n)]
  },
  eth_submitHashrate: ({ choices: [n] }) => [toWord(n), toWord(n! % 3)],
  mnr_getWork: nothing,
  mnr_submitAuxBlock: (place) => [toHex(solutionOf(place)).slice(2)],
  mnr_submitAuxBlockTransactions: (place) => {
    const { header, coinbase, id } = partsOf(solutionOf(place))
    return ['', header, coinbase, id]
  },
  mnr_submitAuxBlockPartialMerkle: (place) => {
    const { header, coinbase, id } = partsOf(solutionOf(place))
    return ['', header, coinbase, id, '1']
  },
  anvil_dropAllTransactions: nothing,
  anvil_removePoolTransactions: account,
  hardhat_dropTransaction: (place) => [hashOf(place)],
  anvil_dropTransaction: (place) => [hashOf(place)],
}

const settings: Readonly<Record<string, MakeParams>> = {
  evm_startMining: nothing,
  evm_stopMining: nothing,
  miner_start: nothing,
  miner_stop: nothing,
  evm_setAutomine: flagged,
  evm_setIntervalMining: ({ choices: [n] }) => [(n! % 3) * 1000],
  anvil_setIntervalMining: ({ choices: [n] }) => [n! % 3],
  hardhat_setIntervalMining: ({ choices: [n] }) => [(n! % 3) * 1000],
  evm_increaseTime: ({ choices: [n] }) => [toQuantity(n!)],
  evm_setTime: (place) => [toQuantity(timeOf(place))],
  evm_setNextBlockTimestamp: (place) => [toQuantity(timeOf(place))],
  anvil_setBlockTimestampInterval: ({ choices: [n] }) => [n! % 20],
  hardhat_setBlockTimestampInterval: ({ choices: [n] }) => [(n! % 20) * 500],
  anvil_removeBlockTimestampInterval: nothing,
  evm_setBlockGasLimit: ({ choices: [n] }) => [toQuantity(pick([6_800_000, 10_000_000, 30_000_000], n))],
  hardhat_setCoinbase: account,
  // Mostly the network's own: transactions of the steps are signed for it.
  anvil_setChainId: ({ node, choices: [n] }) => [
    toQuantity(pick([node.network.chainId, node.network.chainId, 5n], n)),
  ],
  hardhat_setMinGasPrice: ({ choices: [n] }) => [toQuantity(n! % 3)],
  hardhat_setNextBlockBaseFeePerGas: ({ choices: [n] }) => [toQuantity(n! * 1_000_000)],
  dev_addWithdrawal: (place) => [{ address: accountOf(place), amount: toQuantity(place.choices[0]!) }],
  hardhat_setPrevRandao: ({ choices: [n] }) => [toWord(n)],
  hardhat_setLoggingEnabled: flagged,
  hardhat_impersonateAccount: account,
  hardhat_stopImpersonatingAccount: account,
  anvil_autoImpersonateAccount: flagged,
}

const edits: Readonly<Record<string, MakeParams>> = {
  hardhat_setBalance: (place) => [accountOf(place), toQuantity(10n ** 18n + BigInt(place.choices[3]!))],
  anvil_addBalance: (place) => [accountOf(place), small(place.choices[3])],
  hardhat_setNonce: (place) => [accountOf(place), small(place.choices[3])],
  anvil_setNonce: (place) => [accountOf(place), small(place.choices[3])],
  hardhat_setCode: (place) => [
    accountOf(place),
    toHex(pick([CONTRACTS.store, CONTRACTS.environment, new Uint8Array(0)], place.choices[3])),
  ],
  hardhat_setStorageAt: (place) => [accountOf(place), small(place.choices[3]), toWord(place.choices[4]! % 3)],
  anvil_dealERC20: (place) => [accountOf(place), contractOf(place), small(place.choices[3])],
  anvil_setERC20Allowance: (place) => [
    accountOf(place),
    accountOf(place, place.choices[4]),
    contractOf(place),
    small(place.choices[3]),
  ],
  anvil_impersonateSignature: (place) => [SIGNATURE, accountOf(place)],
  node_setBridgeResponse: ({ choices: [n, kind] }) => [
    pick(['getFeePerKb()', 'getFederationSize()'], n),
    pick([toWord(n), { revert: toWord(n) }, null], kind),
  ],
}

const listeners: Readonly<Record<string, MakeParams>> = {
  eth_newFilter: ({ choices: [n] }) => [n! % 2 === 0 ? {} : { fromBlock: small(n) }],
  eth_newBlockFilter: nothing,
  eth_newPendingTransactionFilter: nothing,
  eth_getFilterChanges: filterId,
  eth_getFilterLogs: filterId,
  eth_uninstallFilter: filterId,
  eth_subscribe: ({ choices: [n] }) => pick(SUBSCRIPTIONS, n),
  eth_unsubscribe: subscriptionOf,
}

const keys: Readonly<Record<string, MakeParams>> = {
  evm_addAccount: (place) => [accountOf(place), 'secret'],
  evm_removeAccount: (place) => [lockable(place), pick(PASSPHRASES, place.choices[3]! % 4 === 0 ? 1 : 0)],
  personal_importRawKey: ({ choices: [n] }) => [keyOf(n!), 'secret'],
  personal_newAccount: () => ['secret'],
  personal_newAccountWithSeed: ({ choices: [n] }) => [`seed ${n! % 3}`],
  personal_lockAccount: (place) => [lockable(place)],
  personal_unlockAccount: (place) => [
    lockable(place),
    pick(PASSPHRASES, place.choices[3]),
    place.choices[4]!,
  ],
  personal_sendTransaction: lockedTransactionOf,
}

/** The opinion of peers, which a revert keeps: it is no chain state. */
const kept: Readonly<Record<string, MakeParams>> = {
  sco_banAddress: ({ choices: [n] }) => [`10.0.0.${n! % 4}`],
  sco_unbanAddress: ({ choices: [n] }) => [`10.0.0.${n! % 4}`],
}

/** Names of methods that write what a revert keeps. */
export const KEPT_WRITES = Object.keys(kept)

/** Methods after which somebody hears of every block. */
export const LISTENERS = Object.keys(listeners)

/** Params by method. */
export const WRITE_PARAMS: Readonly<Record<string, MakeParams>> = {
  ...chains,
  ...settings,
  ...edits,
  ...listeners,
  ...keys,
  ...kept,
}

/** Params for a method that writes. @throws Error for one that has none here */
export function paramsFor(method: string, place: Place): ReturnType<MakeParams> {
  const make = WRITE_PARAMS[method]
  if (make === undefined)
    throw new Error(`${method} writes and has no params in test/support/write-params.ts`)
  return make(place)
}
