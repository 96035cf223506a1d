/** dev_pegIn: hashes, events of the Bridge, senders, refusals. */

import { describe, expect, test } from '@jest/globals'
import { toQuantity } from '../../../lib/base/hex.ts'
import { addressOfPrivateKey } from '../../../lib/crypto/address.ts'
import { FEDERATOR } from '../../../lib/networks/network-33/aux-chain/registration.ts'
import { BRIDGE_EVENTS } from '../../../lib/networks/network-33/bridge/events.ts'
import { call, freshNode, refusal } from '../../support/node.ts'
import { MINIMUM, UNUSED, balance, bridgeEvents } from '../../support/peg-in.ts'
import { COW, COW1, keyOf } from '../../support/signing.ts'

describe('dev_pegIn', () => {
  test('pays the receiver that an output names, and answers both hashes', async () => {
    const node = await freshNode()
    const pegged = await call(node, 'dev_pegIn', [{ to: UNUSED, amount: MINIMUM }])
    expect(pegged).toEqual({
      txid: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      transactionHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      receiver: UNUSED,
      amount: MINIMUM,
    })
    expect(await balance(node, UNUSED)).toBe(5n * 10n ** 15n)
    const { logs, from, gasUsed } = await call(node, 'eth_getTransactionReceipt', [pegged.transactionHash])
    expect(logs[0].topics).toEqual([
      BRIDGE_EVENTS.pegin_aux.topic,
      `0x${'00'.repeat(12)}${UNUSED.slice(2)}`,
      pegged.txid,
    ])
    expect({ from, gasUsed }).toEqual({ from: FEDERATOR.address, gasUsed: '0x0' })
    expect(await call(node, 'dev_auxTransaction', [pegged.txid])).toMatchObject({ confirmations: '0x3' })
    expect((await call(node, 'eth_bridgeState')).auxBlockchainBestChainHeight).toBe(3)
  })

  test.each([
    ['keyHash', 0, [['pegin_aux', 0n]]],
    ['nestedWitnessKeyHash', 0, [['pegin_aux', 0n]]],
    ['multisig', 0, [['rejected_pegin', 2n]]],
    [
      'unknown',
      0,
      [
        ['rejected_pegin', 3n],
        ['unrefundable_pegin', 1n],
      ],
    ],
    ['nestedWitnessKeyHash', 1, [['pegin_aux', 1n]]],
    ['unknown', 1, [['pegin_aux', 1n]]],
  ])('from %s in version %i has the events of the Bridge', async (senderType, version, expected) => {
    const node = await freshNode()
    const before = await balance(node, COW1)
    const request = { to: COW1, amount: MINIMUM, senderType, version }
    const { transactionHash } = await call(node, 'dev_pegIn', [request])
    // A refund would follow.
    expect((await bridgeEvents(node, transactionHash)).slice(0, expected.length)).toEqual(expected)
    const isPaid = expected[0]![0] === 'pegin_aux'
    expect((await balance(node, COW1)) - before).toBe(isPaid ? 5n * 10n ** 15n : 0n)
  })

  test('below the minimum is rejected, from the height on at which the reference says so', async () => {
    const node = await freshNode()
    const request = { to: UNUSED, amount: '0x2540be400' }
    const { transactionHash: early } = await call(node, 'dev_pegIn', [request])
    expect(await bridgeEvents(node, early)).toEqual([])
    await call(node, 'dev_auxMine', [350])
    const { transactionHash } = await call(node, 'dev_pegIn', [request])
    expect(await bridgeEvents(node, transactionHash)).toEqual([
      ['rejected_pegin', 5n],
      ['unrefundable_pegin', 3n],
    ])
    expect(await balance(node, UNUSED)).toBe(0n)
  })

  test('twice with the same params makes two transactions', async () => {
    const node = await freshNode()
    const request = { to: UNUSED, amount: MINIMUM }
    const [first, second] = [
      await call(node, 'dev_pegIn', [request]),
      await call(node, 'dev_pegIn', [request]),
    ]
    expect(second.txid).not.toBe(first.txid)
    expect(await balance(node, UNUSED)).toBe(10n ** 16n)
  })

  test('names the refund address beside the receiver', async () => {
    const node = await freshNode()
    const refundAddress = '2MvQSG61B4LtKLECeo1dRDeDWXgJfnr3fC7'
    const { txid, transactionHash } = await call(node, 'dev_pegIn', [
      { to: UNUSED, amount: MINIMUM, refundAddress },
    ])
    const { raw } = await call(node, 'dev_auxTransaction', [txid])
    expect(raw).toContain(`6a2e52534b5401${UNUSED.slice(2)}0222a65d9485781e6cdc0e49fc405ba628365e28c7`)
    expect(await bridgeEvents(node, transactionHash)).toEqual([['pegin_aux', 1n]])
  })

  test.each([
    ['invalidParams', { to: UNUSED, amount: '0x1' }, 'whole sat'],
    ['invalidParams', { to: UNUSED, amount: toQuantity(22_000_000n * 10n ** 18n) }, 'at most the 21 million'],
    ['invalidParams', { to: UNUSED, amount: MINIMUM, version: 2 }, 'expected 0 or 1'],
    [
      'invalidParams',
      { to: UNUSED, amount: MINIMUM, refundAddress: 'abc' },
      'an address of the auxiliary chain',
    ],
    [
      'invalidParams',
      { to: COW, amount: MINIMUM, version: 0, refundAddress: '2MvQSG61B4LtKLECeo1dRDeDWXgJfnr3fC7' },
      'no refundAddress',
    ],
    ['unknownAccount', { to: UNUSED, amount: MINIMUM, version: 0 }, UNUSED],
  ])('is refused with %s for %j', async (kind, request, message) => {
    const node = await freshNode()
    expect(await refusal(node, 'dev_pegIn', [request])).toEqual({
      kind,
      message: expect.stringContaining(message),
    })
    expect(await call(node, 'eth_blockNumber')).toBe('0x0')
  })
})

test('the federator pays nothing, where others pay a minimum price', async () => {
  const node = await freshNode({ minimumGasPrice: '1000000000' })
  const { transactionHash } = await call(node, 'dev_pegIn', [{ to: UNUSED, amount: MINIMUM }])
  expect(await bridgeEvents(node, transactionHash)).toEqual([['pegin_aux', 1n]])
  expect(await balance(node, FEDERATOR.address)).toBe(0n)
})

test('without automine the transactions of a peg-in wait for one block', async () => {
  const node = await freshNode()
  await call(node, 'evm_setAutomine', [false])
  const { transactionHash } = await call(node, 'dev_pegIn', [
    { to: UNUSED, amount: MINIMUM, senderType: 'nestedWitnessKeyHash' },
  ])
  expect(await call(node, 'eth_getTransactionReceipt', [transactionHash])).toBeNull()
  // The next headers follow those that wait.
  await call(node, 'dev_auxMine', [1])
  await call(node, 'evm_mine')
  expect(await bridgeEvents(node, transactionHash)).toEqual([['pegin_aux', 1n]])
  expect(await call(node, 'eth_blockNumber')).toBe('0x1')
  expect((await call(node, 'eth_bridgeState')).auxBlockchainBestChainHeight).toBe(4)
})

test('the key of the federator is that of the published phrase (node-chain 11.3)', () => {
  expect(addressOfPrivateKey(FEDERATOR.privateKey)).toBe(FEDERATOR.address)
  expect(FEDERATOR.privateKey).toEqual(keyOf('federator1'))
})

test('dev_pegIn is refused on an Ethereum network', async () => {
  const node = await freshNode({ network: 'ethereum' })
  expect(await refusal(node, 'dev_pegIn', [{ to: COW, amount: MINIMUM }])).toEqual({
    kind: 'invalidParams',
    message: 'network ethereum has no Bridge',
  })
})
