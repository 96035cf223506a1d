/** Calls, estimates and sends of the reference node (node-rpc 5.6 to 5.8). Expected values are recorded. */

import { describe, expect, test } from '@jest/globals'
import { CONTRACTS, assembleCode, creationCode, words } from '../../support/bytecode.ts'
import type { CodeName } from '../../support/bytecode.ts'
import { toHex } from '../../../lib/base/hex.ts'
import { faithfulNode } from '../../support/faithful.ts'

/** Maximum gas of an estimate. */
const CAP = '0x67c280'

async function calling(code: Uint8Array) {
  const { ask, deploy, owner } = await faithfulNode()
  const to = await deploy(toHex(creationCode(code)))
  const of = (method: string) => (fields: object) => ask(method, { from: owner, to, ...fields }, 'latest')
  return { call: of('eth_call'), estimate: of('eth_estimateGas') }
}

test.each<[CodeName]>([['invalid'], ['burn']])(
  'a call of code that fails without a revert (%s) has empty return data, and its estimate is the maximum',
  async (name) => {
    const { call, estimate } = await calling(CONTRACTS[name])
    expect(await call({})).toBe('0x')
    expect(await estimate({})).toBe(CAP)
  },
)

test('a revert is an error, with its data', async () => {
  const { call, estimate } = await calling(CONTRACTS.revert)
  const text = 'VM Exception while processing transaction: transaction reverted'
  const error = { code: -32015, message: text, data: '0x12' }
  expect([await call({ data: '0x12' }), await estimate({ data: '0x12' })]).toEqual([error, error])
})

describe('an estimate', () => {
  test.each<[CodeName]>([['create'], ['create2']])('with %s is the maximum', async (name) => {
    const { estimate } = await calling(CONTRACTS[name])
    expect(await estimate({ data: words([1n]) })).toBe(CAP)
  })

  test('with an inner call that pays has the stipend on top', async () => {
    const code = (value: number) => assembleCode(`0 0 0 0 ${value} 4 GAS CALL STOP`)
    const [free, paid] = await Promise.all([calling(code(0)), calling(code(1))])
    const gas = async ({ estimate }: typeof free) => Number(await estimate({ value: '0x1' }))
    // A value costs 9,000 gas too (Yellow Paper, appendix G).
    expect((await gas(paid)) - (await gas(free))).toBe(9000 + 2300)
  })

  test('includes the gas that a refund gives back', async () => {
    const { estimate } = await calling(CONTRACTS.storeAndClear)
    const { estimate: withoutRefund } = await calling(CONTRACTS.store)
    const data = words([1n, 2n])
    expect(Number(await estimate({ data }))).toBeGreaterThan(Number(await withoutRefund({ data })))
  })

  test('without receiver and data is 0', async () => {
    const { ask } = await faithfulNode()
    expect(await ask('eth_estimateGas', {})).toBe('0x0')
  })

  test('of an unknown block names its number in decimal', async () => {
    const { ask, other: to } = await faithfulNode()
    expect(await ask('eth_estimateGas', { to }, '0xff')).toMatchObject({
      message: 'Invalid block number 255',
    })
  })
})

describe('a transaction', () => {
  test('without gas gets 90,000, which most creations exceed', async () => {
    const { send, ask } = await faithfulNode()
    const data = toHex(creationCode(new Uint8Array(400).fill(1)))
    expect(await send({ data, gas: undefined })).toEqual({
      code: -32015,
      message: 'VM Exception while processing transaction: transaction reverted',
    })
    expect((await ask('eth_getBlockByNumber', 'latest', true)).transactions[0]).toMatchObject({
      gas: '0x15f90',
    })
  })

  test('that has to wait is an error with instant mining, and is in the pool', async () => {
    const { send, ask, other: to } = await faithfulNode()
    expect(await send({ to, nonce: '0x5' })).toEqual({
      code: -32009,
      message: "Unknown error when sending transaction: transaction wasn't mined",
    })
    expect(await ask('txpool_status')).toEqual({ pending: 0, queued: 1 })
  })

  test.each([
    ['a list without items', '0xc0', -32603, 'Internal server error'],
    ['nine empty items', '0xc9808080808080808080', -32602, 'Missing parameter, gasPrice, gas or value'],
    [
      'a list that is cut off',
      '0xc980',
      -32602,
      "Invalid input: The RLP byte array doesn't have enough space to hold an element with the specified length",
    ],
  ])('as bytes that are %s', async (_, bytes, code, message) => {
    const { ask } = await faithfulNode()
    expect(await ask('eth_sendRawTransaction', bytes)).toEqual({ code, message })
  })
})
