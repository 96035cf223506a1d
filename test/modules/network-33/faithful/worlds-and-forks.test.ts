/** Worlds and forks of a node with --faithful. */

import { expect, test } from '@jest/globals'
import { faithfulNode } from '../../../support/faithful.ts'
import { ask as askServer, rpc, withServer } from '../../../support/server.ts'
import type { RunningServer } from '../../../../lib/server/start.ts'

const NO_REFERENCE = 'ethereum has no reference node, only network 33 has one; leave out --faithful'

const send = async (server: RunningServer, method: string, params: readonly unknown[]) =>
  JSON.parse((await askServer(server, { body: rpc(method, params) })).text).result

test('a world of another network is refused', async () => {
  const { ask } = await faithfulNode()
  expect(await ask('dev_createWorld', { network: 'ethereum' })).toMatchObject({
    code: -32602,
    message: `params[0] (world): faithful: ${NO_REFERENCE}`,
  })
  expect(await ask('dev_createWorld', { id: 'a', chainId: '0x5' })).toMatchObject({ chainId: '0x5' })
})

test('a remote of another network is refused', () =>
  withServer({ network: 'ethereum' }, async ({ url }) => {
    await expect(faithfulNode({ forkUrl: url })).rejects.toThrow(NO_REFERENCE)
    const { ask } = await faithfulNode()
    expect(await ask('dev_createWorld', { fork: { url } })).toMatchObject({
      message: expect.stringContaining(NO_REFERENCE),
    })
  }))

test('a remote of network 33 is continued, and read as the reference reads', () =>
  withServer({}, async (remote) => {
    const from = remote.accounts[0]!.address
    // Funded accounts have the balances of the fork.
    const to = `0x${'ab'.repeat(20)}`
    await send(remote, 'eth_sendTransaction', [{ from, to, value: '0x7' }])
    const { ask, node } = await faithfulNode({ forkUrl: remote.url })
    expect(await ask('eth_blockNumber')).toBe('0x1')
    expect(await ask('eth_getBlockByNumber', '0x1', true)).toMatchObject({
      transactions: [{ from, to, value: '0x7' }],
    })
    expect(await ask('eth_getBalance', to, '0x1')).toBe('0x7')
    expect(await ask('eth_estimateGas', { from, to, value: '0x1' }, 'latest')).toBe('0x5208')
    expect(await ask('eth_call', { to }, 'latest')).toBe('0x')
    const id = await ask('eth_newFilter', { fromBlock: 'earliest' })
    expect(await ask('eth_getFilterChanges', id)).toEqual([])
    expect(await ask('eth_blockNumber')).toBe('0x2')
    await node.forks.close()
  }))
