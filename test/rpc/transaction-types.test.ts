/** The type of a request without a type: the same for every method that takes a transaction. */

import { describe, expect, test } from '@jest/globals'
import type { Node } from '../../lib/node/node.ts'
import { call, freshNode, refusal } from '../support/node.ts'

const GAS_PRICE = { gasPrice: '0x77359400' }
const FEES = { maxFeePerGas: '0x77359400', maxPriorityFeePerGas: '0x1' }
const EMPTY = { accessList: [] }
const LIST = { accessList: [{ address: `0x${'ab'.repeat(20)}`, storageKeys: [] }] }
const KEY = '0x0000000000000000000000000000000000000000000000000000000000000001'
const AUTHORIZED = {
  authorizationList: [
    { chainId: '0x1', address: `0x${'ab'.repeat(20)}`, nonce: '0x0', yParity: '0x0', r: KEY, s: KEY },
  ],
}

/** The type in which a request is filled in, simulated and sent, or the refusal of each. */
async function typesOf(node: Node, members: object): Promise<unknown[]> {
  const [from, to] = node.funded.map(({ address }) => address)
  const request = { from, to, gas: '0x30000', ...members }
  const ask = async (read: () => Promise<unknown>): Promise<unknown> =>
    read().catch((error: unknown) => (error as { kind: string }).kind)
  return [
    await ask(async () => (await call(node, 'eth_fillTransaction', [request])).tx.type),
    await ask(async () => {
      const options = { blockStateCalls: [{ calls: [request] }], returnFullTransactions: true }
      return (await call(node, 'eth_simulateV1', [options]))[0].transactions[0].type
    }),
    await ask(async () => {
      const hash = await call(node, 'eth_sendTransaction', [request])
      return (await call(node, 'eth_getTransactionByHash', [hash])).type
    }),
  ]
}

test.each(['maxFeePerGas', 'maxPriorityFeePerGas'])(
  'gasPrice and %s together are refused, as in geth',
  async (fee) => {
    const node = await freshNode({ network: 'ethereum' })
    const [from, to] = node.funded.map(({ address }) => address)
    const request = { from, to, ...GAS_PRICE, [fee]: '0x1' }
    for (const method of ['eth_call', 'eth_estimateGas', 'eth_fillTransaction', 'eth_sendTransaction']) {
      const { kind, message } = await refusal(node, method, [request])
      expect([kind, message]).toEqual([
        'invalidParams',
        expect.stringContaining(`either gasPrice or ${fee}, not both`),
      ])
    }
  },
)

describe.each([
  ['ethereum', '0x2', '0x1', '0x2', '0x2', '0x4'],
  ['network-33', '0x0', '0x0', '0x0', '0x0', 'unsupportedTransaction'],
])('on %s', (network, usual, listed, listedWithoutPrice, priced, authorized) => {
  const empty = network === 'ethereum' ? listed : usual

  test.each([
    ['nothing', {}, usual],
    ['an empty list', EMPTY, usual],
    ['a list', LIST, listedWithoutPrice],
    ['a gas price', GAS_PRICE, '0x0'],
    ['a gas price and an empty list', { ...GAS_PRICE, ...EMPTY }, empty],
    ['a gas price and a list', { ...GAS_PRICE, ...LIST }, listed],
    ['fees', FEES, priced],
    ['fees and an empty list', { ...FEES, ...EMPTY }, priced],
    ['fees and a list', { ...FEES, ...LIST }, priced],
    ['an authorization', AUTHORIZED, authorized],
    ['an authorization, a gas price and a list', { ...AUTHORIZED, ...GAS_PRICE, ...LIST }, authorized],
    ['the legacy type, a gas price and a list', { type: '0x0', ...GAS_PRICE, ...LIST }, '0x0'],
  ])('%s', async (_case, members, type) => {
    expect(await typesOf(await freshNode({ network }), members)).toEqual([type, type, type])
  })
})
