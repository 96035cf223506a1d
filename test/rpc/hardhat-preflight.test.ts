/** Checks before an execution in the dialect hardhat: texts and codes are those of Hardhat 2.29 (EDR). */

import { expect, test } from '@jest/globals'
import type { Node } from '../../lib/node/node.ts'
import type { OptionsInput } from '../../lib/modules/options.ts'
import { dispatcherOf, freshNode } from '../support/node.ts'

const OTHER = `0x${'aa'.repeat(20)}`
const HASH = `0x${'11'.repeat(32)}`
const GWEI = 10n ** 9n

const hex = (value: bigint): string => `0x${value.toString(16)}`

async function ask(node: Node, method: string, ...params: readonly unknown[]): Promise<any> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const { result, error } = JSON.parse((await dispatcherOf(node).answer(body, 'hardhat')) ?? '')
  return error === undefined ? result : [error.code, error.message]
}

const nodeOf = (options: OptionsInput = {}) =>
  freshNode({ network: 'ethereum', hardfork: 'shanghai', blockGasLimit: 6_000_000, ...options })

async function sending(node: Node) {
  const [from] = node.funded.map(({ address }) => address)
  return (members: object) => ask(node, 'eth_sendTransaction', { from, to: OTHER, gas: '0x5208', ...members })
}

const FEE = { maxFeePerGas: '0x1' }
const POOR =
  /enough funds to send tx\. The max upfront cost is: 1000000000000000042000000000000 and the sender's/

const USED = /^Nonce too low\. Expected nonce to be 1 but got 0\. Note .* can't be queued when automining\.$/
const LOW = /is too low for the next block, which has a baseFeePerGas of \d+$/

test.each<[string, object, number, RegExp]>([
  [
    'a nonce that is too high',
    { nonce: '0x5' },
    -32000,
    /^Nonce too high\. Expected nonce to be 1 but got 5/,
  ],
  ['a used nonce', { nonce: '0x0' }, -32000, USED],
  ['too little gas', { gas: '0x1' }, -32000, /^Transaction requires at least 21000 gas but got 1$/],
  ['too much gas', { gas: '0xfffffff' }, -32000, /is 268435455 and exceeds block gas limit of 6000000$/],
  ['a low price', { gasPrice: '0x1' }, -32000, LOW],
  ['a low fee', { maxFeePerGas: '0x1' }, -32000, LOW],
  [
    'a tip above the fee',
    { ...FEE, maxPriorityFeePerGas: '0x2' },
    -32000,
    /is bigger than maxFeePerGas \(1\)$/,
  ],
  [
    'two kinds of fees',
    { ...FEE, gasPrice: '0x1' },
    -32000,
    /^Cannot send both gasPrice and maxFeePerGas params$/,
  ],
  ['another chain', { chainId: '0x5' }, -32602, /^Invalid chainId 5 provided, expected 31337 instead\.$/],
  ['a forgotten receiver', { to: null }, -32000, /^Contract creation without any data provided$/],
  ['no funds', { value: hex(10n ** 30n), gasPrice: hex(2n * GWEI) }, -32000, POOR],
])('a transaction with %s is refused', async (_case, members, code, message) => {
  const send = await sending(await nodeOf())
  await send({})
  expect(await send(members)).toEqual([code, expect.stringMatching(message)])
})

test.each<[string, readonly unknown[], number, string]>([
  ['eth_getBalance', ['0x12'], -32602, 'params[0] (address): invalid value "0x12" supplied to : ADDRESS'],
  ['hardhat_setNonce', [OTHER, 'x'], -32602, 'params[1] (nonce): invalid value "x" supplied to : QUANTITY'],
  ['eth_getBalance', [OTHER, '0x99'], -32000, 'Received invalid block tag 153. Latest block number is 0'],
  ['debug_traceTransaction', [HASH], -32000, `Unable to find a block containing transaction ${HASH}`],
  ['evm_setBlockGasLimit', ['0x0'], -32000, 'Block gas limit must be greater than 0'],
  ['evm_setBlockGasLimit', [hex(2n ** 53n)], -32602, 'expected an amount of gas of up to 9007199254740991'],
  ['hardhat_setMinGasPrice', ['0x1'], -32000, 'is not supported when EIP-1559 is active'],
  ['eth_sendRawTransaction', ['0x12'], -32602, 'Invalid transaction type 18.'],
  ['eth_call', [{ to: OTHER, gas: '0x1' }], -32000, 'Transaction requires at least 21000 gas but got 1'],
  ['eth_estimateGas', [{ to: OTHER, gas: '0x1' }], -32000, 'requires at least 21000 gas but got 1'],
])('%s with %j is refused', async (method, params, code, message) => {
  expect(await ask(await nodeOf(), method, ...params)).toEqual([code, expect.stringContaining(message)])
})

test('without automine, nonces wait and a price below the base fee is pooled', async () => {
  const node = await nodeOf()
  await ask(node, 'evm_setAutomine', false)
  const send = await sending(node)
  const sent = [await send({ nonce: '0x2' }), await send({ nonce: '0x0', gasPrice: '0x1' })]
  const pending = await ask(node, 'eth_pendingTransactions')
  expect(pending.map(({ hash }: any) => hash).toSorted()).toEqual(sent.toSorted())
  await ask(node, 'evm_mine')
  expect((await ask(node, 'eth_getBlockByNumber', 'latest', false)).transactions).toEqual([])
})

test('an estimate asks for no funds', async () => {
  expect(
    await ask(await nodeOf(), 'eth_estimateGas', { from: OTHER, to: `0x${'bb'.repeat(20)}`, value: '0x1' }),
  ).toBe('0x5208')
})

test('a snapshot is used up by a revert, unless options are given', async () => {
  const node = await nodeOf()
  const id = await ask(node, 'evm_snapshot')
  const reverts = [await ask(node, 'evm_revert', id, { keep: true }), await ask(node, 'evm_revert', id)]
  expect([...reverts, await ask(node, 'evm_revert', id)]).toEqual([true, true, false])
})

test('strict reverts say that a revert used the snapshot up', async () => {
  const node = await nodeOf({ strictRevert: true })
  const id = await ask(node, 'evm_snapshot')
  await ask(node, 'evm_revert', id)
  const dropped = /^snapshot 0x1 was dropped by the revert to snapshot 0x1 at /
  expect(await ask(node, 'evm_revert', id)).toEqual([-32000, expect.stringMatching(dropped)])
})

test('a filter of blocks begins with the newest one, and an unknown filter has no changes', async () => {
  const node = await nodeOf()
  const { hash } = await ask(node, 'eth_getBlockByNumber', 'latest', false)
  expect(await ask(node, 'eth_getFilterChanges', await ask(node, 'eth_newBlockFilter'))).toEqual([hash])
  expect(await ask(node, 'eth_getFilterChanges', '0x77')).toBeNull()
})
