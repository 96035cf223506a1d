/** dev_setBridgeResponse, and dev_bridge: the Bridge of a new chain, after a peg-in, and at each stage of a peg-out. */

import { expect, test, describe } from '@jest/globals'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { call, freshNode, refusal } from '../../../support/node.ts'
import { dataOf } from '../support/bridge.ts'
import { COW } from '../../../support/signing.ts'
import { FEDERATOR } from '../../../../lib/modules/network-33/aux-chain/registration.ts'
import { allMethods } from '../../../../scripts/all-methods.ts'
import { payment } from '../support/peg-in.ts'
import { pegIn, requestPegOut, sign, update } from '../support/peg-out.ts'

const BRIDGE = '0x0000000000000000000000000000000001000006'
const ANSWER = `0x${'00'.repeat(31)}2a`

const ask = (node: Parameters<typeof call>[0], data: string, block = 'latest') =>
  call(node, 'eth_call', [{ to: BRIDGE, data }, block])

describe('dev_setBridgeResponse', () => {
  const fee = dataOf('getFeePerKb', [])

  test.each([
    ['a selector', '0x724ec886', fee],
    ['a selector in capitals', '0x724EC886', fee],
    ['a signature of the table', 'getFeePerKb()', fee],
    ['a selector that it does not have', '0xa9059cbb', '0xa9059cbb'],
  ])('sets the response of %s', async (_, method, data) => {
    const node = await freshNode()
    await call(node, 'dev_setBridgeResponse', [method, ANSWER])
    expect(await ask(node, data)).toBe(ANSWER)
  })

  test('resets a method with null', async () => {
    const node = await freshNode()
    const before = await ask(node, fee)
    await call(node, 'dev_setBridgeResponse', ['getFeePerKb()', ANSWER])
    await call(node, 'dev_setBridgeResponse', ['getFeePerKb()', null])
    expect(await ask(node, fee)).toBe(before)
  })

  test('is part of the state under a revert, a reset and a historic call', async () => {
    const node = await freshNode()
    const before = await ask(node, fee)
    await call(node, 'evm_mine')
    const id = await call(node, 'evm_snapshot')
    await call(node, 'dev_setBridgeResponse', ['getFeePerKb()', ANSWER])
    await call(node, 'evm_mine')
    expect(await ask(node, fee)).toBe(ANSWER)
    expect(await ask(node, fee, '0x0')).toBe(before)
    await call(node, 'evm_revert', [id])
    expect(await ask(node, fee)).toBe(before)
    await call(node, 'dev_setBridgeResponse', ['getFeePerKb()', ANSWER])
    await call(node, 'evm_reset')
    expect(await ask(node, fee)).toBe(before)
  })

  test('sets a revert with data', async () => {
    const node = await freshNode()
    await call(node, 'dev_setBridgeResponse', ['getFeePerKb()', { revert: '0x1234' }])
    await expect(ask(node, fee)).rejects.toMatchObject({
      kind: 'reverted',
      details: { data: '0x1234' },
    })
  })

  test("sets the response of a local method also in a transaction, at the method's gas", async () => {
    const node = await freshNode()
    await call(node, 'dev_setBridgeResponse', ['getFeePerKb()', ANSWER])
    const hash = await call(node, 'eth_sendTransaction', [
      { from: COW, to: BRIDGE, data: fee, gas: '0x30d40' },
    ])
    const receipt = await call(node, 'eth_getTransactionReceipt', [hash])
    expect(receipt).toMatchObject({
      status: '0x1',
      gasUsed: `0x${(21_000 + 4 * 16 + 2_000 + 8).toString(16)}`,
    })
  })

  test.each([
    ['no method', ['getFeePerKb', ANSWER], 'expected a selector (4 bytes) or a signature'],
    ['no selector', ['0x724ec8', ANSWER], 'expected a selector (4 bytes) or a signature'],
    [
      'a method that it does not have',
      ['getFeePerKB()', ANSWER],
      'params[0] (method): the Bridge has no method getFeePerKB(); did you mean getFeePerKb()?',
    ],
    ['no response', ['getFeePerKb()'], 'expected hex data to return, {"revert": data}'],
    ['half a byte', ['getFeePerKb()', '0x1'], 'expected'],
    ['another member', ['getFeePerKb()', { reverts: '0x' }], 'expected'],
  ])('refuses %s', async (_, params, message) => {
    const node = await freshNode()
    const { kind, message: text } = await refusal(node, 'dev_setBridgeResponse', params)
    expect(kind).toBe('invalidParams')
    expect(text).toContain(message)
  })

  test.each(['Pow', 'Aux'])(
    'takes method signatures under the names of the network and of the contract (%s)',
    async (aux) => {
      const folder = await mkdtemp(join(tmpdir(), 'dev-node-names-'))
      try {
        const network = join(folder, 'acme.json')
        await writeFile(network, JSON.stringify({ extends: 'network-33', names: { aux: 'pow' } }))
        const node = await freshNode({ network })
        await call(node, 'dev_setBridgeResponse', [`get${aux}BlockchainBestChainHeight()`, ANSWER])
        expect(await ask(node, '0x14c89c01')).toBe(ANSWER)
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    },
  )
})

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
    expect((await ask('eth_bridgeState', [])).nodeTxsWaitingForSignatures).toEqual([transactionHash.slice(2)])
    await sign(ask, batch)
    expect((await bridge()).signing).toMatchObject([{ transactionHash, signatures: 1, threshold: 2 }])
  })
})
