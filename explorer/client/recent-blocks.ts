/** The newest blocks with their receipts. A block never changes, so that each is asked for once, whatever the chain does. */

import type { BlockObject, ReceiptObject } from '../../lib/embed/rpc-types.ts'
import { ask } from './json-rpc.ts'
import { headNumber } from './live.ts'

/** A block and how its transactions ended. */
export interface RecentBlock {
  readonly block: BlockObject & { readonly hash: string }
  readonly receipts: readonly ReceiptObject[]
}

/** Blocks that are kept for chains that revert to them. */
const KEPT = 500

const known = new Map<string, Promise<RecentBlock | undefined>>()

/** The newest blocks, newest first. */
export async function recentBlocks(count: number): Promise<readonly RecentBlock[]> {
  if (known.size === 0) return firstBlocks(count)
  const head = headNumber.peek() ?? Number(await ask('eth_blockNumber'))
  const headers = await Promise.all(
    numbersBelow(head + 1, count).map((number) => ask('eth_getHeaderByNumber', number)),
  )
  const hashes = linked(headers.filter((one) => one !== null)).map(({ hash }) => hash)
  const blocks = await Promise.all(hashes.filter((hash) => hash !== null).map(blockWith))
  for (const hash of [...known.keys()].slice(0, Math.max(0, known.size - KEPT))) known.delete(hash)
  return blocks.filter((one) => one !== undefined)
}

/** Numbers of the newest `count` of so many blocks, newest first. */
const numbersBelow = (blocks: number, count: number): readonly number[] =>
  Array.from({ length: Math.min(count, blocks) }, (_, index) => blocks - 1 - index)

/** The blocks of a page that knows none: one request is faster than a look at their headers before. A new chain has just the newest. */
async function firstBlocks(count: number): Promise<readonly RecentBlock[]> {
  const newest = await load('latest')
  // A block that was mined meanwhile has other receipts.
  const older = Number(newest?.block.number ?? 1 + Number(await ask('eth_blockNumber')))
  const blocks = [newest, ...(await Promise.all(numbersBelow(older, count - 1).map(load)))]
  const found = blocks.filter((one) => one !== undefined)
  for (const one of found) known.set(one.block.hash, Promise.resolve(one))
  const hashes = new Set(linked(found.map(({ block }) => block)).map(({ hash }) => hash))
  return found.filter(({ block }) => hashes.has(block.hash))
}

/** The chain may change in between: what does not belong to the newest block is left out. */
const linked = <Header extends { readonly hash: string | null; readonly parentHash: string }>(
  headers: readonly Header[],
): readonly Header[] =>
  headers.filter((one, index) => index === 0 || headers[index - 1]?.parentHash === one.hash)

/** The block with a hash; undefined if there is none. */
export function blockWith(hash: string): Promise<RecentBlock | undefined> {
  const block = known.get(hash) ?? load(hash)
  known.set(hash, block)
  block.then(
    (found) => found === undefined && known.delete(hash),
    () => known.delete(hash),
  )
  return block
}

async function load(at: string | number): Promise<RecentBlock | undefined> {
  const [block, receipts] = await Promise.all([
    typeof at === 'number' || at === 'latest'
      ? ask('eth_getBlockByNumber', at, true)
      : ask('eth_getBlockByHash', at, true),
    ask('eth_getBlockReceipts', at),
  ])
  if (block === null || block.hash === null || receipts?.length !== block.transactions.length)
    return undefined
  // Of another block at this height.
  if (receipts.some(({ blockHash }) => blockHash !== block.hash)) return undefined
  return { block: { ...block, hash: block.hash }, receipts }
}

/** Number of the block's transactions that reverted. */
export const revertedIn = ({ receipts }: RecentBlock): number =>
  receipts.filter(({ status }) => status === '0x0').length
