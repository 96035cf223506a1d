import { runAtOnce } from '../../lib/base/routine.ts'
import { describe, expect, test } from '@jest/globals'
import { asAddress, toQuantity } from '../../lib/base/hex.ts'
import type { Node } from '../../lib/node/node.ts'
import type { OptionsInput } from '../../lib/modules/options.ts'
import { FEE_CONTRACT } from '../../lib/evm/system-transaction.ts'
import { SYSTEM_ACCOUNT } from '../../lib/evm/system-transaction.ts'
import { call, freshNode, refusal } from '../support/node.ts'
import { addressOf } from '../support/transactions.ts'

const GWEI = 10n ** 9n
const FUND = asAddress('0xdabadabadabadabadabadabadabadabadaba0001')
const FEDERATORS = [
  '0x6b045752f4d650a510a353bbf7e52988331e7f5b',
  '0x85845342b0d5260d516d6da5280a7df9a96d1925',
  '0x138161cda86b55c0de1bc3a0adef974633c85fbe',
].map(asAddress)
const ZERO = asAddress(`0x${'00'.repeat(20)}`)
const PAYMENT = '0x000000000000000000000000000000006d696e696e675f6665655f746f706963'

const closed = (options: OptionsInput = {}) => freshNode({ systemTransaction: true, ...options })

function send(node: Node, fields: object = {}): Promise<string> {
  const request = { from: node.funded[0]!.address, to: addressOf(77), gas: '0x5208', ...fields }
  return call(node, 'eth_sendTransaction', [request])
}

const balanceOf = (node: Node, address: ReturnType<typeof asAddress>) =>
  node.chain.head.state.account(address)?.balance

describe('fees of network 33', () => {
  test('are paid by the sender and credited to the fee contract, not to the miner', async () => {
    // node-chain 8.1.
    const node = await freshNode()
    const sender = node.funded[0]!
    await send(node, { value: '0x64', gasPrice: toQuantity(GWEI) })
    expect(balanceOf(node, sender.address)).toBe(sender.balance - 100n - 21_000n * GWEI)
    expect(balanceOf(node, addressOf(77))).toBe(100n)
    expect(balanceOf(node, node.network.coinbase)).toBeUndefined()
    expect(balanceOf(node, FEE_CONTRACT)).toBe(21_000n * GWEI)
    expect(node.chain.head.block.header.paidFees).toBe(21_000n * GWEI)
  })
})

describe('the transaction that closes a block', () => {
  test('is alone in a block without others, and known by its hash', async () => {
    const node = await closed()
    runAtOnce(node.miner.mine())
    const hash = '0x4aa0649fdc1a4b0e07b64c26e43138400c84d6a127d0242027226b7ade17a53e'
    expect(await call(node, 'eth_getBlockTransactionCountByNumber', ['0x1'])).toBe('0x1')
    expect(await call(node, 'eth_getTransactionByHash', [hash])).toMatchObject({
      from: ZERO,
      to: FEE_CONTRACT,
      nonce: '0x0',
      gas: '0x0',
      gasPrice: '0x0',
      value: '0x0',
      input: '0x',
      v: '0x0',
      r: '0x0',
      s: '0x0',
      type: '0x0',
      blockNumber: '0x1',
      transactionIndex: '0x0',
    })
    expect(await call(node, 'eth_getTransactionReceipt', [hash])).toMatchObject({
      from: ZERO,
      to: FEE_CONTRACT,
      status: '0x1',
      gasUsed: '0x0',
      cumulativeGasUsed: '0x0',
      logs: [],
      contractAddress: null,
    })
  })

  test('is the last one, and costs no gas of users', async () => {
    const node = await closed()
    await send(node)
    const { receipts, header } = node.chain.head.block
    expect(receipts.map(({ transaction }) => transaction.to)).toEqual([addressOf(77), FEE_CONTRACT])
    expect(receipts[1]).toMatchObject({ index: 1, cumulativeGasUsed: 21_000n, effectiveGasPrice: 0n })
    expect(header.gasUsed).toBe(21_000n)
  })

  test('raises the nonce of the account of its sender, and not that of the zero address', async () => {
    const node = await closed()
    await node.miner.mineMany(3n)
    const { state } = node.chain.head
    expect(state.account(SYSTEM_ACCOUNT)).toMatchObject({ nonce: 3n, balance: 0n })
    expect(state.account(ZERO)).toBeUndefined()
  })

  test('pays from block 15 on in every block, with five events', async () => {
    const node = await closed()
    await node.miner.mineMany(16n)
    const logs = [14n, 15n, 16n].map((number) => node.chain.at(number)!.block.receipts[0]!.outcome.logs)
    expect(logs.map(({ length }) => length)).toEqual([0, 5, 5])
    const receivers = [FUND, ...FEDERATORS, node.network.coinbase]
    const paid = receivers.map((receiver) => [PAYMENT, `0x${receiver.slice(2).padStart(64, '0')}`])
    expect(logs[1]!.map(({ topics }) => topics)).toEqual(paid)
    expect(await call(node, 'eth_getLogs', [{ fromBlock: '0x1', toBlock: '0x10' }])).toHaveLength(10)
    expect(node.chain.head.block.header.logsBloom.some((byte) => byte !== 0)).toBe(true)
    expect(balanceOf(node, node.network.coinbase)).toBe(0n)
  })

  test('pays the fee of a transfer in block 5 as node-chain 8.4 works it out', async () => {
    const node = await closed()
    await node.miner.mineMany(4n)
    await send(node, { gasPrice: toQuantity(GWEI) })
    await node.miner.mineMany(9n)
    expect(balanceOf(node, FEE_CONTRACT)).toBe(21_000n * GWEI)
    runAtOnce(node.miner.mine())
    expect([FUND, ...FEDERATORS, node.network.coinbase].map((receiver) => balanceOf(node, receiver))).toEqual(
      [840_000_000_000n, 11_200_000_000n, 11_200_000_000n, 11_200_000_000n, 3_326_400_000_000n],
    )
    expect(balanceOf(node, FEE_CONTRACT)).toBe(16_800_000_000_000n)
    runAtOnce(node.miner.mine())
    expect(balanceOf(node, FEE_CONTRACT)).toBe(13_440_000_000_000n)
  })

  test('does not keep instant mining running, and is not put into the pool when its block is removed', async () => {
    const node = await closed()
    const snapshot = node.snapshots.take()
    await send(node)
    await send(node, { nonce: '0x5' })
    expect([node.chain.head.block.header.number, node.mempool.size]).toEqual([1n, 1])
    node.snapshots.revert(snapshot)
    expect([node.chain.head.block.header.number, node.mempool.size]).toEqual([0n, 0])
  })
})

test('the raw receipt of a closing transaction without events is the own-calc one, unconfirmed', async () => {
  const node = await closed()
  const { receipts } = runAtOnce(node.miner.mine())
  const raw = await call(node, 'node_getRawTransactionReceiptByHash', [receipts[0]!.transaction.hash])
  // node-chain 5.1.
  expect(raw).toBe(`0xf901080180b90100${'00'.repeat(256)}c08001`)
})

describe('a call of the fee contract', () => {
  test('by a transaction keeps the fee of all its gas, and no value', async () => {
    // node-chain 8.2, the last row.
    const node = await freshNode()
    const hash = await send(node, { to: FEE_CONTRACT, value: '0x7', gas: '0xc350', gasPrice: '0x2' })
    expect(await call(node, 'eth_getTransactionReceipt', [hash])).toMatchObject({
      status: '0x1',
      gasUsed: '0x5208',
    })
    expect(balanceOf(node, FEE_CONTRACT)).toBe(100_000n)
  })
})

describe('the gas of users in a block', () => {
  test('is that of the sequential list', async () => {
    const node = await freshNode({ mining: false })
    const gas = toQuantity(3_400_001n)
    await send(node, { gas })
    await send(node, { gas, nonce: '0x1' })
    await send(node, { gas: toQuantity(3_300_000n), from: node.funded[1]!.address })
    const first = runAtOnce(node.miner.mine())
    // 6,800,001 in block 1; the gas used counts, so that the second of 3,400,001 fits after 21,000.
    expect(first.receipts).toHaveLength(3)
    expect(first.header.gasLimit).toBe(9_990_235n)
  })

  test('refuses a transaction that can never fit', async () => {
    const node = await freshNode({ mining: false })
    const request = [{ from: node.funded[0]!.address, to: addressOf(77), gas: toQuantity(6_800_001n) }]
    expect(await refusal(node, 'eth_sendTransaction', request)).toMatchObject({ kind: 'gasLimitTooHigh' })
    runAtOnce(node.miner.mine())
    await call(node, 'eth_sendTransaction', request)
    expect(runAtOnce(node.miner.mine()).receipts).toHaveLength(1)
  })
})

describe('a minimum gas price', () => {
  test('moves to its target as on the reference node, by a wei a block at first', async () => {
    const node = await freshNode({ minimumGasPrice: 1_000_000_000 })
    expect(await call(node, 'eth_gasPrice')).toBe('0x0')
    await node.miner.mineMany(12n)
    const minimums = [0n, 1n, 2n, 12n].map((number) => node.chain.at(number)!.block.header.minimumGasPrice)
    expect(minimums).toEqual([0n, 1n, 2n, 12n])
    expect(await call(node, 'eth_gasPrice')).toBe('0xd')
  })

  test('refuses what is sent without a price', async () => {
    const node = await freshNode({ minimumGasPrice: 1_000_000_000 })
    await node.miner.mineMany(2n)
    await expect(send(node)).rejects.toMatchObject({ kind: 'feeTooLow' })
  })

  test.each([
    ['the minimum of the head, which the next block has no more', 12n, 'feeTooLow'],
    ['less than the minimum of the head', 11n, 'feeTooLow'],
    ['eighty times the minimum of the head', 960n, undefined],
    ['more than eighty times', 961n, 'feeTooHigh'],
  ])('refuses by price: %s', async (_case, gasPrice, kind) => {
    const node = await freshNode({ minimumGasPrice: 1_000_000_000 })
    await node.miner.mineMany(12n)
    const request = { from: node.funded[0]!.address, to: addressOf(77), gasPrice: toQuantity(gasPrice) }
    const sent = call(node, 'eth_sendTransaction', [request])
    if (kind === undefined) await expect(sent).resolves.toMatch(/^0x/)
    else await expect(sent).rejects.toMatchObject({ kind })
    expect(node.mempool.size).toBe(0)
  })

  test('drops a pooled transaction with the first block that refuses its price', async () => {
    const node = await freshNode({ minimumGasPrice: 1_000_000_000, mining: false })
    await node.miner.mineMany(12n)
    const from = node.funded[0]!.address
    for (const nonce of [0, 1])
      await call(node, 'eth_sendTransaction', [{ from, to: addressOf(77), nonce, gasPrice: 12 + nonce }])
    expect(runAtOnce(node.miner.mine()).receipts).toEqual([])
    expect([...node.mempool.all()].map(({ transaction }) => transaction.nonce)).toEqual([1n])
  })
})
