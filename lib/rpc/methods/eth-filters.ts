/** Logs, and filters that collect what happens between two polls. */

import * as z from 'zod'
import { toQuantity } from '../../base/hex.ts'
import { logsOfBlock, logsOfRange } from '../../chain/logs.ts'
import type { PlacedLog } from '../../chain/logs.ts'
import type { Node } from '../../node.ts'
import type { BlockRef } from '../../schema/block-ref.ts'
import { logRequest } from '../../schema/requests.ts'
import type { LogRequest } from '../../schema/requests.ts'
import { flag, hashText, logObject, quantityText } from '../../schema/results.ts'
import { quantity } from '../../schema/wire.ts'
import { method, param } from '../method.ts'
import { rawArray } from '../raw-json.ts'
import { logText } from '../render/log-text.ts'

const wanted = param('filter', logRequest, 'Which logs.')
const collected = param(
  'filter',
  // A filter collects what is to come; a block with a hash is there already (service spec, "Logs and filters").
  logRequest.refine(({ blockHash }) => blockHash === undefined, {
    error: 'expected fromBlock and toBlock, blockHash is for eth_getLogs only',
  }),
  'Which logs.',
)
const filterId = param('id', quantity, 'Filter, as its creation answered it.')
const logs = z.array(logObject)

const limitsOf = ({ options }: Node) => ({ blocks: options.logRangeLimit, logs: options.logCountLimit })

const answerLogs = (found: readonly PlacedLog[]) =>
  rawArray(found.map((placed) => logText({ ...placed, removed: false })))

/** Height a bound of a filter means; the head for every tag but `earliest`. */
function heightOf(ref: BlockRef | undefined, { chain }: Node): bigint {
  if (ref === undefined) return chain.head.block.header.number
  if ('number' in ref) return ref.number
  if ('tag' in ref) return ref.tag === 'earliest' ? 0n : chain.head.block.header.number
  return chain.get(ref).block.header.number
}

/** Bound of an installed filter; a tag that means the head is no bound. */
function fixedHeight(ref: BlockRef | undefined, node: Node): bigint | undefined {
  if (ref === undefined || ('tag' in ref && ref.tag !== 'earliest')) return undefined
  return heightOf(ref, node)
}

const getLogs = method({
  name: 'eth_getLogs',
  summary:
    'Logs that match a filter, ascending; none for an unknown blockHash or a range that ends before it begins. Without bounds those of the newest block.',
  params: [wanted],
  result: logs,
  access: 'read',
  errors: ['limitExceeded', 'unknownBlock'],
  example: { params: [{ fromBlock: 'earliest' }], result: [] },
  run: ({ filter }, node) => {
    if (filter.blockHash !== undefined) {
      // An unknown hash has no logs (node-rpc 8.2), also one that a revert took back.
      const block = node.chain.byHash(filter.blockHash)?.block
      return answerLogs(block === undefined ? [] : logsOfBlock(block, filter))
    }
    const range = {
      from: heightOf(filter.fromBlock, node),
      to: heightOf(filter.toBlock, node),
      limits: limitsOf(node),
    }
    return answerLogs(logsOfRange(node.chain, filter, range))
  },
})

function subscriptionOf(filter: LogRequest, node: Node) {
  const { addresses, topics } = filter
  return {
    addresses,
    topics,
    from: fixedHeight(filter.fromBlock, node),
    to: fixedHeight(filter.toBlock, node),
  }
}

const newFilter = method({
  name: 'eth_newFilter',
  summary: 'Installs a filter that collects matching logs from now on.',
  params: [collected],
  result: quantityText,
  access: 'write',
  errors: ['unknownBlock'],
  example: { params: [{}], result: '0x1' },
  run: ({ filter }, node) => toQuantity(node.filters.addLogs(subscriptionOf(filter, node))),
})

const newBlockFilter = method({
  name: 'eth_newBlockFilter',
  summary: 'Installs a filter that collects the hashes of new blocks.',
  params: [],
  result: quantityText,
  access: 'write',
  example: { params: [], result: '0x1' },
  run: (_, { filters }) => toQuantity(filters.addBlocks()),
})

const newPendingTransactionFilter = method({
  name: 'eth_newPendingTransactionFilter',
  summary: 'Installs a filter that collects the hashes of transactions that enter the pool.',
  params: [],
  result: quantityText,
  access: 'write',
  example: { params: [], result: '0x1' },
  run: (_, { filters }) => toQuantity(filters.addTransactions()),
})

const getFilterChanges = method({
  name: 'eth_getFilterChanges',
  summary:
    'What a filter collected since it was last asked: hashes, or logs. A log that a revert took back comes again with `removed: true`.',
  params: [filterId],
  result: z.array(z.union([hashText, logObject])),
  access: 'write',
  errors: ['unknownFilter'],
  example: { after: [{ method: 'eth_newBlockFilter', params: [] }], params: ['0x1'], result: [] },
  run: ({ id }, { filters }) => {
    const changes = filters.poll(id)
    return changes.kind === 'hashes' ? [...changes.hashes] : rawArray(changes.logs.map(logText))
  },
})

const getFilterLogs = method({
  name: 'eth_getFilterLogs',
  summary:
    'Every log of the chain that an installed log filter matches, from its lower bound or its creation on.',
  params: [filterId],
  result: logs,
  access: 'write',
  errors: ['unknownFilter', 'limitExceeded'],
  example: { after: [{ method: 'eth_newFilter', params: [{}] }], params: ['0x1'], result: [] },
  run: ({ id }, node) => {
    const { from, to = node.chain.head.block.header.number, ...filter } = node.filters.wantedLogs(id)
    return answerLogs(logsOfRange(node.chain, filter, { from, to, limits: limitsOf(node) }))
  },
})

const uninstallFilter = method({
  name: 'eth_uninstallFilter',
  summary: 'Drops a filter; answers whether there was one.',
  params: [filterId],
  result: flag,
  access: 'write',
  example: { after: [{ method: 'eth_newBlockFilter', params: [] }], params: ['0x1'], result: true },
  run: ({ id }, { filters }) => filters.remove(id),
})

export const ethFilterMethods = [
  getLogs,
  newFilter,
  newBlockFilter,
  newPendingTransactionFilter,
  getFilterChanges,
  getFilterLogs,
  uninstallFilter,
]
