import { expect, test, describe } from '@jest/globals'
import { call, freshNode, refusal } from '../../support/node.ts'
import { afterTransfer, UNKNOWN } from '../support/mined-transfer.ts'
import { runAtOnce } from '../../../lib/base/routine.ts'
import { headerHash } from '../../../lib/chain/header.ts'
import { ChainEntry } from '../../../lib/chain/chain-entry.ts'
import { sealBlock } from '../../../lib/chain/miner/seal.ts'
import { variant } from '../../modules/network-33/support/merged-mining.ts'

test('eth_getBlocksByNumber returns the canonical block at a height', async () => {
  const { node, block } = await afterTransfer()
  const { hash, totalDifficulty, number } = block
  expect(await call(node, 'eth_getBlocksByNumber', [number])).toEqual([
    { hash, totalDifficulty, inMainChain: true },
  ])
  expect(await call(node, 'eth_getBlocksByNumber', [String(Number(number))])).toHaveLength(1)
})

test('eth_getBlocksByNumber returns the side blocks at a height, too', async () => {
  const node = await freshNode()
  const { head: parent } = node.chain
  const context = { ...node.miner.nextBlockContext(parent), extraData: new Uint8Array([1]) }
  runAtOnce(node.miner.mine())
  const { state } = parent
  const side = sealBlock(node.network, { parent, context, receipts: [], state, uncles: [] })
  node.chain.add(new ChainEntry({ block: side, state, parent }))
  expect(await call(node, 'eth_getBlocksByNumber', ['0x1'])).toEqual([
    { hash: node.chain.head.hash, totalDifficulty: '0x2', inMainChain: true },
    { hash: side.hash, totalDifficulty: '0x2', inMainChain: false },
  ])
  expect(await call(node, 'eth_getBlocksByNumber', ['0x2'])).toEqual([])
})

describe.each(['ethereum', 'network-33'])('eth_getHeaderBy* on %s', (network) => {
  test('returns the block without its body', async () => {
    const node = await freshNode({ network })
    await call(node, 'evm_mine')
    const { size, transactions, uncles, withdrawals, ...header } = await call(node, 'eth_getBlockByNumber', [
      '0x1',
    ])
    expect([size, transactions, uncles]).toEqual([expect.any(String), [], []])
    expect(withdrawals).toEqual(network === 'ethereum' ? [] : undefined)
    expect(await call(node, 'eth_getHeaderByNumber', ['0x1'])).toEqual(header)
    expect(await call(node, 'eth_getHeaderByHash', [header.hash])).toEqual(header)
    expect(await call(node, 'eth_getHeaderByNumber', ['0x5'])).toBeNull()
  })

  test('returns the pending block without a hash, and with a nonce in every dialect but node33', async () => {
    const node = await freshNode({ network })
    for (const dialect of ['node33', 'ethereum'] as const) {
      const header = await call(node, 'eth_getHeaderByNumber', ['pending'], dialect)
      expect(header).toMatchObject({
        hash: null,
        number: '0x1',
        nonce: dialect === 'node33' ? null : expect.any(String),
      })
    }
  })
})

/** An uncle that the node did not keep as a side block. */
const UNKEPT = variant({ number: 1n, difficulty: 3n })

/** A node whose head names that uncle, and another one that is kept as a side block. */
async function nodeWithUncles() {
  const node = await freshNode()
  runAtOnce(node.miner.mine())
  const parent = node.chain.head
  const { state } = parent
  const uncles = [UNKEPT, parent.block.header]
  const block = sealBlock(node.network, {
    parent,
    context: node.miner.nextBlockContext(),
    receipts: [],
    state,
    uncles,
  })
  node.chain.add(new ChainEntry({ block, state, parent }))
  return { node, head: block, kept: parent.block }
}

test('uncles are counted and listed', async () => {
  const { node, head, kept } = await nodeWithUncles()
  expect(await call(node, 'eth_getUncleCountByBlockHash', [head.hash])).toBe('0x2')
  expect(await call(node, 'eth_getUncleCountByBlockNumber', ['latest'])).toBe('0x2')
  const block = await call(node, 'eth_getBlockByHash', [head.hash])
  expect(block.uncles).toEqual([headerHash(UNKEPT), kept.hash])
  expect([block.difficulty, block.cumulativeDifficulty, block.totalDifficulty]).toEqual(['0x1', '0x5', '0x7'])
})

test('an uncle that is not a known block is returned from its header, without a total difficulty', async () => {
  const { node, head } = await nodeWithUncles()
  const uncle = await call(node, 'eth_getUncleByBlockHashAndIndex', [head.hash, '0x0'])
  expect(uncle).toMatchObject({
    hash: headerHash(UNKEPT),
    number: '0x1',
    difficulty: '0x3',
    totalDifficulty: '0x0',
    transactions: [],
    uncles: [],
  })
  expect(await call(node, 'eth_getUncleByBlockNumberAndIndex', ['latest', '0x0'])).toEqual(uncle)
})

test('an uncle that is a side block is returned as a block without transactions', async () => {
  const { node, head, kept } = await nodeWithUncles()
  const uncle = await call(node, 'eth_getUncleByBlockHashAndIndex', [head.hash, '0x1'])
  expect(uncle).toEqual({ ...(await call(node, 'eth_getBlockByHash', [kept.hash])), transactions: [] })
  expect(await call(node, 'eth_getUncleByBlockHashAndIndex', [head.hash, '0x2'])).toBeNull()
})

describe('uncles', () => {
  test('of a block without uncles are zero and null', async () => {
    const { node, block } = await afterTransfer()
    expect(await call(node, 'eth_getUncleCountByBlockHash', [block.hash])).toBe('0x0')
    expect(await call(node, 'eth_getUncleCountByBlockNumber', ['pending'])).toBe('0x0')
    expect(await call(node, 'eth_getUncleByBlockHashAndIndex', [block.hash, '0x0'])).toBeNull()
    expect(await call(node, 'eth_getUncleByBlockNumberAndIndex', [block.number, '0x0'])).toBeNull()
  })

  test('of an unknown block are an error', async () => {
    const node = await freshNode()
    expect(await refusal(node, 'eth_getUncleCountByBlockHash', [UNKNOWN])).toEqual({
      kind: 'unknownBlock',
      message: `Block with hash ${UNKNOWN} not found`,
    })
    expect((await refusal(node, 'eth_getUncleCountByBlockNumber', ['0x9'])).kind).toBe('unknownBlock')
  })
})

test.each(['eth_getBlockAccessList', 'debug_getRawBlockAccessList'])(
  '%s returns null for a block that is unknown or has no list',
  async (method) => {
    const node = await freshNode({ network: 'ethereum' })
    await call(node, 'evm_mine')
    for (const block of ['latest', '0x99', `0x${'12'.repeat(32)}`])
      expect(await call(node, method, [block])).toBeNull()
    expect((await refusal(node, method, ['newest'])).message).toMatch(/block/)
  },
)

test('eth_getBlockAccessList has the changes of each part of a block', async () => {
  const node = await freshNode({ network: 'ethereum', hardfork: 'amsterdam' })
  const from = node.funded[0]!.address
  await call(node, 'evm_setAutomine', [false])
  // Each stores the number of its own value and reads the slot after it: SSTORE, SLOAD.
  const address = `0x${'c0'.repeat(20)}`
  await call(node, 'hardhat_setCode', [address, '0x345f556001545000'])
  for (const value of ['0x1', '0x2'])
    await call(node, 'eth_sendTransaction', [{ from, to: address, value, gas: '0x30000' }])
  await call(node, 'evm_mine')
  const list: { address: string }[] = await call(node, 'eth_getBlockAccessList', ['latest'])
  const word = (value: number) => `0x${value.toString(16).padStart(64, '0')}`
  expect(list.find((account) => account.address === address)).toEqual({
    address,
    storageChanges: [
      {
        key: word(0),
        changes: [
          { index: '0x1', value: word(1) },
          { index: '0x2', value: word(2) },
        ],
      },
    ],
    storageReads: [word(1)],
    balanceChanges: [
      { index: '0x1', value: '0x1' },
      { index: '0x2', value: '0x3' },
    ],
    nonceChanges: [],
    codeChanges: [],
  })
})
