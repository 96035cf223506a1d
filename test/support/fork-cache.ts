/** Fork caches in temporary folders, and processes that use them. */

import { asHash } from '../../lib/base/hex.ts'
import type { Host } from '../../lib/base/host.ts'
import { realHost } from '../../lib/base/host.ts'
import type { ForkedBlock } from '../../lib/fork/cached-forks.ts'
import { forkCache } from '../../lib/fork/fork-cache.ts'

/** The block that most tests fork from. */
export const BLOCK: ForkedBlock = blockOf(18_000_000)

/** A block of chain 1 that differs by its number. */
export function blockOf(number: number, chainId = 1n): ForkedBlock {
  const blockHash = asHash(`0x${number.toString(16).padStart(64, '0')}`)
  return { chainId, blockNumber: BigInt(number), blockHash }
}

/** The fact that has the header of a block, as far as it is read where headers are not hashed. */
export const headerFact = ({ blockNumber, blockHash }: ForkedBlock) => {
  const number = `0x${blockNumber.toString(16)}`
  return { [`eth_getBlockByNumber ["${number}",true]`]: { number, hash: blockHash } }
}

/** A cache and the faults that it reports. */
export function cacheIn(folder: string, more: { readonly host?: Host; readonly maxBytes?: number } = {}) {
  const faults: string[] = []
  const onFault = (sentence: string): void => void faults.push(sentence)
  return { cache: forkCache(folder, { host: realHost, onFault, ...more }), faults }
}

/** Adds facts as a node would that starts, learns them and ends. Returns the faults. */
export async function addFacts(
  folder: string,
  facts: Readonly<Record<string, unknown>>,
  block = BLOCK,
): Promise<readonly string[]> {
  const { cache, faults } = cacheIn(folder)
  const store = await cache.openStore(block)
  for (const [key, value] of Object.entries(facts)) store.put(key, value)
  await store.close()
  return faults
}

/** Start of a module in a process of its own: `cache`, `block`, and the arguments from the second one. */
export const CACHE_MODULE = `
  import { forkCache } from './lib/fork/fork-cache.ts'
  import { realHost } from './lib/base/host.ts'
  const [folder, ...args] = process.argv.slice(2)
  const onFault = (sentence) => console.log('fault: ' + sentence)
  const cache = forkCache(folder, { host: realHost, onFault })
  const block = { chainId: 1n, blockNumber: 18000000n, blockHash: '${BLOCK.blockHash}' }
`
