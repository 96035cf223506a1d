/** Methods that return fees. */

import { describe, expect, test } from '@jest/globals'
import { call, freshNode, refusal } from '../../support/node.ts'

describe('suggested fees', () => {
  test('eth_maxPriorityFeePerGas is eth_gasPrice less the base fee', async () => {
    const node = await freshNode({ network: 'ethereum' })
    const price = BigInt(await call(node, 'eth_gasPrice'))
    const tip = BigInt(await call(node, 'eth_maxPriorityFeePerGas'))
    expect(price - tip).toBe(BigInt((await call(node, 'eth_getBlockByNumber', ['pending'])).baseFeePerGas))
  })

  test.each([
    ['cancun', '0x1'],
    ['shanghai', '0x0'],
  ] as const)('eth_blobBaseFee under %s is %s', async (hardfork, fee) => {
    const node = await freshNode({ network: 'ethereum', hardfork })
    expect(await call(node, 'eth_blobBaseFee')).toBe(fee)
  })
})

test.each([
  ['network-33', 'hardhat_setMinGasPrice'],
  ['ethereum', 'hardhat_setNextBlockBaseFeePerGas'],
])('eth_gasPrice on %s has at most 256 bits', async (network, method) => {
  const node = await freshNode({ network })
  const highest = `0x${'f'.repeat(64)}`
  await call(node, method, [highest])
  if (network === 'network-33') await call(node, 'evm_mine')
  expect(await call(node, 'eth_gasPrice')).toBe(highest)
})

test.each([
  ['equal', [50, 50]],
  ['falling', [50, 10]],
])('eth_feeHistory refuses %s percentiles, as geth does', async (_case, percentiles) => {
  const { kind, message } = await refusal(await freshNode(), 'eth_feeHistory', ['0x1', 'latest', percentiles])
  expect(kind).toBe('invalidParams')
  expect(message).toContain('expected strictly rising percentiles')
})

test('eth_baseFee returns the base fee of the next block', async () => {
  const node = await freshNode({ network: 'ethereum' })
  await call(node, 'hardhat_setNextBlockBaseFeePerGas', ['0x123'])
  expect(await call(node, 'eth_baseFee')).toBe('0x123')
  await call(node, 'evm_mine')
  const next = await call(node, 'eth_baseFee')
  await call(node, 'evm_mine')
  expect((await call(node, 'eth_getBlockByNumber', ['latest'])).baseFeePerGas).toBe(next)
})
