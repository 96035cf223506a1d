/** EIPs of the hard forks up to London, which every Ethereum network has, as clients see them. Public tests cover the others. */

import { describe, expect, test } from '@jest/globals'
import { getContractAddress } from 'viem'
import type { Node } from '../../lib/node/node.ts'
import { call, freshNode, refusal } from '../support/node.ts'

const CONTRACT = `0x${'c0'.repeat(20)}`

/** Result of code that returns a word, as a number. */
async function run(node: Node, code: string): Promise<number> {
  const overrides = { [CONTRACT]: { code: `0x${code}60005260206000f3` } }
  return Number(await call(node, 'eth_call', [{ to: CONTRACT, gas: '0x100000' }, 'latest', overrides]))
}

/** Gas of instructions that leave one value. GAS measures before and after; POP and the second GAS cost four together. */
const gasOf = async (node: Node, code: string): Promise<number> => (await run(node, `5a${code}505a9003`)) - 4

/** Gas of a call of a precompile without data, less that of the six operands and of the warm address. */
const priceOf = async (node: Node, address: string): Promise<number> =>
  (await gasOf(node, `600060006000600060${address}61fffffa`)) - 6 * 3 - 100

/** Status of a transaction of the first account. */
async function statusOf(node: Node, transaction: object): Promise<unknown> {
  const from = node.funded[0]!.address
  const hash = await call(node, 'eth_sendTransaction', [{ from, gas: '0x100000', ...transaction }])
  return (await call(node, 'eth_getTransactionReceipt', [hash])).status
}

describe.each(['london', 'osaka'] as const)('under %s', (hardfork) => {
  const node = freshNode({ network: 'ethereum', hardfork, returnHashOnRevert: true })

  test('EIP-2: a creation costs 32,000 gas more than a call', async () => {
    expect(await call(await node, 'eth_estimateGas', [{ data: '0x' }])).toBe('0xcf08')
  })

  test('EIP-160: a byte of the exponent costs 50 gas', async () => {
    const [one, two] = [await gasOf(await node, '60ff60020a'), await gasOf(await node, '61ffff60020a')]
    expect(two - one).toBe(50)
  })

  test('EIP-658: receipts have a status', async () => {
    expect(await statusOf(await node, { to: CONTRACT })).toBe('0x1')
    expect(await statusOf(await node, { data: '0xfe' })).toBe('0x0')
  })

  test('EIP-684: a creation fails at an address with a nonce', async () => {
    const other = await freshNode({ network: 'ethereum', hardfork, returnHashOnRevert: true })
    const address = getContractAddress({ from: other.funded[0]!.address, nonce: 0n })
    await call(other, 'hardhat_setNonce', [address, '0x1'])
    expect(await statusOf(other, { data: '0x00' })).toBe('0x0')
    expect(await statusOf(other, { data: '0x00' })).toBe('0x1')
  })

  test('EIP-1108: prices of BN254', async () => {
    expect(await priceOf(await node, '06')).toBe(150)
    expect(await priceOf(await node, '07')).toBe(6000)
    expect(await priceOf(await node, '08')).toBe(45_000)
  })

  test('EIP-1344: the chain id in contracts', async () => {
    expect(await run(await node, '46')).toBe(31_337)
  })

  test('EIP-1884: the own balance costs 5 gas', async () => {
    await call(await node, 'hardhat_setBalance', [CONTRACT, '0x7'])
    expect(await run(await node, '47')).toBe(7)
    expect(await gasOf(await node, '47')).toBe(5)
  })

  test('EIP-2565 and 7883: the least price of modexp', async () => {
    expect(await priceOf(await node, '05')).toBe(hardfork === 'osaka' ? 500 : 200)
  })

  test('EIP-2681: the last nonce sends nothing', async () => {
    const from = (await node).funded[1]!.address
    await call(await node, 'hardhat_setNonce', [from, '0xffffffffffffffff'])
    const { message } = await refusal(await node, 'eth_sendTransaction', [{ from, to: CONTRACT }])
    expect(message).toMatch(/nonce/)
  })

  test('EIP-2718: the type is the first byte of a transaction', async () => {
    const [from, to] = [(await node).funded[2]!.address, CONTRACT]
    const hash = await call(await node, 'eth_sendTransaction', [{ from, to, maxFeePerGas: '0x77359400' }])
    expect(await call(await node, 'eth_getRawTransactionByHash', [hash])).toMatch(/^0x02f8/)
  })

  test('EIP-2929: the first read of a slot costs 2,100 gas, later ones 100', async () => {
    expect(await gasOf(await node, '600054')).toBe(3 + 2100)
    expect(await gasOf(await node, '60005450600054')).toBe(3 + 2100 + 2 + 3 + 100)
  })

  test('EIP-3198: the base fee in contracts', async () => {
    const { baseFeePerGas } = await call(await node, 'eth_getBlockByNumber', ['pending'])
    const overrides = { [CONTRACT]: { code: '0x4860005260206000f3' } }
    const [from] = await call(await node, 'eth_accounts')
    const request = { from, to: CONTRACT, gasPrice: '0x77359400' }
    const seen = await call(await node, 'eth_call', [request, 'pending', overrides])
    expect(BigInt(seen)).toBe(BigInt(baseFeePerGas))
  })

  test('the base fee is 0 in a call without a fee, as in geth, unless the request names one', async () => {
    const overrides = { [CONTRACT]: { code: '0x4860005260206000f3' } }
    const seen = [
      await call(await node, 'eth_call', [{ to: CONTRACT }, 'latest', overrides]),
      await call(await node, 'eth_call', [{ to: CONTRACT, gasPrice: '0x0' }, 'latest', overrides]),
      await call(await node, 'eth_call', [{ to: CONTRACT }, 'latest', overrides, { baseFeePerGas: '0x9' }]),
    ]
    expect(seen.map(Number)).toEqual([0, 0, 9])
  })

  test('EIP-3541: code does not begin with 0xef', async () => {
    expect(await statusOf(await node, { data: '0x60ef60005360016000f3' })).toBe('0x0')
    expect(await statusOf(await node, { data: '0x60ee60005360016000f3' })).toBe('0x1')
  })
})
