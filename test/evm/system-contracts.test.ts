import { describe, expect, test } from '@jest/globals'
import { fromHex, padTo32, toHash, toQuantity, toWord } from '../../lib/base/hex.ts'
import {
  BEACON_ROOTS,
  BLOCK_HASHES,
  recordBlock,
  systemContracts,
  withRecords,
} from '../../lib/evm/system-contracts.ts'
import type { Hardfork } from '../../lib/config/eips.ts'
import { ZERO_HASH } from '../../lib/chain/header.ts'
import type { Node } from '../../lib/node/node.ts'
import { StateRoot } from '../../lib/state/state-root.ts'
import { State } from '../../lib/state/state.ts'
import { differenceOf } from '../../lib/state/difference.ts'
import { constantSource } from '../support/constant-source.ts'
import { words } from '../support/bytecode.ts'
import { call, freshNode, refusal } from '../support/node.ts'

async function minedNode(hardfork: Hardfork, blocks: number): Promise<Node> {
  const node = await freshNode({ network: 'ethereum', hardfork })
  await node.miner.mineMany(BigInt(blocks))
  return node
}

const reading = (to: string, word: bigint) => [{ to, data: words([word]) }, 'latest']

describe('contract of beacon roots (EIP-4788)', () => {
  test('returns the root of every block by its timestamp', async () => {
    const node = await minedNode('cancun', 5)
    for (const number of [1n, 3n, 5n]) {
      const { timestamp, parentBeaconBlockRoot } = node.chain.at(number)!.block.header
      expect(await call(node, 'eth_call', reading(BEACON_ROOTS.address, timestamp))).toBe(
        parentBeaconBlockRoot,
      )
    }
  })

  test('reverts for a timestamp without a block', async () => {
    const node = await minedNode('cancun', 1)
    const { timestamp } = node.chain.head.block.header
    const { kind } = await refusal(node, 'eth_call', reading(BEACON_ROOTS.address, timestamp + 1n))
    expect(kind).toBe('reverted')
  })
})

describe('contract of block hashes (EIP-2935)', () => {
  test('returns the hash of every block below the newest, genesis included', async () => {
    const node = await minedNode('prague', 4)
    for (const number of [0n, 1n, 3n]) {
      expect(await call(node, 'eth_call', reading(BLOCK_HASHES.address, number))).toBe(
        node.chain.at(number)!.block.hash,
      )
    }
  })

  test('reverts for the block it is called in', async () => {
    const node = await minedNode('prague', 4)
    expect(await refusal(node, 'eth_call', reading(BLOCK_HASHES.address, 4n))).toMatchObject({
      kind: 'reverted',
    })
  })

  test('serves 8191 blocks and overwrites the oldest', () => {
    const state = new State(StateRoot.empty)
    state.putCode(BLOCK_HASHES.address, BLOCK_HASHES.code)
    const hashAfter = (number: bigint) => toHash(BLOCK_HASHES.values(blockOf(number))[0]![1])
    for (const number of [1n, 8191n, 8192n]) recordBlock(state, [BLOCK_HASHES], blockOf(number))
    // Block 8192 writes where block 1 did.
    expect(state.commitRoot().storageAt(BLOCK_HASHES.address, ZERO_HASH)).toBe(hashAfter(8192n))
  })
})

const MAX_WORD = `0x${'ff'.repeat(32)}`

describe('blocks that are recorded together leave the state that they leave one by one', () => {
  const contracts = [BEACON_ROOTS, BLOCK_HASHES]
  const codeOf = (address: string) => contracts.find((contract) => contract.address === address)?.code

  /** A state in which slots of both rings have values already. */
  function stateWithOldRecords(state: State): StateRoot {
    for (const { address, code } of contracts) state.putCode(address, code)
    for (const number of [1n, 8n, 8190n, 8192n])
      recordBlock(state, contracts, { ...blockOf(number), parentBeaconBlockRoot: toHash(fromHex(MAX_WORD)) })
    return state.commitRoot()
  }

  test.each<[string, StateRoot]>([
    ['of a chain of its own', stateWithOldRecords(new State(StateRoot.empty))],
    ['of a fork', stateWithOldRecords(new State(new StateRoot(undefined, constantSource(codeOf))))],
    ['of a fork that has written nothing', new StateRoot(undefined, constantSource(codeOf))],
    ['without the contracts', StateRoot.empty],
  ])('in a state %s', (_case, root) => {
    // More blocks than a ring has slots.
    const blocks = Array.from({ length: 8300 }, (_, index) => {
      const { number, timestamp, parentHash } = blockOf(BigInt(index + 2))
      return { number, timestamp, parentHash }
    })
    const state = new State(root)
    for (const block of blocks) recordBlock(state, contracts, block)
    const together = withRecords(root, contracts, blocks)
    expect(together.hash).toBe(state.commitRoot().hash)
    expect(differenceOf(state.base, together)).toEqual([])
  })
})

/** Sender of the protocol's calls (EIP-4788, EIP-2935). */
const SYSTEM = '0xfffffffffffffffffffffffffffffffffffffffe'

interface StateDiff {
  readonly post: Readonly<Record<string, { readonly storage?: Readonly<Record<string, string>> }>>
}

function blockOf(number: bigint) {
  const parentHash = `0x${number.toString(16).padStart(64, '0')}` as typeof ZERO_HASH
  return { number, timestamp: number * 12n, parentHash, parentBeaconBlockRoot: ZERO_HASH }
}

describe('system contracts', () => {
  test.each([BEACON_ROOTS, BLOCK_HASHES])(
    'write the values of $name when the system calls them',
    async (contract) => {
      const { address, values } = contract
      const node = await minedNode('prague', 1)
      const [number, timestamp] = [8200n, 2_000_000_000n]
      const hash = toHash(new Uint8Array(32).fill(7))
      const callBySystem = { from: SYSTEM, to: address, data: hash }
      const blockOverrides = { number: toQuantity(number), time: toQuantity(timestamp) }
      const tracer = { tracer: 'prestateTracer', tracerConfig: { diffMode: true }, blockOverrides }
      const { post } = (await call(node, 'debug_traceCall', [callBySystem, 'latest', tracer])) as StateDiff
      const written = values({ number, timestamp, parentHash: hash, parentBeaconBlockRoot: hash })
      expect(post[address]?.storage).toEqual(
        Object.fromEntries(written.map(([slot, value]) => [toWord(slot), toHash(padTo32(value))])),
      )
    },
  )

  test.each([
    ['london', []],
    ['shanghai', []],
    ['cancun', [BEACON_ROOTS]],
    ['prague', [BEACON_ROOTS, BLOCK_HASHES]],
    ['osaka', [BEACON_ROOTS, BLOCK_HASHES]],
  ] as const)('%s has those of its EIPs', (hardfork, expected) => {
    expect(systemContracts({ ownEips: undefined, hardfork, eips: [] })).toEqual(expected)
    expect(systemContracts({ ownEips: [], hardfork, eips: [] })).toEqual([])
  })

  test('without code are not written to', () => {
    const state = new State(StateRoot.empty)
    recordBlock(state, [BEACON_ROOTS, BLOCK_HASHES], blockOf(7n))
    expect(state.commitRoot().hash).toBe(StateRoot.empty.hash)
  })
})
