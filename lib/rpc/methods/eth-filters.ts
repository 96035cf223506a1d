/**
 * Methods that search logs and manage filters and subscriptions. A filter collects events between polls; a subscription pushes them
 * over its connection.
 */

import * as z from 'zod'
import { NodeError, invalidParams } from '../../base/errors.ts'
import { toQuantity } from '../../base/hex.ts'
import type { SubscriptionFilter } from '../../chain/filters/subscriptions.ts'
import type { PlacedLog } from '../../chain/log-index.ts'
import { logsOfBlock, logsOfPendingBlock, logsOfRange, type BlockLog } from '../../chain/logs.ts'
import type { BlockRef } from '../../chain/miner/block-resolver.ts'
import type { Dialect } from '../../config/dialect.ts'
import { param, readMethod, writeMethod } from '../../kernel/method.ts'
import { rawArray } from '../../kernel/raw-json.ts'
import type { RequestContext } from '../../kernel/request-context.ts'
import type { Node } from '../../node/node.ts'
import { logRequest, type LogRequest } from '../../schema/requests.ts'
import { flag, hashText, logObject, quantityText, dataText } from '../../schema/results.ts'
import { quantity, boolean, oneOf, optional } from '../../schema/wire.ts'
import { logText, minedLogTexts } from '../render/notification.ts'

type LoggedChain = Pick<Node, 'blockResolver' | 'chain' | 'filters' | 'options'>

const wanted = param('filter', logRequest, 'Which logs.')
const collected = param(
  'filter',
  // A filter collects later events; a block with a hash is mined already (service spec, "Logs and filters").
  logRequest.refine(
    ({ blockHash }) => blockHash === undefined,
    'expected fromBlock and toBlock, blockHash is for eth_getLogs only',
  ),
  'Which logs.',
)
const filterId = param('id', quantity, 'Filter, as its creation returned it.')
const logs = z.array(logObject)

const renderLogs = (mined: readonly PlacedLog[], pending: readonly BlockLog[], dialect: Dialect) =>
  rawArray([
    ...minedLogTexts(mined),
    ...pending.map((placed) => logText({ ...placed, removed: false, isPending: true }, dialect)),
  ])

/** Height of a bound; `pending` gives the head's. */
function heightOf(ref: BlockRef | undefined, { chain, blockResolver }: LoggedChain): bigint {
  if (ref === undefined || isPending(ref)) return chain.height
  if ('number' in ref) return ref.number
  return 'tag' in ref && ref.tag === 'earliest' ? 0n : blockResolver.at(ref).block.header.number
}

/** Bound of an installed filter. A tag that means the head sets no bound. */
function fixedHeight(ref: BlockRef | undefined, node: LoggedChain): bigint | undefined {
  if (ref === undefined || ('tag' in ref && ref.tag !== 'earliest')) return undefined
  return heightOf(ref, node)
}

/** Matching logs of mined blocks and the pending block. */
function findLogs(
  wants: Omit<ReturnType<typeof criteriaOf>, 'from' | 'to'>,
  range: { readonly from: bigint; readonly to: bigint },
  { node, dialect }: { readonly node: LoggedChain; readonly dialect: Dialect },
) {
  const { chain, blockResolver, options } = node
  const limits = { blocks: options.logRangeLimit, logs: options.logCountLimit }
  const mined = wants.wantsMined ? logsOfRange(chain, wants, { ...range, limits }) : []
  const pending = () => logsOfPendingBlock(blockResolver.at({ tag: 'pending' }).block, wants)
  return renderLogs(mined, wants.wantsPending ? pending() : [], dialect)
}

export const getLogs = readMethod({
  name: 'eth_getLogs',
  summary:
    'Logs that match a filter, oldest first. Without bounds those of the newest block. With `pending` as the end, those of the pending block follow; in dialect node33 their block and index are null. An unknown blockHash is an error in dialects ethereum and hardhat, and a range that ends before it begins or beyond the head in dialect ethereum; elsewhere they have no logs.',
  params: [wanted],
  result: logs,
  errors: ['limitExceeded', 'unknownBlock'],
  example: { params: [{ fromBlock: 'earliest' }], result: [] },
  run: ({ filter }, node: LoggedChain, { dialect }) => {
    if (filter.blockHash !== undefined) {
      const block = node.chain.byHash(filter.blockHash)?.block
      if (block !== undefined) return renderLogs(logsOfBlock(block, filter), [], dialect)
      // An unknown hash has no logs on the reference node (node-rpc 8.2).
      if (dialect === 'node33') return []
      if (dialect === 'hardhat') throw invalidParams('blockHash cannot be found')
      throw new NodeError('unknownBlock', 'unknown block')
    }
    const range = { from: heightOf(filter.fromBlock, node), to: heightOf(filter.toBlock, node) }
    if (dialect === 'ethereum') checkRange(range, node.chain.height)
    if (filter.fromBlock === undefined && range.to < range.from) {
      const newest = `the newest block, ${range.from}, unless it is given`
      throw invalidParams(`params[0].toBlock (filter): ${range.to} is below fromBlock, which is ${newest}`)
    }
    return findLogs(criteriaOf(filter, node), range, { node, dialect })
  },
})

/** Refuses the ranges that geth refuses (eth/filters/filter.go, updateChainView). @throws NodeError 'invalidParams' */
function checkRange({ from, to }: { readonly from: bigint; readonly to: bigint }, head: bigint): void {
  if (from > to) throw invalidParams('invalid block range params')
  if (to > head) throw invalidParams('block range extends beyond current head block')
}

/** Criteria of a filter. A range from the pending block ends there, unless its end is given. */
function criteriaOf({ addresses, topics, fromBlock, toBlock }: LogRequest, node: LoggedChain) {
  const isFromPending = isPending(fromBlock)
  return {
    addresses,
    topics,
    from: fixedHeight(fromBlock, node),
    to: fixedHeight(toBlock, node),
    wantsMined: !isFromPending,
    wantsPending: isPending(toBlock) || (isFromPending && toBlock === undefined),
  }
}

const isPending = (ref: BlockRef | undefined): boolean =>
  ref !== undefined && 'tag' in ref && ref.tag === 'pending'

export const newFilter = writeMethod({
  name: 'eth_newFilter',
  summary: 'Installs a filter that collects later logs; with the end `pending`, those of that block too.',
  params: [collected],
  result: quantityText,
  errors: ['unknownBlock'],
  example: { params: [{}], result: '0x1' },
  run: ({ filter }, node: LoggedChain) => toQuantity(node.filters.addLogs(criteriaOf(filter, node))),
})

export const newBlockFilter = writeMethod({
  name: 'eth_newBlockFilter',
  summary:
    'Installs a filter that collects the hashes of new blocks; in dialect hardhat that of the newest too.',
  result: quantityText,
  example: { params: [], result: '0x1' },
  run: (_, { filters, chain }: LoggedChain, { dialect }) =>
    toQuantity(filters.addHashes('blocks', dialect === 'hardhat' ? [chain.head.block.hash] : [])),
})

export const newPendingTransactionFilter = writeMethod({
  name: 'eth_newPendingTransactionFilter',
  summary: 'Installs a filter that collects the hashes of transactions that enter the pool.',
  result: quantityText,
  example: { params: [], result: '0x1' },
  run: (_, { filters }: Pick<Node, 'filters'>) => toQuantity(filters.addHashes('transactions')),
})

export const getFilterChanges = writeMethod({
  name: 'eth_getFilterChanges',
  summary:
    'Hashes or logs that a filter collected since the last poll. A log that a revert removed is returned again with `removed: true`. Each log of the pending block is returned once, and again when it is mined if the filter includes mined logs. Null for an unknown filter in dialect hardhat.',
  params: [filterId],
  result: z.array(z.union([hashText, logObject])).nullable(),
  errors: ['unknownFilter'],
  example: { after: [{ method: 'eth_newBlockFilter', params: [] }], params: ['0x1'], result: [] },
  *run({ id }, { filters }: Pick<Node, 'filters'>, { dialect }) {
    if (dialect === 'hardhat' && !filters.has(id)) return null
    const changes = yield* filters.poll(id)
    if (changes.kind !== 'logs') return [...changes.pending]
    return rawArray(changes.pending.map((log) => logText(log, dialect)))
  },
})

export const getFilterLogs = writeMethod({
  name: 'eth_getFilterLogs',
  summary:
    'Every log that an installed log filter matches, from its lower bound or its creation on, with those of the pending block if the filter includes them.',
  params: [filterId],
  result: logs,
  errors: ['unknownFilter', 'limitExceeded'],
  example: { after: [{ method: 'eth_newFilter', params: [{}] }], params: ['0x1'], result: [] },
  run: ({ id }, node: LoggedChain, { dialect }) => {
    const wants = node.filters.logCriteria(id)
    const { from, to = node.chain.head.block.header.number } = wants
    return findLogs(wants, { from, to }, { node, dialect })
  },
})

export const uninstallFilter = writeMethod({
  name: 'eth_uninstallFilter',
  summary: 'Removes a filter; false if the filter does not exist.',
  params: [filterId],
  result: flag,
  example: { after: [{ method: 'eth_newBlockFilter', params: [] }], params: ['0x1'], result: true },
  run: ({ id }, { filters }: Pick<Node, 'filters'>) => filters.remove(id),
})

const KINDS = ['newHeads', 'logs', 'newPendingTransactions', 'syncing', 'chainReverted'] as const
type Kind = (typeof KINDS)[number]

const EXPECTED = new Map<Kind, string>([
  ['logs', 'a filter by address and topics'],
  ['newPendingTransactions', 'true or false'],
])

const options = z.union([boolean, logRequest], 'expected a filter by address and topics, true or false')

type SubscribeOptions = z.output<typeof options> | undefined

/** Some clients send an empty object for kinds without options. */
const isBlank = (value: SubscribeOptions): boolean =>
  typeof value === 'object' ? value.addresses.length === 0 && value.topics.length === 0 : value === undefined

/** @throws NodeError 'invalidParams' when the options are those of another kind */
function wantedOf(asked: Kind, criteria: SubscribeOptions): SubscriptionFilter {
  // Block bounds do not apply to later events. The reference reads and ignores them (node-rpc 9).
  if (asked === 'logs' && typeof criteria !== 'boolean') {
    const { addresses = [], topics = [] } = criteria ?? {}
    return { kind: 'logs', filter: { addresses, topics } }
  }
  if (asked === 'newPendingTransactions' && typeof criteria === 'boolean') {
    return { kind: criteria ? 'transactions' : 'hashes' }
  }
  if (asked === 'logs' || !isBlank(criteria)) {
    throw invalidParams(`params[1] (options): expected ${EXPECTED.get(asked) ?? 'nothing'} for ${asked}`)
  }
  const kinds = { newHeads: 'heads', newPendingTransactions: 'hashes', chainReverted: 'reverts' } as const
  return { kind: asked === 'syncing' ? asked : kinds[asked] }
}

/** @throws NodeError 'needsSocket' */
function subscriberOf({ subscriber }: RequestContext) {
  if (subscriber !== undefined) return subscriber
  throw new NodeError(
    'needsSocket',
    'notifications not supported: subscriptions need a WebSocket, which the same address serves (ws://), or a local socket (--ipc)',
  )
}

export const subscribe = writeMethod({
  name: 'eth_subscribe',
  summary:
    'Pushes events to this connection, a WebSocket or a local socket, as eth_subscription notifications: newHeads, logs, newPendingTransactions, syncing, chainReverted.',
  params: [
    param('kind', oneOf(KINDS), 'Kind of events.'),
    param(
      'options',
      optional(options),
      'For logs a filter; for newPendingTransactions true for whole transactions.',
    ),
  ],
  result: dataText,
  errors: ['needsSocket'],
  example: { params: ['newHeads'], refusal: 'needsSocket' },
  run: ({ kind, options: criteria }, _, context) => {
    const wanted = wantedOf(kind, criteria)
    return subscriberOf(context).subscribe(wanted)
  },
})

export const unsubscribe = writeMethod({
  name: 'eth_unsubscribe',
  summary: 'Ends a subscription of this connection; false if it has none with this id.',
  params: [param('id', z.string('expected the id of a subscription'), 'As eth_subscribe returned it.')],
  result: flag,
  errors: ['needsSocket'],
  example: { params: ['0x00112233445566778899aabbccddeeff'], refusal: 'needsSocket' },
  run: ({ id }, _, context) => subscriberOf(context).unsubscribe(id.toLowerCase()),
})
