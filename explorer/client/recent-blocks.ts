/** The newest blocks with their receipts. A block never changes, so that each is asked for once, whatever the chain does. */

import type { BlockObject, ReceiptObject } from '../../lib/embed/rpc-types.ts'
import { ask } from './json-rpc.ts'

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
  const head = Number(await ask('eth_blockNumber'))
  const numbers = Array.from({ length: Math.min(count, head + 1) }, (_, index) => head - index)
  // The chain may change in between: what does not belong to the newest block is left out.
  const headers = (await Promise.all(numbers.map((number) => ask('eth_getHeaderByNumber', number)))).filter(
    (one) => one !== null,
  )
  const linked = headers.filter((one, index) => index === 0 || headers[index - 1]?.parentHash === one.hash)
  const hashes = linked.map(({ hash }) => hash).filter((hash) => hash !== null)
  const blocks = await Promise.all(hashes.map(blockWith))
  for (const hash of [...known.keys()].slice(0, Math.max(0, known.size - KEPT))) known.delete(hash)
  return blocks.filter((one) => one !== undefined)
}

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

async function load(hash: string): Promise<RecentBlock | undefined> {
  const [block, receipts] = await Promise.all([
    ask('eth_getBlockByHash', hash, true),
    ask('eth_getBlockReceipts', hash),
  ])
  if (block === null || block.hash === null || receipts === null) return undefined
  return { block: { ...block, hash: block.hash }, receipts }
}

/** Number of the block's transactions that reverted. */
export const revertedIn = ({ receipts }: RecentBlock): number =>
  receipts.filter(({ status }) => status === '0x0').length
