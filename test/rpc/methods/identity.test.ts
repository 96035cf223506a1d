/** Results by which clients recognize the node. */

import { describe, expect, test } from '@jest/globals'
import { call, freshNode } from '../../support/node.ts'
import { answerOf, withServer } from '../../support/server.ts'

test('anvil_getGenesisTime returns the timestamp of genesis', async () => {
  const node = await freshNode()
  await call(node, 'ganache_mine', [{ blocks: 2 }])
  const { timestamp, number } = await call(node, 'eth_getBlockByNumber', ['earliest', false])
  expect([await call(node, 'anvil_getGenesisTime'), number]).toEqual([Number(timestamp), '0x0'])
  expect(await call(node, 'eth_blockNumber')).toBe('0x2')
})

describe('clients recognize the node', () => {
  test('by Hardhat and Foundry', async () => {
    const node = await freshNode()
    await call(node, 'evm_mine')
    const { hash } = await call(node, 'eth_getBlockByNumber', ['latest', false])
    expect(await call(node, 'hardhat_metadata')).toEqual({
      clientVersion: await call(node, 'web3_clientVersion'),
      chainId: 33,
      instanceId: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      latestBlockNumber: 1,
      latestBlockHash: hash,
    })
    const id = await call(node, 'evm_snapshot')
    expect(await call(node, 'anvil_metadata')).toMatchObject({
      forkedNetwork: null,
      snapshots: { [id]: [1, hash] },
    })
    expect(await call(node, 'anvil_nodeInfo')).toMatchObject({
      currentBlockNumber: '0x1',
      currentBlockHash: hash,
      environment: { chainId: 33 },
    })
  })

  test('by its release', async () => {
    const version = (release: string) =>
      freshNode({ release }).then((node) => call(node, 'web3_clientVersion'))
    expect(await version('6.5.0')).toMatch(/^HardhatNetwork\/compatible\/dev-node\/\d+\.\d+\.\d+\/6\.5\.0$/)
    expect(await call(await freshNode(), 'web3_clientVersion')).toMatch(/\/9\.0\.3$/)
  })

  test('by an instance id of its own for each world, as the upgrades plugin of OpenZeppelin needs it', async () => {
    const node = await freshNode({ frozenTime: true })
    expect((await call(node, 'web3_clientVersion')).split('/')[0]).toBe('HardhatNetwork')
    const instances = ['one', 'two'].map(async (id) => {
      const { instanceId } = await call(node.worlds.create(id).chain, 'anvil_metadata')
      return instanceId
    })
    const own = (await call(node, 'hardhat_metadata')).instanceId
    expect(new Set([own, ...(await Promise.all(instances))]).size).toBe(3)
  })
})

test.each([
  ['has', { network: 'ethereum' }, { result: expect.anything() }],
  ['lacks', { network: 'network-33' }, { error: { code: -32601 } }],
  ['lacks', { network: 'ethereum', chainId: 1, blockGasLimit: 10_000_000 }, { error: { code: -32601 } }],
  ['has', { network: 'network-33', chainId: 31337 }, { result: expect.anything() }],
])(
  'a server %s hardhat_metadata with %j, at which hardhat-ethers gives 16,777,216 gas to each transaction',
  async (_case, options, answer) => {
    await withServer(options, async ({ url }) => {
      expect(await answerOf(url, 'hardhat_metadata', [])).toMatchObject(answer)
    })
  },
)

test('hardhat_getStackTraceFailuresCount returns 0', async () => {
  expect(await call(await freshNode(), 'hardhat_getStackTraceFailuresCount')).toBe(0)
})

test('the id of the chain changes with a reset, and only then', async () => {
  const node = await freshNode()
  const id = async () => (await call(node, 'hardhat_metadata')).instanceId
  const before = await id()
  await call(node, 'evm_revert', [await call(node, 'evm_snapshot')])
  expect(await id()).toBe(before)
  await call(node, 'hardhat_reset')
  expect(await id()).not.toBe(before)
})
