/** Params for every writing method: mostly valid, and on few objects so that calls interact. */

import { toHex, toQuantity } from '../../lib/base/hex.ts'
import type { Hex } from '../../lib/base/hex.ts'
import type { Node } from '../../lib/node/node.ts'
import { SENDER_TYPES } from '../../lib/modules/network-33/aux-chain/pegin-transaction.ts'
import { auxBlockFor, partsOf } from '../modules/network-33/support/aux-blocks.ts'
import { auxTransaction } from '../modules/network-33/support/aux-chain.ts'
import { CONTRACTS } from './bytecode.ts'
import { PLAIN_KEYS, contentOf, contractOf, pick, signedOf, transactionOf } from './command-transactions.ts'

/** The node and the random choices of a command. */
export interface CommandContext {
  readonly node: Node
  /** Six numbers that select among the contents of the node. */
  readonly choices: readonly number[]
}

/** Makes params of one method. */
export type MakeParams = (context: CommandContext) => readonly unknown[] | Promise<readonly unknown[]>

/** A passphrase that opens every key of the commands, and one that opens none. */
export const PASSPHRASES = ['secret', 'wrong']

/** A signature that is impersonated. */
export const SIGNATURE = `0x${'11'.repeat(64)}1b`

/** A script of the auxiliary chain that anyone can spend. */
const OPEN = Uint8Array.of(0x51)

const small = (n = 0): string => toQuantity(n % 5)
const toWord = (n = 0): Hex => `0x${n.toString(16).padStart(64, '0')}`
const nothing = () => []
const flagged = ({ choices: [n] }: CommandContext) => [n! % 2 === 0]

/** An account with or without a key, a contract, or an unused address. */
function accountOf(context: CommandContext, n = context.choices[0]!): string {
  const { node } = context
  const accounts = node.funded.slice(0, 3).map(({ address }) => address)
  return pick([...accounts, contractOf(context), `0x${'cc'.repeat(20)}`], n)
}

const account = (context: CommandContext) => [accountOf(context)]

/** An account whose key has a passphrase or is missing. */
function lockable({ node, choices: [n] }: CommandContext): string {
  const others = node.keystore.addresses.filter((address) => !isPlain(node, address))
  return pick([...others, `0x${'dd'.repeat(20)}`], n)
}

/** Keys that sign and send stay unlocked: a locked key would only cause rejected calls. */
const isPlain = ({ funded }: Node, wanted: string): boolean =>
  funded.slice(0, PLAIN_KEYS).some(({ address }) => address === wanted)

/** Mining work of an earlier request, mostly the last, or unknown work. */
function someWork({ node, choices }: CommandContext): string {
  const work = node.instance.peek().get('work') as { candidates: readonly { hash: string }[] }
  const { candidates } = work
  const chosen = choices[5]! % 2 === 0 ? candidates[0] : candidates[choices[4]! % candidates.length]
  return chosen?.hash ?? toWord(0)
}

/** A block of the auxiliary chain for it. */
const solutionOf = (context: CommandContext): Uint8Array => auxBlockFor(someWork(context), context.choices[0])

const filterId = ({ choices: [n] }: CommandContext) => [toQuantity((n! % 8) + 1)]

/** An existing snapshot by id or name, or an unknown one. */
function snapshotOf({ node, choices: [n, isNamed] }: CommandContext): string {
  const known = node.snapshots.all
  if (known.length === 0 || n! % 8 === 0) return toQuantity((n! % 50) + 1)
  const { id, name } = pick(known, n)
  return name !== undefined && isNamed! % 2 === 0 ? name : toQuantity(id)
}

/** A time close to that of the head, sometimes before it. */
const timeOf = ({ node, choices: [n] }: CommandContext): bigint =>
  node.chain.head.block.header.timestamp + BigInt(n! % 100) - 2n

/** Hash of a pending, mined or unknown transaction. */
function hashOf({ node, choices: [n] }: CommandContext): string {
  const waiting = [...node.mempool.all()].map(({ transaction }) => transaction.hash)
  const mined = node.chain.head.block.receipts.map(({ transaction }) => transaction.hash)
  return pick([...waiting, ...mined, toWord(n)], n)
}

/** Blocks to replace, and transactions for them. */
function reorgOf(context: CommandContext): readonly unknown[] {
  const [, depth, count, at] = context.choices as [number, number, number, number]
  const pairs = count % 3 === 0 ? [[contentOf(context), at % 4]] : []
  return count % 2 === 0 ? [depth % 4, pairs] : [{ depth: depth % 4, tx_block_pairs: pairs }]
}

/** Params of `eth_subscribe`. */
const SUBSCRIPTIONS = [
  ['newHeads'],
  ['logs', {}],
  ['newPendingTransactions'],
  ['newPendingTransactions', true],
  ['syncing'],
  ['chainReverted'],
]

function subscriptionOf({ node, choices: [n] }: CommandContext): readonly unknown[] {
  const subscriptions = node.instance.peek().get('subscriptions') as ReadonlyMap<string, unknown>
  return [pick([...subscriptions.keys(), toWord(n).slice(0, 34)], n)]
}

/** A private key for a number. */
const keyOf = (n: number): string => toWord((n % 3) + 1)

/** A transaction of an account with a passphrase. */
function lockedTransactionOf(context: CommandContext): readonly unknown[] {
  return [
    { ...contentOf(context), from: lockable(context) },
    pick(PASSPHRASES, context.choices[3]! % 4 === 0 ? 1 : 0),
  ]
}

const chains: Readonly<Record<string, MakeParams>> = {
  eth_sendTransaction: (context) => [transactionOf(context)],
  eth_sendRawTransaction: (context) => [signedOf(context)],
  eth_sendUnsignedTransaction: (context) => [
    { ...contentOf(context), from: accountOf(context, context.choices[3]) },
  ],
  // No block is mined while a command waits.
  eth_sendRawTransactionSync: (context) => [signedOf(context), 0],
  eth_sendTransactionSync: (context) => [transactionOf(context), 0],
  eth_resend: (context) => [
    { ...contentOf(context), from: accountOf(context), nonce: small(context.choices[4]) },
    '0x77359400',
  ],
  evm_snapshot: ({ choices: [n] }) => (n! % 2 === 0 ? [] : [{ name: `name-${n! % 20}` }]),
  dev_dropSnapshot: (context) => [snapshotOf(context)],
  evm_revert: (context) => [snapshotOf(context), ...(context.choices[2]! % 2 === 0 ? [{ keep: true }] : [])],
  evm_reset: nothing,
  hardhat_reset: ({ choices: [n] }) => (n! % 2 === 0 ? [] : [{}]),
  // Without snapshots in the file, the existing ones stay.
  dev_loadState: async ({ node }) => [toHex(await node.stateKeeper.dump({ snapshots: false }))],
  evm_mine: ({ choices: [n] }) => (n! % 2 === 0 ? [] : [{ blocks: small(n) }]),
  evm_mine_detailed: ({ choices: [n] }) => (n! % 2 === 0 ? [] : [{ blocks: small(n) }]),
  // With seven hundred blocks some are reserved.
  hardhat_mine: ({ choices: [n, gap] }) => [
    toQuantity(n! % 11 === 0 ? 700 : n! % (n! % 3 === 0 ? 30 : 5)),
    small(gap),
  ],
  anvil_reorg: reorgOf,
  anvil_rollback: ({ choices: [n] }) => [n! % 4],
  eth_getWork: nothing,
  eth_submitWork: (context) => {
    const [n] = context.choices
    return [toWord(n).slice(0, 18), someWork(context), toWord(n)]
  },
  eth_submitHashrate: ({ choices: [n] }) => [toWord(n), toWord(n! % 3)],
  mnr_getWork: nothing,
  mnr_submitAuxBlock: (context) => [toHex(solutionOf(context)).slice(2)],
  mnr_submitAuxBlockTransactions: (context) => {
    const { header, coinbase, id } = partsOf(solutionOf(context))
    return ['', header, coinbase, id]
  },
  mnr_submitAuxBlockPartialMerkle: (context) => {
    const { header, coinbase, id } = partsOf(solutionOf(context))
    return ['', header, coinbase, id, '1']
  },
  anvil_dropAllTransactions: nothing,
  anvil_removePoolTransactions: account,
  hardhat_dropTransaction: (context) => [hashOf(context)],
  anvil_dropTransaction: (context) => [hashOf(context)],
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
  evm_setTime: (context) => [toQuantity(timeOf(context))],
  evm_setNextBlockTimestamp: (context) => [toQuantity(timeOf(context))],
  anvil_setBlockTimestampInterval: ({ choices: [n] }) => [n! % 20],
  hardhat_setBlockTimestampInterval: ({ choices: [n] }) => [(n! % 20) * 500],
  anvil_removeBlockTimestampInterval: nothing,
  evm_setBlockGasLimit: ({ choices: [n] }) => [toQuantity(pick([6_800_000, 10_000_000, 30_000_000], n))],
  hardhat_setCoinbase: account,
  // Mostly the network's own chain id, which transactions of the commands are signed for.
  anvil_setChainId: ({ node, choices: [n] }) => [
    toQuantity(pick([node.network.chainId, node.network.chainId, 5n], n)),
  ],
  hardhat_setMinGasPrice: ({ choices: [n] }) => [toQuantity(n! % 3)],
  hardhat_setNextBlockBaseFeePerGas: ({ choices: [n] }) => [toQuantity(n! * 1_000_000)],
  dev_addWithdrawal: (context) => [{ address: accountOf(context), amount: toQuantity(context.choices[0]!) }],
  hardhat_setPrevRandao: ({ choices: [n] }) => [toWord(n)],
  hardhat_setLoggingEnabled: flagged,
  hardhat_impersonateAccount: account,
  hardhat_stopImpersonatingAccount: account,
  anvil_autoImpersonateAccount: flagged,
}

const edits: Readonly<Record<string, MakeParams>> = {
  hardhat_setBalance: (context) => [accountOf(context), toQuantity(10n ** 18n + BigInt(context.choices[3]!))],
  anvil_addBalance: (context) => [accountOf(context), small(context.choices[3])],
  hardhat_setNonce: (context) => [accountOf(context), small(context.choices[3])],
  anvil_setNonce: (context) => [accountOf(context), small(context.choices[3])],
  hardhat_setCode: (context) => [
    accountOf(context),
    toHex(pick([CONTRACTS.store, CONTRACTS.environment, new Uint8Array(0)], context.choices[3])),
  ],
  hardhat_setStorageAt: (context) => [
    accountOf(context),
    small(context.choices[3]),
    toWord(context.choices[4]! % 3),
  ],
  anvil_dealERC20: (context) => [accountOf(context), contractOf(context), small(context.choices[3])],
  anvil_setERC20Allowance: (context) => [
    accountOf(context),
    accountOf(context, context.choices[4]),
    contractOf(context),
    small(context.choices[3]),
  ],
  anvil_impersonateSignature: (context) => [SIGNATURE, accountOf(context)],
  dev_auxSend: ({ choices: [n, sat] }) => [
    toHex(auxTransaction([{ script: Uint8Array.of(n! % 5) }], [{ sat: BigInt(sat!), script: OPEN }])),
  ],
  dev_auxMine: (context) => [small(context.choices[3])],
  dev_pegIn: (context) => [
    {
      to: accountOf(context),
      amount: pick(['0x2540be400', '0x11c37937e08000'], context.choices[3]),
      version: context.choices[4]! % 2,
      senderType: pick(SENDER_TYPES, context.choices[5]),
    },
  ],
  dev_federationStep: () => [],
  dev_pegOut: (context) => [
    { from: accountOf(context), amount: pick(['0x2540be400', '0x11c37937e08000'], context.choices[3]) },
  ],
  dev_setBridgeResponse: ({ choices: [n, kind] }) => [
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
  evm_addAccount: (context) => [accountOf(context), 'secret'],
  evm_removeAccount: (context) => [
    lockable(context),
    pick(PASSPHRASES, context.choices[3]! % 4 === 0 ? 1 : 0),
  ],
  personal_importRawKey: ({ choices: [n] }) => [keyOf(n!), 'secret'],
  personal_newAccount: () => ['secret'],
  personal_newAccountWithSeed: ({ choices: [n] }) => [`seed ${n! % 3}`],
  personal_lockAccount: (context) => [lockable(context)],
  personal_unlockAccount: (context) => [
    lockable(context),
    pick(PASSPHRASES, context.choices[3]),
    context.choices[4]!,
  ],
  personal_sendTransaction: lockedTransactionOf,
}

/**
 * Banned peers, named contracts and coverage, which a revert keeps because they are not chain state. No call reaches the named
 * contracts.
 */
const kept: Readonly<Record<string, MakeParams>> = {
  sco_banAddress: ({ choices: [n] }) => [`10.0.0.${n! % 4}`],
  sco_unbanAddress: ({ choices: [n] }) => [`10.0.0.${n! % 4}`],
  dev_resetGasReport: nothing,
  dev_addContract: ({ choices: [n] }) => [`0x${'de'.repeat(19)}0${n! % 4}`, { name: `Named${n}`, abi: [] }],
  dev_startCoverage: () => [],
  dev_resetCoverage: () => [],
}

/** Methods that add a listener to every block. */
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

/** Params of a writing method. @throws Error for a method without params here */
export function paramsFor(method: string, context: CommandContext): ReturnType<MakeParams> {
  const make = WRITE_PARAMS[method]
  if (make === undefined)
    throw new Error(`${method} writes and has no params in test/support/write-params.ts`)
  return make(context)
}
