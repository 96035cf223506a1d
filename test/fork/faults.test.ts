/** Faults of the remote: one request fails, nothing of it is applied, and the same request succeeds later. */

import { describe, expect, test } from '@jest/globals'
import { words } from '../support/bytecode.ts'
import type { ProxiedMessage, ProxyFault } from '../support/fault-proxy.ts'
import { errorOf, SECRET, SENDER, snapshotOf, withFaultyFork } from './support/faulty-fork.ts'
import type { FaultyFork } from './support/faulty-fork.ts'

/** Requests about slots, which are needed in the middle of an execution. */
const readsSlots = ({ requests }: ProxiedMessage): boolean =>
  requests.some(({ method }) => method === 'eth_getStorageAt')

const FAULTS: readonly (readonly [string, ProxyFault])[] = [
  ['a closed connection', 'reset'],
  ['a truncated answer', 'truncate'],
  ['no JSON', 'not JSON'],
  ['a page of HTML', 'html'],
  ['status 503', { status: 503 }],
  ['status 429', { status: 429, headers: { 'retry-after': '0' } }],
  ['wrong ids', { change: (answer) => [answer].flat().map((each: any) => ({ ...each, id: 10 ** 6 })) }],
  ['a state that was pruned', { error: { code: -32000, message: 'missing trie node abc' } }],
  ['an unknown block', { error: { code: -32001, message: 'unknown block' } }],
]

/** A write, what is done before it, and what is true after it. */
interface FailingWrite {
  readonly name: string
  readonly before?: (fork: FaultyFork) => Promise<void>
  readonly write: (fork: FaultyFork) => Promise<unknown>
  readonly blocks: bigint
}

const store = ({ world }: FaultyFork, nonce?: number) => ({
  from: SENDER,
  to: world.codes.store,
  data: words([BigInt(nonce ?? 0), 9n]),
  gas: '0x30d40',
})

/** Three pooled transactions: the first needs nothing of the remote, the others need slots. */
async function poolThree(fork: FaultyFork): Promise<void> {
  await fork.ask('evm_setAutomine', [false])
  await fork.ask('eth_sendTransaction', [{ from: SENDER, to: SENDER, value: '0x1', gas: '0x5208' }])
  for (const slot of [1, 2]) await fork.ask('eth_sendTransaction', [store(fork, slot)])
}

const WRITES: readonly FailingWrite[] = [
  {
    name: 'eth_sendTransaction',
    write: (fork) => fork.ask('eth_sendTransaction', [store(fork)]),
    blocks: 1n,
  },
  { name: 'evm_mine', before: poolThree, write: ({ ask }) => ask('evm_mine'), blocks: 1n },
  { name: 'hardhat_mine', before: poolThree, write: ({ ask }) => ask('hardhat_mine', ['0x3']), blocks: 3n },
  {
    name: 'evm_setAutomine',
    before: poolThree,
    write: ({ ask }) => ask('evm_setAutomine', [true]),
    blocks: 1n,
  },
  {
    name: 'hardhat_mine of small blocks',
    before: async (fork) => {
      await poolThree(fork)
      await fork.ask('evm_setBlockGasLimit', ['0x30d40'])
    },
    write: ({ ask }) => ask('hardhat_mine', ['0x4']),
    blocks: 4n,
  },
  {
    name: 'evm_setAutomine with small blocks',
    before: async (fork) => {
      await poolThree(fork)
      await fork.ask('evm_setBlockGasLimit', ['0x30d40'])
    },
    write: ({ ask }) => ask('evm_setAutomine', [true]),
    blocks: 3n,
  },
]

/** Sends a write while the remote has a fault, and again without it. */
async function failAndRepeat({ before, write, blocks }: FailingWrite, fault: ProxyFault): Promise<void> {
  await withFaultyFork(async (fork) => {
    await before?.(fork)
    const earlier = await snapshotOf(fork)
    const height = BigInt(await fork.ask('eth_blockNumber'))
    fork.fault = (message) => (readsSlots(message) ? fault : 'pass')
    const error = await errorOf(write(fork))
    expect(error.kind).toBe('remoteFailed')
    expect(error.message).toContain(fork.proxy.httpUrl)
    // Of the message with the slots, the first request names the error.
    expect(error.message).toMatch(/\beth_get(StorageAt|Balance)\b/)
    expect(JSON.stringify([error, error.message, error.stack, error.cause])).not.toContain(SECRET)
    expect(await snapshotOf(fork)).toEqual(earlier)
    fork.fault = () => 'pass'
    await write(fork)
    expect(BigInt(await fork.ask('eth_blockNumber'))).toBe(height + blocks)
  })
}

const [SEND, ...OTHERS] = WRITES as [FailingWrite, ...FailingWrite[]]

describe('nothing is half applied', () => {
  test.each(FAULTS)('by a transaction after %s', (_case, fault) => failAndRepeat(SEND, fault))

  test.each(OTHERS)('by $name after a closed connection', (write) => failAndRepeat(write, 'reset'))
})

describe('while the remote answers', () => {
  test.each(WRITES)('$name lets reads in, and later writes wait', async ({ before, write, blocks }) => {
    await withFaultyFork(async (fork) => {
      await before?.(fork)
      const height = await fork.ask('eth_blockNumber')
      let answer: (() => void) | undefined
      const answered = new Promise<void>((resolve) => (answer = resolve))
      let note: (() => void) | undefined
      const arrived = new Promise<void>((resolve) => (note = resolve))
      fork.fault = (message) => {
        if (!readsSlots(message)) return 'pass'
        note?.()
        return { after: answered }
      }
      const writing = write(fork)
      await arrived
      const later = fork.ask('evm_snapshot')
      expect(BigInt(await fork.ask('eth_blockNumber'))).toBeGreaterThanOrEqual(BigInt(height))
      answer?.()
      await writing
      await fork.ask('evm_revert', [await later])
      // The snapshot was taken after the write that came before it.
      expect(BigInt(await fork.ask('eth_blockNumber'))).toBe(BigInt(height) + blocks)
    })
  })
})
