/**
 * Filters as on the reference node (node-rpc 8). A log filter from the newest block on knows only that block, and every filter
 * lists what it has collected. The chain is searched when a client asks.
 */

import { NodeError } from '../../../base/errors.ts'
import { toHex } from '../../../base/hex.ts'
import { runAtOnce } from '../../../base/routine.ts'
import { logsOfBlock, logsOfRange } from '../../../chain/logs.ts'
import type { PlacedLog } from '../../../chain/log-index.ts'
import type { BlockRef } from '../../../chain/miner/block-resolver.ts'
import { minesAtOnce } from '../../../config/mining-mode.ts'
import { logRequest, type LogRequest } from '../../../schema/requests.ts'
import { rawArray } from '../../../kernel/raw-json.ts'
import { minedLogTexts } from '../../../rpc/render/notification.ts'
import { plain, type FaithfulCall } from './results.ts'
import type { FaithfulChain, KeptFilter, LogRange } from './scope.ts'
import { serverError } from './values.ts'
import { withoutExtras } from './views.ts'

const MAX_BLOCKS = 5000n
const MAX_LOGS = 20_000

/** The reference counts on its own. */
const NO_LIMITS = { blocks: Number.MAX_SAFE_INTEGER, logs: 0 }

const headOf = ({ chain }: FaithfulChain): bigint => chain.head.block.header.number

/** The number of a bound; undefined for the newest block. */
function heightOf(ref: BlockRef | undefined): bigint | undefined {
  if (ref === undefined || !('number' in ref))
    return ref !== undefined && 'tag' in ref && ref.tag === 'earliest' ? 0n : undefined
  return ref.number
}

/** The range of a filter object; nothing if it begins at the pending block. */
function rangeOf({ addresses, topics, fromBlock, toBlock }: LogRequest): LogRange | undefined {
  if (fromBlock !== undefined && 'tag' in fromBlock && fromBlock.tag === 'pending') return undefined
  const [from, to] = [heightOf(fromBlock), heightOf(toBlock)]
  if (from === undefined) return { addresses, topics }
  return { addresses, topics, from, ...(to !== undefined && { to }) }
}

/** @throws NodeError 'limitExceeded' with the texts of node-rpc 8.3 */
function find(node: FaithfulChain, wanted: LogRange, from = wanted.from): readonly PlacedLog[] {
  const head = headOf(node)
  if (from === undefined) return logsOfBlock(node.chain.head.block, wanted)
  const to = wanted.to === undefined || wanted.to > head ? head : wanted.to
  if (to - from > MAX_BLOCKS)
    throw new NodeError('limitExceeded', `Cannot query more than ${MAX_BLOCKS} blocks at once`)
  const found = logsOfRange(node.chain, wanted, { from, to, limits: NO_LIMITS })
  if (found.length > MAX_LOGS)
    throw new NodeError('limitExceeded', `Filter returned more than ${MAX_LOGS} logs.`)
  return found
}

const rendered = (logs: readonly PlacedLog[]): unknown => withoutExtras(plain(rawArray(minedLogTexts(logs))))

export function getLogs({ params: [filter] }: FaithfulCall, node: FaithfulChain): unknown {
  const wanted = logRequest.parse(filter)
  if (wanted.blockHash !== undefined) {
    const block = node.chain.byHash(wanted.blockHash)?.block
    return rendered(block === undefined ? [] : logsOfBlock(block, wanted))
  }
  const range = rangeOf(wanted)
  return rendered(range === undefined ? [] : find(node, range))
}

/** Adds a filter. Its id is the text of a random UUID as hex. */
function add(filter: KeptFilter, { keptFilters, host }: FaithfulChain): string {
  const uuid = toHex(host.random(16))
    .slice(2)
    .replace(/^(.{8})(.{4}).(.{3})(.{4})/, '$1-$2-4$3-$4-')
  const id = toHex(Buffer.from(uuid))
  keptFilters.value = new Map(keptFilters.value).set(id, filter)
  return id
}

export const addLogs = ({ params: [filter] }: FaithfulCall, node: FaithfulChain): unknown => {
  const wanted = rangeOf(logRequest.parse(filter)) ?? { addresses: [], topics: [], from: 1n, to: 0n }
  const from = wanted.from ?? headOf(node)
  return add({ kind: 'logs', wanted, start: (wanted.from ?? 0n) - 1n, polled: from - 1n }, node)
}

export const addBlocks = (_: FaithfulCall, node: FaithfulChain): unknown =>
  add({ kind: 'blocks', start: headOf(node), polled: headOf(node) }, node)

export const addTransactions = (_: FaithfulCall, node: FaithfulChain): unknown => {
  const source = node.filters.addHashes('transactions')
  return add({ kind: 'transactions', source, collected: [], start: 0n, polled: 0n }, node)
}

function required(id: unknown, { keptFilters }: FaithfulChain): KeptFilter {
  const filter = keptFilters.value.get(String(id))
  if (filter === undefined) throw new NodeError('unknownFilter', 'filter not found')
  return filter
}

const hashesAfter = (last: bigint, { chain }: FaithfulChain): unknown[] => {
  const found: unknown[] = []
  for (let number = last + 1n; number <= chain.head.block.header.number; number++)
    found.push(chain.at(number)?.block.hash)
  return found
}

function logsAfter(last: bigint, wanted: LogRange, node: FaithfulChain): unknown {
  const head = headOf(node)
  if (last >= (wanted.to !== undefined && wanted.to < head ? wanted.to : head)) return []
  return rendered(find(node, wanted, wanted.from === undefined ? undefined : last + 1n))
}

/** The filter with what it has collected since the last poll. */
function updated(filter: KeptFilter, { filters }: FaithfulChain): KeptFilter {
  if (filter.kind !== 'transactions') return filter
  const { pending } = runAtOnce(filters.poll(filter.source))
  const added = pending.filter((one) => typeof one === 'string')
  return { ...filter, collected: [...filter.collected, ...added] }
}

/** What a filter has collected since its last poll or since its start, and the position after it. */
function collected(
  filter: KeptFilter,
  since: bigint,
  node: FaithfulChain,
): readonly [result: unknown, end: bigint] {
  if (filter.kind === 'blocks') return [hashesAfter(since, node), headOf(node)]
  if (filter.kind === 'logs') return [logsAfter(since, filter.wanted, node), headOf(node)]
  return [filter.collected.slice(Number(since)), BigInt(filter.collected.length)]
}

function ask(id: unknown, since: 'polled' | 'start', node: FaithfulChain): unknown {
  const { keptFilters } = node
  const filter = updated(required(id, node), node)
  const [result, end] = collected(filter, filter[since], node)
  const polled = since === 'polled' ? end : filter.polled
  keptFilters.value = new Map(keptFilters.value).set(String(id), { ...filter, polled })
  return result
}

/** If blocks are mined at once, a poll mines a block first (node-rpc 7.1). */
export async function poll({ params: [id] }: FaithfulCall, node: FaithfulChain): Promise<unknown> {
  const { miner } = node
  if (minesAtOnce(miner.mode)) await miner.mineMany(1n)
  miner.makePostponedBlocks()
  if (id === null) throw serverError()
  return ask(id, 'polled', node)
}

export const list = ({ params: [id] }: FaithfulCall, node: FaithfulChain): unknown => ask(id, 'start', node)

export function remove({ params: [id] }: FaithfulCall, { keptFilters }: FaithfulChain): unknown {
  const rest = new Map(keptFilters.value)
  const existed = rest.delete(String(id))
  keptFilters.value = rest
  return existed
}
