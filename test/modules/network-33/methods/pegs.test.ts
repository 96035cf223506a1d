/** dev_pegIn, and peg-outs that the node takes to their end: after blocks (--federation auto), by dev_federationStep, and by dev_pegOut. */

import { describe, expect, test } from '@jest/globals'
import { toQuantity, fromHex } from '../../../../lib/base/hex.ts'
import { addressOfPrivateKey } from '../../../../lib/crypto/address.ts'
import { FEDERATOR, FEDERATORS } from '../../../../lib/modules/network-33/aux-chain/registration.ts'
import { BRIDGE_EVENTS } from '../../../../lib/modules/network-33/bridge/events.ts'
import { call, freshNode, refusal } from '../../../support/node.ts'
import { MINIMUM, UNUSED, balance, bridgeEvents, BRIDGE, readBridge } from '../support/peg-in.ts'
import { COW, COW1, keyOf } from '../../../support/signing.ts'
import { readAuxTransaction } from '../../../../lib/modules/network-33/bridge/aux-transaction.ts'
import { toDisplayOrder } from '../../../../lib/modules/network-33/bridge/aux-header.ts'
import type { OptionsInput } from '../../../../lib/modules/options.ts'
import type { Node } from '../../../../lib/node/node.ts'

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

const COIN = 10n ** 18n
const AMOUNT = toQuantity(COIN / 100n)

/** A node whose federation has two coins of one unit each. */
async function peggedNode(options: OptionsInput = {}): Promise<Node> {
  const node = await freshNode(options)
  for (let coins = 0; coins < 2; coins++) {
    await call(node, 'dev_pegIn', [{ to: UNUSED, amount: toQuantity(COIN) }])
  }
  return node
}

const requestPegOut = (node: Node): Promise<string> =>
  call(node, 'eth_sendTransaction', [{ from: COW, to: BRIDGE, value: AMOUNT }])

const height = async (node: Node) => Number(await call(node, 'eth_blockNumber'))

const mine = (node: Node, blocks: number) => call(node, 'evm_mine', [{ blocks }])

/** Names of the events of the Bridge by block, above a height, in at most fifty blocks. */
async function eventsAbove(node: Node, above: number): Promise<readonly (readonly string[])[]> {
  const blocks: string[][] = []
  const last = Math.min(await height(node), above + 50)
  for (let number = above + 1; number <= last; number++) {
    const { transactions } = await call(node, 'eth_getBlockByNumber', [toQuantity(BigInt(number)), false])
    const names: string[] = []
    for (const hash of transactions) for (const [name] of await bridgeEvents(node, hash)) names.push(name)
    blocks.push(names)
  }
  return blocks
}

const BATCH = [
  'update_collections',
  'release_requested',
  'pegout_transaction_created',
  'batch_pegout_created',
]

test('the members have the accounts of their keys', () => {
  expect(FEDERATORS.map(({ privateKey }) => addressOfPrivateKey(privateKey))).toEqual(
    FEDERATORS.map(({ address }) => address),
  )
})

describe('--federation auto', () => {
  test('leaves a release alone whose coin a transaction of a user spends first', async () => {
    const node = await peggedNode()
    await requestPegOut(node)
    await mine(node, 1)
    const [{ raw }] = (await call(node, 'dev_bridge')).confirming
    // Unsigned it has another id, and spends the same coin.
    const conflicting = await call(node, 'dev_auxSend', [raw])
    const before = await height(node)
    await mine(node, 20)
    expect(await height(node)).toBe(before + 20)
    const { coins, signing, auxiliaryChain } = await call(node, 'dev_bridge')
    expect([coins.length, signing]).toEqual([1, []])
    expect(auxiliaryChain.pool).toEqual([conflicting])
  })

  test.each(['9.0.3', '9.1.0'])('ends a peg-out in the next six blocks, release %s', async (release) => {
    const node = await peggedNode({ release })
    const before = await height(node)
    const coins = await readBridge(node)
    await requestPegOut(node)
    expect(await height(node)).toBe(before + 1)
    await mine(node, 50)
    expect(await height(node)).toBe(before + 51)
    expect((await eventsAbove(node, before)).slice(0, 8)).toEqual([
      ['release_request_received'],
      BATCH,
      [],
      [],
      ['update_collections', 'pegout_confirmed'],
      ['add_signature', 'add_signature', 'release_aux'],
      [],
      [],
    ])
    const after = await readBridge(node)
    expect(coins.outputs - after.outputs).toBe(1_000_000n)
    expect([after.queue, after.confirming, after.signing]).toEqual([0, 0, 0])
    expect(await call(node, 'txpool_status')).toEqual({ pending: 0, queued: 0 })
  })

  test('sends the next batch when it is due', async () => {
    const node = await peggedNode()
    await requestPegOut(node)
    await mine(node, 10)
    const before = await height(node)
    await requestPegOut(node)
    await mine(node, 38)
    expect((await readBridge(node)).queue).toBe(1)
    await mine(node, 1_000_000)
    expect(await readBridge(node)).toMatchObject({ queue: 0, confirming: 0, signing: 0 })
    expect((await eventsAbove(node, before)).flat()).toContain('release_aux')
    expect(await height(node)).toBe(before + 1_000_039)
  })

  test('does nothing without a peg-out, and nothing for one that the coins do not cover', async () => {
    const node = await freshNode()
    await mine(node, 60)
    await requestPegOut(node)
    await mine(node, 100_000_000)
    expect(await readBridge(node)).toMatchObject({ queue: 1 })
    expect(await call(node, 'eth_getTransactionCount', [FEDERATORS[0]!.address])).toBe('0x0')
  })

  test('sends back a peg-in that the Bridge rejects', async () => {
    const node = await freshNode()
    const request = { to: COW, amount: toQuantity(COIN), senderType: 'multisig', version: 0 }
    await call(node, 'dev_pegIn', [request])
    const before = await height(node)
    await mine(node, 5)
    expect((await eventsAbove(node, before)).flat()).toContain('release_aux')
  })

  test('mines one block for each transaction of a user, and reverts to before', async () => {
    const node = await peggedNode()
    const snapshot = await call(node, 'evm_snapshot')
    const before = await readBridge(node)
    for (let count = 0; count < 2; count++) {
      const start = await height(node)
      await requestPegOut(node)
      for (let sent = 0; sent < 8; sent++) {
        await call(node, 'eth_sendTransaction', [{ from: COW, to: UNUSED, value: '0x1' }])
      }
      expect(await height(node)).toBe(start + 9)
      expect((await eventsAbove(node, start)).flat()).toContain('release_aux')
      expect(await call(node, 'evm_revert', [snapshot])).toBe(true)
      expect(await readBridge(node)).toEqual(before)
      expect(await call(node, 'evm_snapshot')).toMatch(/^0x/)
      expect(await height(node)).toBe(start)
    }
  })

  test('goes on in a world that begins in the middle', async () => {
    const node = await peggedNode()
    await requestPegOut(node)
    for (let blocks = 0; blocks < 6; blocks++) {
      const id = await call(node, 'dev_createWorld', [{ id: `after-${blocks}` }])
      const world = node.worlds.acquire(`after-${blocks}`).chain
      await mine(world, 10)
      expect([id, await readBridge(world)]).toMatchObject([
        {},
        { queue: 0, confirming: 0, signing: 0, outputs: 199_000_000n },
      ])
      await mine(node, 1)
    }
  })

  test.each<[OptionsInput]>([[{ mining: 'manual' }], [{ mining: 'interval', blockTime: 1 }]])(
    'waits in the pool: %j',
    async (options) => {
      const node = await freshNode(options)
      await call(node, 'dev_pegIn', [{ to: UNUSED, amount: toQuantity(COIN) }])
      await mine(node, 1)
      await requestPegOut(node)
      expect(await call(node, 'txpool_status')).toMatchObject({ pending: 1 })
      await mine(node, 1)
      expect(await call(node, 'txpool_status')).toMatchObject({ pending: 1 })
      await mine(node, 6)
      expect(await readBridge(node)).toMatchObject({
        queue: 0,
        confirming: 0,
        signing: 0,
        outputs: 99_000_000n,
      })
    },
  )
})

describe('dev_federationStep', () => {
  test('does what is due now, with --federation manual', async () => {
    const node = await peggedNode({ federation: 'manual' })
    await requestPegOut(node)
    await mine(node, 10)
    expect((await readBridge(node)).queue).toBe(1)
    const step = async () =>
      (await call(node, 'dev_federationStep')).map(({ method }: { method: string }) => method)
    expect(await step()).toEqual(['updateCollections'])
    expect(await step()).toEqual([])
    await mine(node, 2)
    expect(await step()).toEqual([
      'updateCollections',
      'addSignature',
      'addSignature',
      'receiveHeaders',
      'registerAuxTransaction',
    ])
    expect(await step()).toEqual([])
    expect((await readBridge(node)).outputs).toBe(199_000_000n)
  })

  test('is refused with --federation off', async () => {
    const off = await freshNode({ federation: 'off' })
    expect((await refusal(off, 'dev_federationStep')).message).toContain('--federation off')
  })
})

test('the option is refused on a network without a Bridge', async () => {
  await expect(freshNode({ network: 'ethereum', federation: 'auto' })).rejects.toThrow(
    'federation auto: ethereum has no Bridge',
  )
})

describe('dev_pegOut', () => {
  test.each<[OptionsInput]>([[{}], [{ federation: 'manual' }], [{ mining: 'manual' }]])(
    'answers the hashes of every step: %j',
    async (options) => {
      const node = await freshNode(options)
      await call(node, 'dev_pegIn', [{ to: UNUSED, amount: toQuantity(COIN) }])
      const pegged = await call(node, 'dev_pegOut', [{ from: COW, amount: AMOUNT }])
      expect((await bridgeEvents(node, pegged.transactionHash))[0]![0]).toBe('release_request_received')
      expect((await bridgeEvents(node, pegged.batchTransactionHash)).map(([name]) => name)).toEqual(BATCH)
      const { raw, confirmations } = await call(node, 'dev_auxTransaction', [pegged.txid])
      expect(confirmations).toBe('0x3')
      const signed = readAuxTransaction(fromHex(raw))
      expect(signed.outputs.map(({ sat }) => sat)[1]).toBe(99_000_000n)
      const release = readAuxTransaction(fromHex(pegged.raw))
      expect([toDisplayOrder(release.id), pegged.raw]).toEqual([toDisplayOrder(signed.id), raw])
      expect((await readBridge(node)).outputs).toBe(99_000_000n)
    },
  )

  test('of too little, and of more than the coins, has no release', async () => {
    const node = await freshNode()
    for (const amount of ['0x1', AMOUNT]) {
      const pegged = await call(node, 'dev_pegOut', [{ from: COW, amount }])
      expect(pegged).toMatchObject({ amount, batchTransactionHash: null, txid: null, raw: null })
    }
  })
})
