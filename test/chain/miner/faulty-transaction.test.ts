/** Transactions on which the machine fails by a fault of its own. */

import { runAtOnce } from '../../../lib/base/routine.ts'
import { describe, expect, jest, test } from '@jest/globals'
import { asAddress } from '../../../lib/base/hex.ts'
import type { OptionsInput } from '../../../lib/modules/options.ts'
import type { Node } from '../../../lib/node/node.ts'
import { ManualHost, call, dispatcherOf, elapse, freshNode } from '../../support/node.ts'
import { rpc } from '../../support/server.ts'

const SHA256 = asAddress(`0x${'00'.repeat(19)}02`)
const FAULT = new TypeError('secret of line 7')

/** Stores 1 in slot 0, sends its wei to the precompile of SHA-256 and returns. */
const CALLER = '0x600160005560006000600060003460025af100'

/** A node on which the precompile of SHA-256 has a fault until it is mended, and what the node reports. */
async function brokenNode(options: OptionsInput = {}, host = new ManualHost()) {
  const node = await freshNode({ network: 'ethereum', ...options }, host)
  const reported: (readonly unknown[])[] = []
  const onFault = (...told: unknown[]) => void reported.push(told)
  node.miner.failed.on(onFault)
  const dispatcher = dispatcherOf(node, { onFault })
  const ask = async (method: string, params: readonly unknown[] = []) =>
    JSON.parse((await dispatcher.answer(rpc(method, params), 'ethereum'))!)
  const fault = jest.spyOn(node.precompiles.get(SHA256)!, 'run').mockImplementation(() => {
    throw FAULT
  })
  return { node, host, reported, ask, mend: () => fault.mockRestore() }
}

const send = (node: Node, sender: number, to: string) => [
  { from: node.funded[sender]!.address, to, value: '0x5', gas: '0x20000' },
]

/** A contract that calls the precompile after it changed the state. */
async function callerOn(node: Node): Promise<string> {
  const to = `0x${'ca'.repeat(20)}`
  await call(node, 'hardhat_setCode', [to, CALLER])
  return to
}

const accountsOf = ({ chain: { head } }: Node, addresses: readonly string[]) =>
  addresses.map((address) => head.state.account(asAddress(address)))

describe('with instant mining', () => {
  test('is dropped, answered as a fault with the reference of the log, and the next one is mined', async () => {
    const { node, ask, reported } = await brokenNode()
    const { error } = await ask('eth_sendTransaction', send(node, 0, SHA256))
    expect(error).toMatchObject({
      code: -32603,
      message: expect.stringMatching(/^Internal error \(reference \w{8}\)$/),
    })
    expect(reported).toEqual([[FAULT, error.message.slice(-9, -1)]])
    expect(node.mempool.size).toBe(0)
    const { result: hash } = await ask('eth_sendTransaction', send(node, 0, node.funded[1]!.address))
    expect(node.chain.receipt(hash)?.receipt.outcome.status).toBe('success')
  })

  test('leaves no trace in the state, and runs once the fault is gone', async () => {
    const { node, ask, mend } = await brokenNode()
    const to = await callerOn(node)
    const { address: sender } = node.funded[0]!
    const before = accountsOf(node, [sender, to, SHA256])
    await ask('eth_sendTransaction', send(node, 0, to))
    expect(accountsOf(node, [sender, to, SHA256])).toEqual(before)
    mend()
    const { result: hash } = await ask('eth_sendTransaction', send(node, 0, to))
    expect(node.chain.receipt(hash)?.receipt.outcome.status).toBe('success')
    expect(BigInt(await call(node, 'eth_getStorageAt', [to, '0x0']))).toBe(1n)
    expect(BigInt(await call(node, 'eth_getBalance', [SHA256]))).toBe(5n)
  })

  test('behind a nonce gap does not fail the request that fills the gap', async () => {
    const { node, ask, reported } = await brokenNode()
    const [faulty] = send(node, 0, SHA256)
    await ask('eth_sendTransaction', [{ ...faulty, nonce: '0x1' }])
    const { result: hash } = await ask('eth_sendTransaction', send(node, 0, node.funded[1]!.address))
    expect(node.chain.head.block.receipts.map(({ transaction }) => transaction.hash)).toEqual([hash])
    expect([reported, node.mempool.size]).toEqual([[[FAULT]], 0])
  })
})

describe('with manual mining', () => {
  test('is left out of its block, which has the others, and is reported', async () => {
    const { node, ask, reported } = await brokenNode({ mining: false })
    const to = node.funded[3]!.address
    const { result: first } = await ask('eth_sendTransaction', send(node, 0, to))
    const { result: faulty } = await ask('eth_sendTransaction', send(node, 1, SHA256))
    const { result: last } = await ask('eth_sendTransaction', send(node, 2, to))
    const pending = await call(node, 'eth_getBlockByNumber', ['pending'])
    expect([pending.transactions, reported]).toEqual([[first, last], []])
    runAtOnce(node.miner.mine())
    expect(node.chain.head.block.receipts.map(({ transaction }) => transaction.hash)).toEqual([first, last])
    expect(reported).toEqual([[FAULT]])
    expect(node.mempool.get(faulty)).toBeUndefined()
  })
})

test('with blocks at intervals is reported once, and the blocks go on', async () => {
  const { node, host, ask, reported } = await brokenNode({ blockTime: 1 })
  await ask('eth_sendTransaction', send(node, 0, SHA256))
  await elapse(node, host, 3000)
  expect([node.chain.height, reported, node.mempool.size]).toEqual([3n, [[FAULT]], 0])
})
