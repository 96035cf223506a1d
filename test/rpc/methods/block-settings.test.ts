/** Settings of the next block and of later ones, each seen in the blocks that follow. */

import { describe, expect, test } from '@jest/globals'
import type { OptionsInput } from '../../../lib/modules/options.ts'
import { call, freshNode } from '../../support/node.ts'
import { COW, COW1 } from '../../support/signing.ts'

const ETHEREUM: OptionsInput = { network: 'ethereum', accounts: 3 }

describe('blocks after a setting', () => {
  const latest = (node: Parameters<typeof call>[0]) => call(node, 'eth_getBlockByNumber', ['latest', false])

  test('have the set miner and gas limit until a revert', async () => {
    const node = await freshNode()
    const id = await call(node, 'evm_snapshot')
    await call(node, 'hardhat_setCoinbase', [COW1])
    await call(node, 'evm_setBlockGasLimit', ['0x1312d00'])
    for (let block = 0; block < 2; block++) {
      await call(node, 'evm_mine')
      expect(await latest(node)).toMatchObject({ miner: COW1, gasLimit: '0x1312d00' })
    }
    await call(node, 'evm_revert', [id])
    await call(node, 'evm_mine')
    expect((await latest(node)).miner).not.toBe(COW1)
  })

  test.each([
    ['network-33', {}, '0x1312d00'],
    ['ethereum', { hardfork: 'prague' }, '0x2faf080'],
  ] as const)('admit transactions up to the set gas limit, on %s', async (network, options, much) => {
    const node = await freshNode({ network, ...options })
    const from = node.funded[0]!.address
    const send = (gas: string) => call(node, 'eth_sendTransaction', [{ from, to: COW1, gas }])
    await call(node, 'evm_setBlockGasLimit', ['0xc350'])
    await expect(send('0x186a0')).rejects.toThrow('exceeds block gas limit')
    await call(node, 'evm_setBlockGasLimit', ['0x5f5e100'])
    expect(await call(node, 'eth_getTransactionReceipt', [await send(much)])).not.toBeNull()
  })

  test('have the set base fee, which eth_feeHistory returns before', async () => {
    const node = await freshNode(ETHEREUM)
    const lastFee = async (newest: string) =>
      (await call(node, 'eth_feeHistory', ['0x1', newest])).baseFeePerGas.at(-1)
    await call(node, 'hardhat_setNextBlockBaseFeePerGas', ['0x64'])
    expect(await lastFee('latest')).toBe('0x64')
    await call(node, 'evm_mine')
    expect(await lastFee('0x0')).toBe('0x64')
    expect(await lastFee('latest')).toBe('0x58')
  })

  test('have the set base fee and prevRandao once', async () => {
    const node = await freshNode(ETHEREUM)
    await call(node, 'hardhat_setNextBlockBaseFeePerGas', ['0x64'])
    await call(node, 'hardhat_setPrevRandao', [`0x${'11'.repeat(32)}`])
    await call(node, 'evm_mine')
    expect(await latest(node)).toMatchObject({ baseFeePerGas: '0x64', mixHash: `0x${'11'.repeat(32)}` })
    await call(node, 'evm_mine')
    expect(await latest(node)).toMatchObject({ baseFeePerGas: '0x58' })
    expect((await latest(node)).mixHash).not.toBe(`0x${'11'.repeat(32)}`)
  })

  test('have the set minimum gas price, and the pool enforces it', async () => {
    const node = await freshNode()
    await call(node, 'hardhat_setMinGasPrice', ['0x64'])
    const cheap = { from: COW, to: COW1, gas: '0x5208', gasPrice: '0x63' }
    await expect(call(node, 'eth_sendTransaction', [cheap])).rejects.toThrow()
    await call(node, 'eth_sendTransaction', [{ ...cheap, gasPrice: '0x64' }])
    expect(await latest(node)).toMatchObject({ minimumGasPrice: '0x64' })
    const ethereum = await freshNode(ETHEREUM)
    await expect(call(ethereum, 'hardhat_setMinGasPrice', ['0x64'])).rejects.toThrow('no minimum gas price')
    await expect(call(node, 'hardhat_setNextBlockBaseFeePerGas', ['0x64'])).rejects.toThrow('no base fee')
  })

  test('have timestamps at the set interval', async () => {
    const node = await freshNode()
    const times = async (): Promise<number[]> => {
      const found: number[] = []
      for (let block = 0; block < 3; block++) {
        await call(node, 'evm_mine')
        found.push(Number((await latest(node)).timestamp))
      }
      return found.map((time, index) => time - (found[index - 1] ?? time))
    }
    await call(node, 'anvil_setBlockTimestampInterval', [60])
    expect(await times()).toEqual([0, 60, 60])
    await call(node, 'hardhat_setBlockTimestampInterval', [5000])
    expect(await times()).toEqual([0, 5, 5])
    expect(await call(node, 'anvil_removeBlockTimestampInterval')).toBe(true)
    expect(await times()).toEqual([0, 1, 1])
  })
})
