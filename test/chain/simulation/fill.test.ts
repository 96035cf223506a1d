import { describe, expect, test } from '@jest/globals'
import { finish } from '../../../lib/base/routine.ts'
import type { TransactionFields } from '../../../lib/evm/transaction.ts'
import type { Node } from '../../../lib/node/node.ts'
import { fillTransaction } from '../../../lib/chain/simulation/fill.ts'
import type { TransactionRequest } from '../../../lib/chain/simulation/transaction-request.ts'
import { CONTRACTS, creationCode } from '../../support/bytecode.ts'
import { call, freshNode } from '../../support/node.ts'
import { COW, COW1 } from '../../support/signing.ts'

const GWEI = 10n ** 9n

async function filled(node: Node, draft: TransactionRequest): Promise<TransactionFields> {
  const [from, to] = node.funded.map(({ address }) => address)
  const fields = await finish(fillTransaction({ to, ...draft }, from!, node, node.miner.nextBlock()))
  if ('status' in fields) throw new Error(fields.status)
  return fields
}

const accessList = [
  { address: `0x${'ab'.repeat(20)}` as NonNullable<TransactionRequest['to']>, storageKeys: [] },
]

describe('filling in, on ethereum', () => {
  test.each<readonly [string, TransactionRequest, number, bigint, bigint]>([
    ['nothing', {}, 2, 2n * GWEI + GWEI, GWEI],
    ['a gas price', { gasPrice: 3n * GWEI }, 0, 3n * GWEI, 3n * GWEI],
    ['a gas price and a list', { gasPrice: 3n * GWEI, accessList }, 1, 3n * GWEI, 3n * GWEI],
    ['a list', { accessList }, 2, 3n * GWEI, GWEI],
    ['a maximum', { maxFeePerGas: 5n * GWEI }, 2, 5n * GWEI, GWEI],
    ['a maximum below the usual tip', { maxFeePerGas: 7n }, 2, 7n, 7n],
    ['a tip', { maxPriorityFeePerGas: 2n * GWEI }, 2, 4n * GWEI, 2n * GWEI],
    ['a type and a gas price', { type: 2n, gasPrice: 3n * GWEI }, 2, 3n * GWEI, 3n * GWEI],
    ['an old type', { type: 0n }, 0, 2n * GWEI, 2n * GWEI],
    ['an authorization list', { authorizationList: [] }, 4, 3n * GWEI, GWEI],
  ])('with %s sets type and fees', async (_case, draft, type, maxFeePerGas, maxPriorityFeePerGas) => {
    // The base fee falls by an eighth: with this base fee of genesis that of the next block is one gwei.
    const node = await freshNode({ network: 'ethereum', baseFee: '1142857142' })
    expect(await filled(node, { gas: 100_000n, ...draft })).toMatchObject({
      type,
      maxFeePerGas,
      maxPriorityFeePerGas,
    })
  })

  test('estimates the gas', async () => {
    const node = await freshNode({ network: 'ethereum' })
    expect(await filled(node, { value: 1n })).toMatchObject({ gasLimit: 21_000n })
  })

  test('returns the error of a failed estimate', async () => {
    const node = await freshNode({ network: 'ethereum' })
    const { address } = node.funded[0]!
    const estimated = fillTransaction({ data: CONTRACTS.revert }, address, node, node.miner.nextBlock())
    expect(await finish(estimated)).toMatchObject({ status: 'reverted' })
  })
})

describe('filling in, on network 33', () => {
  test('has the defaults of the service spec', async () => {
    expect(await filled(await freshNode(), {})).toMatchObject({
      type: 0,
      gasLimit: 90_000n,
      maxFeePerGas: 0n,
      value: 0n,
    })
  })

  test.each(['network-33', 'ethereum'])(
    'estimates a creation whatever the default gas is, on %s',
    async (network) => {
      const node = await freshNode({ network, defaultGas: '90000' })
      const data = creationCode(new Uint8Array(2000))
      const { gasLimit } = await filled(node, { to: undefined, data })
      expect(gasLimit).toBeGreaterThan(400_000n)
      expect(await filled(node, {})).toMatchObject({ gasLimit: 90_000n })
      expect(await filled(node, { to: undefined, data, gas: 90_000n })).toMatchObject({ gasLimit: 90_000n })
    },
  )

  test('has the price 0 even above a minimum, as the reference node', async () => {
    const node = await freshNode()
    await call(node, 'hardhat_setMinGasPrice', ['0x5'])
    expect(await filled(node, {})).toMatchObject({ maxFeePerGas: 0n })
    const { tx } = await call(node, 'eth_fillTransaction', [{ from: COW, to: COW1 }])
    expect(tx.gasPrice).toBe('0x5')
  })

  test.each<readonly [string, TransactionRequest]>([
    ['fees', { maxFeePerGas: 5n }],
    ['an access list', { accessList }],
    ['an empty one', { accessList: [] }],
    ['a newer type', { type: 2n }],
    ['what viem sends', { type: 2n, chainId: 33n, maxFeePerGas: 5n, maxPriorityFeePerGas: 1n }],
  ])('does not read %s, as the reference node', async (_case, draft) => {
    expect(await filled(await freshNode(), draft)).toMatchObject({ type: 0, maxFeePerGas: 0n })
  })

  test.each<readonly [string, TransactionRequest]>([
    ['an authorization list', { authorizationList: [] }],
    ['blobs', { type: 0n, maxFeePerBlobGas: 1n }],
  ])('refuses %s, without which the transaction would be another', async (_case, draft) => {
    await expect(filled(await freshNode(), draft)).rejects.toMatchObject({ kind: 'unsupportedTransaction' })
  })
})

describe('filling in', () => {
  test('takes the nonce after the pooled transactions', async () => {
    const node = await freshNode({ mining: false })
    const [from, to] = node.funded.map(({ address }) => address)
    for (const nonce of ['0x0', '0x1', '0x5']) await call(node, 'eth_sendTransaction', [{ from, to, nonce }])
    expect(await filled(node, {})).toMatchObject({ nonce: 2n })
    expect(await filled(node, { nonce: 9n })).toMatchObject({ nonce: 9n })
  })

  test.each([
    [33n, 'filled'],
    [0n, 'filled'],
    [1n, 'wrongChainId'],
  ])('compares the chain id %s', async (chainId, expected) => {
    const outcome = await filled(await freshNode(), { chainId }).then(
      () => 'filled',
      (error: unknown) => (error as { kind: string }).kind,
    )
    expect(outcome).toBe(expected)
  })
})
