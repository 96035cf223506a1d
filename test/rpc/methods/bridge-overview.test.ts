/** dev_bridge: the Bridge of a new chain, after a peg-in, and at each stage of a peg-out. */

import { describe, expect, test } from '@jest/globals'
import { FEDERATOR } from '../../../lib/networks/network-33/aux-chain/registration.ts'
import { allMethods } from '../../../lib/rpc/methods/all.ts'
import { call, freshNode, refusal } from '../../support/node.ts'
import { payment } from '../../support/peg-in.ts'
import { pegIn, requestPegOut, sign, update } from '../../support/peg-out.ts'

/** A node, and its `dev_bridge`, whose answers have the declared shape. */
async function bridgeNode(options = {}) {
  const node = await freshNode({ federation: 'off', ...options })
  const ask = (method: string, params: unknown[]) => call(node, method, params)
  const bridge = async (...params: unknown[]) => {
    const shown = await ask('dev_bridge', params)
    expect(allMethods.find('dev_bridge')!.result.parse(shown)).toEqual(shown)
    return shown
  }
  return { node, ask, bridge }
}

describe('dev_bridge', () => {
  test('shows the federation of the release, and nothing else on a new chain', async () => {
    const { bridge } = await bridgeNode()
    const { federation, ...rest } = await bridge()
    expect(rest).toEqual({
      retiringFederation: null,
      feePerKb: '0x186a0',
      lockingCap: '0x174876e800',
      coins: [],
      queue: [],
      nextBatch: '0x0',
      confirming: [],
      signing: [],
      bestHeight: '0x0',
      auxiliaryChain: { blocks: [], pool: [] },
    })
    const { members, ...facts } = federation
    expect(facts).toEqual({ address: '2N5muMepJizJE1gR7FbHJU6CD18V3BpNF9p', kind: 'plain', threshold: 2 })
    expect(members).toHaveLength(3)
    expect(members[1].account).toBe(FEDERATOR.address)
    const newer = await bridgeNode({ release: '9.1.0' })
    expect((await newer.bridge()).federation.kind).toBe('witness')
  })

  test('shows the coin of a peg-in and the blocks of the auxiliary chain, newest first', async () => {
    const { ask, bridge } = await bridgeNode()
    const { txid } = await pegIn(ask)
    const waiting = await ask('dev_auxSend', [payment()])
    const { coins, bestHeight, auxiliaryChain: auxChain } = await bridge()
    expect(coins).toEqual([{ txid, index: 0, sat: '0x7a120', flyoverHash: null }])
    expect(bestHeight).toBe('0x3')
    expect(auxChain.pool).toEqual([waiting])
    expect(auxChain.blocks.map(({ height }: { height: string }) => height)).toEqual(['0x3', '0x2', '0x1'])
    expect(auxChain.blocks[2].transactions[1]).toBe(txid)
    expect((await bridge('earliest')).coins).toEqual([])
    await ask('dev_auxMine', [30])
    const { blocks } = (await bridge()).auxiliaryChain
    expect([blocks.length, blocks[0].height]).toEqual([20, '0x21'])
  })

  test('shows a peg-out in the queue, in a batch, and with one of two signatures', async () => {
    const { ask, bridge } = await bridgeNode()
    await pegIn(ask)
    const request = await requestPegOut(ask)
    const address = 'n47u2xVMrzaVpgGDK5TJjZHKggM7r8CdAm'
    expect((await bridge()).queue).toEqual([{ address, sat: '0x61a80', transactionHash: request }])

    const transactionHash = await update(ask)
    const { blockNumber: createdIn } = await ask('eth_getTransactionReceipt', [transactionHash])
    const { coins, queue, nextBatch, confirming, federation } = await bridge()
    expect([coins, queue]).toEqual([[], []])
    expect(BigInt(nextBatch)).toBe(BigInt(createdIn) + 50n)
    const [{ ripeAt, ...batch }] = confirming
    expect(BigInt(ripeAt)).toBe(BigInt(createdIn) + 3n)
    expect(batch).toMatchObject({
      transactionHash,
      createdIn,
      outputs: [{ address }, { address: federation.address, sat: '0x186a0' }],
    })

    await update(ask, 2)
    const ripe = await bridge()
    expect(ripe.confirming).toEqual([])
    expect(ripe.signing).toEqual([{ ...batch, signatures: 0, threshold: 2 }])
    await sign(ask, batch)
    expect((await bridge()).signing).toMatchObject([{ transactionHash, signatures: 1, threshold: 2 }])
  })

  test('is refused on an Ethereum network', async () => {
    const node = await freshNode({ network: 'ethereum' })
    const message = 'network ethereum has no Bridge'
    expect(await refusal(node, 'dev_bridge', [])).toEqual({ kind: 'invalidParams', message })
  })
})
