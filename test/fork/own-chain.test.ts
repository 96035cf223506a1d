/** A chain cannot continue itself: each of its reads would wait for an answer to itself. */

import { expect, test } from '@jest/globals'
import type { RunningServer } from '../../lib/server/start.ts'
import { answerOf, withServer } from '../support/server.ts'

const OPTIONS = { network: 'ethereum', forkCache: false } as const
const STRANGER = '0x00000000000000000000000000000000c0ffee01'

const rpcTo =
  ({ port }: RunningServer, path = '') =>
  (method: string, ...params: readonly unknown[]) =>
    answerOf(`http://127.0.0.1:${port}${path}`, method, params)

const resetTo = ({ port }: RunningServer, path = '') => ({
  forking: { jsonRpcUrl: `http://127.0.0.1:${port}${path}` },
})

const refusal = ({ port }: RunningServer, path = '') => ({
  error: {
    code: -32602,
    message: `params[0].forking.jsonRpcUrl: http://127.0.0.1:${port}${path} is this chain or a fork of it, and a chain cannot continue itself: name another URL, or fork this chain in a world (dev_createWorld)`,
  },
})

test.each(['hardhat_reset', 'anvil_reset', 'evm_reset'])('%s to the own URL is refused', (method) =>
  withServer(OPTIONS, async (server) => {
    const ask = rpcTo(server)
    await ask('evm_mine')
    expect(await ask(method, resetTo(server))).toMatchObject(refusal(server))
    expect(await ask('eth_blockNumber')).toMatchObject({ result: '0x1' })
    expect(await ask('eth_getBalance', STRANGER, 'latest')).toMatchObject({ result: '0x0' })
  }),
)

test('one of several URLs is enough', () =>
  withServer(OPTIONS, async (server) => {
    const urls = ['127.0.0.1', 'localhost'].map((host) => `http://${host}:${server.port}`)
    const { error } = await rpcTo(server)('hardhat_reset', { forking: { jsonRpcUrl: urls } })
    expect(error.message).toMatch(/is this chain or a fork of it/)
  }))

test('a world may continue the default chain, which may then not continue the world', () =>
  withServer(OPTIONS, async (server) => {
    const world = rpcTo(server, '/w/a')
    expect(await world('hardhat_reset', resetTo(server))).toMatchObject({ result: null })
    expect(await world('eth_getBalance', STRANGER, 'latest')).toMatchObject({ result: '0x0' })
    expect(await world('hardhat_reset', resetTo(server, '/w/a'))).toMatchObject(refusal(server))
    expect(await rpcTo(server)('hardhat_reset', resetTo(server, '/w/a'))).toMatchObject(refusal(server))
  }))

test('a chain cannot continue a node that continues it through another one', () =>
  withServer(OPTIONS, (first) =>
    withServer({ ...OPTIONS, forkUrl: `http://127.0.0.1:${first.port}` }, (second) =>
      withServer({ ...OPTIONS, forkUrl: `http://127.0.0.1:${second.port}` }, async (third) => {
        expect(await rpcTo(first)('hardhat_reset', resetTo(third))).toMatchObject(refusal(third))
        expect(await rpcTo(third)('hardhat_reset', resetTo(first))).toMatchObject({ result: null })
        expect(await rpcTo(third)('eth_getBalance', STRANGER, 'latest')).toMatchObject({ result: '0x0' })
      }),
    ),
  ))

test('a world cannot be made from its own URL', () =>
  withServer(OPTIONS, async (server) => {
    const fork = { url: `http://127.0.0.1:${server.port}/w/a` }
    const { error } = await rpcTo(server)('dev_createWorld', { id: 'a', fork })
    expect(error).toMatchObject({ code: -32602, message: 'id: there is a world a already' })
  }))
