import { expect, test } from '@jest/globals'
import { call, freshNode } from '../../support/node.ts'
import { COW, COW1 } from '../../support/signing.ts'

const TO = `0x${'bb'.repeat(20)}`

/** A pool with two transactions that can be mined, one behind a gap, and a creation of another sender. */
async function filled() {
  const node = await freshNode({ mining: false })
  const [one, two] = [node.funded[0]!.address, node.funded[1]!.address]
  const transfer = { from: one, to: TO, gas: '0x5208', gasPrice: '0x80', value: '0x5' }
  const hashes: string[] = []
  for (const nonce of ['0x0', '0x1', '0x9']) {
    hashes.push(await call(node, 'eth_sendTransaction', [{ ...transfer, nonce }]))
  }
  hashes.push(
    await call(node, 'eth_sendTransaction', [{ from: two, data: '0x00', gas: '0x186a0', gasPrice: '0x1' }]),
  )
  return { node, one, two, hashes }
}

test.each(['ethereum', 'hardhat'] as const)(
  'the pool in dialect %s has the form of geth',
  async (dialect) => {
    const { node, one, two, hashes } = await filled()
    expect(await call(node, 'txpool_status', [], dialect)).toEqual({ pending: '0x3', queued: '0x1' })
    const { pending, queued } = await call(node, 'txpool_content', [], dialect)
    expect(Object.keys(pending)).toEqual([one, two].sort())
    expect(pending[one]['1']).toEqual(await call(node, 'eth_getTransactionByHash', [hashes[1]]))
    expect(Object.keys(queued[one])).toEqual(['9'])
    const inspected = await call(node, 'txpool_inspect', [], dialect)
    expect(inspected.queued).toEqual({ [one]: { '9': `${TO}: 5 wei + 21000 gas × 128 wei` } })
    expect(inspected.pending[two]).toEqual({ '0': 'contract creation: 0 wei + 100000 gas × 1 wei' })
  },
)

test('the pool in dialect node33 has the form of the reference node', async () => {
  const { node, one, two, hashes } = await filled()
  expect(await call(node, 'txpool_status')).toEqual({ pending: 3, queued: 1 })
  const { pending, queued } = await call(node, 'txpool_content')
  expect(Object.keys(pending)).toEqual([one.slice(2), two.slice(2)].sort())
  expect(pending[one.slice(2)]['1']).toMatchObject([
    { hash: hashes[1], blockHash: `0x${'00'.repeat(32)}`, blockNumber: null, transactionIndex: null },
  ])
  expect(Object.keys(queued)).toEqual([one.slice(2)])
  const inspected = await call(node, 'txpool_inspect')
  expect(inspected.queued).toEqual({
    [one.slice(2)]: { '9': [`${TO.slice(2)}: 5 wei + 21000 x 128 gas`] },
  })
  expect(inspected.pending[two.slice(2)]).toEqual({ '0': [': 0 wei + 100000 x 1 gas'] })
})

test('txpool_contentFrom returns the part of txpool_content of one sender', async () => {
  const { node, one, two } = await filled()
  for (const [dialect, keyOf] of [
    ['ethereum', (sender: string) => sender],
    ['node33', (sender: string) => sender.slice(2)],
  ] as const) {
    const { pending, queued } = await call(node, 'txpool_content', [], dialect)
    for (const sender of [one, two]) {
      expect(await call(node, 'txpool_contentFrom', [sender], dialect)).toEqual({
        pending: pending[keyOf(sender)] ?? {},
        queued: queued[keyOf(sender)] ?? {},
      })
    }
  }
  expect(await call(node, 'txpool_contentFrom', [TO])).toEqual({ pending: {}, queued: {} })
})

test('the pool loses dropped transactions', async () => {
  const node = await freshNode({ mining: false })
  const send = (from: string, nonce: string) =>
    call(node, 'eth_sendTransaction', [{ from, to: COW1, gas: '0x5208', nonce }])
  const [first] = [await send(COW, '0x0'), await send(COW, '0x1'), await send(COW1, '0x0')]
  expect(await call(node, 'hardhat_dropTransaction', [first])).toBe(true)
  expect(await call(node, 'anvil_dropTransaction', [first])).toBeNull()
  await call(node, 'anvil_removePoolTransactions', [COW1])
  expect(await call(node, 'txpool_status')).toEqual({ pending: 0, queued: 1 })
  await call(node, 'anvil_dropAllTransactions')
  expect(await call(node, 'txpool_status')).toEqual({ pending: 0, queued: 0 })
  await send(COW, '0x0')
  await call(node, 'hardhat_dropAllTransactions')
  expect(await call(node, 'txpool_status')).toEqual({ pending: 0, queued: 0 })
  const mined = await send(COW, '0x0')
  await call(node, 'evm_mine')
  await expect(call(node, 'hardhat_dropTransaction', [mined])).rejects.toThrow('is in a block')
})
