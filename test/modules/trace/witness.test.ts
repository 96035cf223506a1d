/** Witnesses: @ethereumjs/vm runs blocks with nothing but them, and has to find the same state root. */

import { createBlockFromRLP, createBlockHeaderFromRLP } from '@ethereumjs/block'
import { ConsensusType } from '@ethereumjs/common'
import { createEVM } from '@ethereumjs/evm'
import { createMPT } from '@ethereumjs/mpt'
import { MerkleStateManager } from '@ethereumjs/statemanager'
import { MapDB } from '@ethereumjs/util'
import { createVM, runBlock } from '@ethereumjs/vm'
import { describe, expect, test } from '@jest/globals'
import { fromHex, toDigits, toHex } from '../../../lib/base/hex.ts'
import { keccak256 } from '../../../lib/crypto/keccak.ts'
import { libraryRules } from '../../../lib/modules/cross-check/ethereumjs/ethereumjs.ts'
import type { Node } from '../../../lib/node/node.ts'
import { withNode, withRemote } from '../../support/forks.ts'
import { call, freshNode, refusal } from '../../support/node.ts'

const AT = `0x${'ab'.repeat(20)}`
const OTHER = `0x${'cd'.repeat(20)}`

/** The state root after a block, by a machine that has only the witness. */
async function statelessRoot(node: Node, block: string): Promise<string> {
  const { state, codes, headers } = await call(node, 'debug_executionWitness', [block])
  // Miners of this node get no rewards before the merge, either.
  const common = Object.assign(libraryRules(node.network, node.network.chainId), {
    consensusType: () => ConsensusType.ProofOfStake,
  })
  const raw = await call(node, 'debug_getRawBlock', [block])
  const ancestors = headers.map((one: string) => createBlockHeaderFromRLP(fromHex(one), { common }))
  const database = new MapDB<string, string>()
  for (const value of state) await database.put(toDigits(keccak256(fromHex(value))), value.slice(2))
  const trie = await createMPT({
    useKeyHashing: true,
    db: database,
    root: ancestors.at(-1).stateRoot,
  })
  const stateManager = new MerkleStateManager({
    common,
    trie,
    prefixCodeHashes: false,
    prefixStorageTrieKeys: false,
  })
  for (const code of codes) await database.put(toDigits(keccak256(fromHex(code))), code.slice(2))
  const blockchain = {
    getBlock: async (number: number) =>
      ancestors.find((one: { number: bigint }) => one.number === BigInt(number)),
    putBlock: async () => undefined,
    shallowCopy: () => blockchain,
  }
  const evm = await createEVM({ common, stateManager, blockchain })
  const vm = await createVM({ common, stateManager, evm })
  await runBlock(vm, {
    block: createBlockFromRLP(fromHex(raw), { common }),
    skipBlockValidation: true,
    skipHeaderValidation: true,
    skipHardForkValidation: true,
  })
  return toHex(await stateManager.getStateRoot())
}

/** Mines a block with these transactions, and compares. */
async function checkBlock(node: Node, transactions: readonly object[]): Promise<void> {
  const [from] = await call(node, 'eth_accounts')
  await call(node, 'evm_setAutomine', [false])
  for (const transaction of transactions)
    await call(node, 'eth_sendTransaction', [{ from, gas: '0x30d40', ...transaction }])
  await call(node, 'evm_mine')
  const {
    number,
    stateRoot,
    transactions: mined,
  } = await call(node, 'eth_getBlockByNumber', ['latest', false])
  expect(mined).toHaveLength(transactions.length)
  expect(await statelessRoot(node, number)).toBe(stateRoot)
}

/** A node whose account AT has this code; a block after the edit has the root of its header. */
async function nodeWith(code: string, hardfork: 'london' | 'cancun' | 'osaka' = 'osaka'): Promise<Node> {
  const node = await freshNode({ network: 'ethereum', hardfork })
  await call(node, 'hardhat_setCode', [AT, code])
  // Many slots and accounts, so that the tries have branches to merge.
  for (let slot = 0; slot < 40; slot++) {
    await call(node, 'hardhat_setStorageAt', [AT, `0x${slot.toString(16)}`, `0x${'00'.repeat(31)}07`])
    await call(node, 'hardhat_setBalance', [
      `0x${'00'.repeat(18)}1${slot.toString(16).padStart(3, '0')}`,
      '0x1',
    ])
  }
  await call(node, 'evm_mine')
  return node
}

describe('a witness is enough to execute', () => {
  test.each(['london', 'cancun', 'osaka'] as const)(
    'transfers and an empty block under %s',
    async (hardfork) => {
      const node = await nodeWith('0x', hardfork)
      await checkBlock(node, [
        { to: OTHER, value: '0x1' },
        { to: AT, value: '0x2' },
      ])
      await checkBlock(node, [])
      await node.close()
    },
  )

  test('reads, writes and removals of slots', async () => {
    // sstore(calldataload(0), calldataload(32)), then sload(calldataload(64))
    const node = await nodeWith('0x60203560003555604035545000')
    const words = (...values: number[]) =>
      `0x${values.map((value) => value.toString(16).padStart(64, '0')).join('')}`
    await checkBlock(node, [{ to: AT, data: words(3, 0, 9) }])
    await checkBlock(
      node,
      Array.from({ length: 12 }, (_, slot) => ({ to: AT, data: words(slot * 3, 0, 99) })),
    )
    await checkBlock(node, [
      { to: AT, data: words(1000, 5, 1) },
      { to: AT, data: words(1000, 0, 1) },
    ])
    await node.close()
  })

  test('old block hashes, codes of others and creations', async () => {
    // extcodehash(blockhash(number - 100)), and extcodecopy of itself
    const node = await nodeWith('0x606443034080503f5060206000600030'.concat('3c00'))
    await call(node, 'hardhat_mine', ['0x80'])
    await checkBlock(node, [{ to: AT }, { data: '0x6001600055602a60005260206000f3', gas: '0xf4240' }])
    const { headers } = await call(node, 'debug_executionWitness', ['latest'])
    expect(headers).toHaveLength(100)
    await node.close()
  })

  test('contracts that destroy themselves, and withdrawals', async () => {
    const node = await nodeWith(`0x73${OTHER.slice(2)}ff`, 'london')
    await checkBlock(node, [{ to: AT }])
    await node.close()
  })
})

test('its keys are the addresses, each before its slots', async () => {
  const node = await nodeWith('0x6007545000')
  const [from] = await call(node, 'eth_accounts')
  await call(node, 'eth_sendTransaction', [{ from, to: AT }])
  const { keys, codes } = await call(node, 'debug_executionWitnessByHash', [
    (await call(node, 'eth_getBlockByNumber', ['latest', false])).hash,
  ])
  const place: number = keys.indexOf(AT)
  expect(keys[place + 1]).toBe(`0x${'00'.repeat(31)}07`)
  expect(codes).toContain('0x6007545000')
  expect(keys).toContain(from)
  await node.close()
})

test('the genesis and unknown blocks are refused', async () => {
  const node = await freshNode({ network: 'ethereum' })
  expect((await refusal(node, 'debug_executionWitness', ['earliest'])).message).toBe(
    'params[0] (block): there is no witness of block 0: it has no parent',
  )
  expect((await refusal(node, 'debug_executionWitness', ['0x9'])).kind).toBe('unknownBlock')
  await node.close()
})

test('a fork has none', () =>
  withRemote({ network: 'ethereum' }, (remote) =>
    withNode({ forkUrl: remote.url }, async (node) => {
      await call(node, 'evm_mine')
      expect((await refusal(node, 'debug_executionWitness', ['latest'])).message).toContain(
        'a fork does not have the whole state trie',
      )
    }),
  ))

test('network 33 has witnesses, too', async () => {
  const node = await freshNode()
  const [from] = await call(node, 'eth_accounts')
  await call(node, 'eth_sendTransaction', [{ from, to: OTHER, value: '0x1' }])
  const { state, keys } = await call(node, 'debug_executionWitness', ['latest'])
  expect(keys).toEqual(expect.arrayContaining([from, OTHER]))
  const { stateRoot } = await call(node, 'eth_getBlockByNumber', ['earliest', false])
  expect(state.map((one: string) => toHex(keccak256(fromHex(one))))).toContain(stateRoot)
  await node.close()
})
