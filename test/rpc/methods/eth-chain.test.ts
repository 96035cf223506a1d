import { expect, test, describe } from '@jest/globals'
import { keccak256 } from 'viem'
import { call, freshNode } from '../../support/node.ts'
import { COW1 } from '../../support/signing.ts'
import { allMethods } from '../../../scripts/all-methods.ts'
import { moduleOf } from '../../../lib/rpc/registry.ts'

test('eth_coinbase returns the miner of the next block', async () => {
  const node = await freshNode()
  const id = await call(node, 'evm_snapshot')
  expect(await call(node, 'eth_coinbase')).toBe(node.network.coinbase)
  await call(node, 'hardhat_setCoinbase', [COW1])
  expect(await call(node, 'eth_coinbase')).toBe(COW1)
  await call(node, 'evm_mine')
  expect((await call(node, 'eth_getBlockByNumber', ['latest', false])).miner).toBe(COW1)
  await call(node, 'evm_revert', [id])
  expect(await call(node, 'eth_coinbase')).toBe(node.network.coinbase)
})

test('net_version and eth_networkId return the chain id, also after anvil_setChainId', async () => {
  const node = await freshNode({ network: 'ethereum', chainId: '1234' })
  for (const name of ['net_version', 'eth_networkId']) expect(await call(node, name)).toBe('1234')
  await call(node, 'anvil_setChainId', ['0x5'])
  expect(await call(node, 'net_version')).toBe('5')
})

test('the node listens and has no peers', async () => {
  const node = await freshNode()
  expect(await call(node, 'net_listening')).toBe(true)
  expect(await call(node, 'net_peerCount')).toBe('0x0')
})

test.each(['0x', '0x00', `0x${'ab'.repeat(200)}`] as const)('web3_sha3 hashes %s like viem', async (data) => {
  expect(await call(await freshNode(), 'web3_sha3', [data])).toBe(keccak256(data))
})

test('rpc_modules returns the module of every method with version 1.0', async () => {
  const modules = await call(await freshNode(), 'rpc_modules')
  expect(new Set(Object.keys(modules))).toEqual(new Set(allMethods.methods.map(({ name }) => moduleOf(name))))
  expect(new Set(Object.values(modules))).toEqual(new Set(['1.0']))
})

const configOf = async (options: object) => (await call(await freshNode(options), 'eth_config')).current

const PRECOMPILES_OF_CANCUN = [
  'BLAKE2F',
  'BN254_ADD',
  'BN254_MUL',
  'BN254_PAIRING',
  'ECREC',
  'ID',
  'KZG_POINT_EVALUATION',
  'MODEXP',
  'RIPEMD160',
  'SHA256',
]
const PRECOMPILES_OF_PRAGUE = [
  'BLS12_G1ADD',
  'BLS12_G1MSM',
  'BLS12_G2ADD',
  'BLS12_G2MSM',
  'BLS12_MAP_FP2_TO_G2',
  'BLS12_MAP_FP_TO_G1',
  'BLS12_PAIRING_CHECK',
  ...PRECOMPILES_OF_CANCUN,
]

describe('eth_config', () => {
  test.each([
    ['shanghai', PRECOMPILES_OF_CANCUN.filter((name) => !name.startsWith('KZG')), null],
    ['cancun', PRECOMPILES_OF_CANCUN, { baseFeeUpdateFraction: 3_338_477, max: 6, target: 3 }],
    ['prague', PRECOMPILES_OF_PRAGUE, { baseFeeUpdateFraction: 5_007_716, max: 9, target: 6 }],
    [
      'osaka',
      [...PRECOMPILES_OF_PRAGUE, 'P256VERIFY'],
      { baseFeeUpdateFraction: 5_007_716, max: 9, target: 6 },
    ],
  ])('returns the precompiles and the blob schedule of %s', async (hardfork, names, blobSchedule) => {
    const config = await configOf({ network: 'ethereum', hardfork })
    expect(Object.keys(config.precompiles)).toEqual(names.toSorted())
    expect(config.blobSchedule).toEqual(blobSchedule)
    expect(config.precompiles).toMatchObject({ ECREC: `0x${'00'.repeat(19)}01` })
  })

  test('returns chain id, fork id and system contracts', async () => {
    const config = await configOf({ network: 'ethereum', hardfork: 'prague', chainId: '1234' })
    expect(config).toMatchObject({ activationTime: 0, chainId: '0x4d2' })
    expect(config.systemContracts).toMatchObject({
      BEACON_ROOTS_ADDRESS: '0x000f3df6d732807ef1319fb7b8bb8522d0beac02',
      HISTORY_STORAGE_ADDRESS: '0x0000f90827f1c53a10cb7a02335b175320002935',
    })
  })

  test('returns every precompile of network 33, and no blob schedule', async () => {
    const node = await freshNode()
    const { current, next, last } = await call(node, 'eth_config')
    expect([current.blobSchedule, next, last]).toEqual([null, null, null])
    expect(Object.values(current.precompiles).toSorted()).toEqual([...node.precompiles.keys()].toSorted())
    expect(current.precompiles).toMatchObject({ BRIDGE: '0x0000000000000000000000000000000001000006' })
  })
})
