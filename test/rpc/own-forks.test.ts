/** Worlds that fork another chain of their own node: neither waits for itself. */

import { expect, test } from '@jest/globals'
import { toQuantity } from '../../lib/base/hex.ts'
import type { Ask } from '../support/peer-process.ts'
import { ask, rpc, withServer } from '../support/server.ts'

const RICH = '0x00000000000000000000000000000000000000aa'

interface OwnNode {
  readonly urlOf: (world?: string) => string
  /** Asks the default chain. */
  readonly call: Ask
  readonly callWorld: (world: string, method: string, params?: readonly unknown[]) => Promise<any>
}

/** Runs a test with a node whose worlds wait ten seconds for their remote at most. */
const withOwnNode = (run: (node: OwnNode) => Promise<void>) =>
  withServer(
    { network: 'ethereum', forkRetries: 0, forkTimeout: 10_000, noForkCache: true },
    async (server) => {
      const callAt = async (path: string, method: string, params: readonly unknown[] = []) => {
        const { error, result } = JSON.parse((await ask(server, { path, body: rpc(method, params) })).text)
        if (error !== undefined) throw new Error(error.message)
        return result
      }
      await run({
        urlOf: (world) => (world === undefined ? server.url : `${server.url}/w/${world}`),
        call: (method, params) => callAt('/', method, params),
        callWorld: (world, method, params) => callAt(`/w/${world}`, method, params),
      })
    },
  )

test('dev_advanceAll mines in a world that forks the default chain, and in one that forks the world', () =>
  withOwnNode(async ({ urlOf, call, callWorld }) => {
    await call('dev_createWorld', [{ id: 'one', fork: { url: urlOf() } }])
    await call('dev_createWorld', [{ id: 'two', fork: { url: urlOf('one') } }])
    const advanced = await call('dev_advanceAll', [3600, { mine: true }])
    expect(advanced).toMatchObject([{ blockNumber: '0x1' }, { blockNumber: '0x1' }, { blockNumber: '0x1' }])
    expect(await callWorld('two', 'eth_getBalance', [RICH, 'latest'])).toBe('0x0')
  }))

test('dev_advanceAll waits for writes of such worlds, which read the default chain meanwhile', () =>
  withOwnNode(async ({ urlOf, call, callWorld }) => {
    for (const id of ['a', 'b', 'c']) await call('dev_createWorld', [{ id, fork: { url: urlOf() } }])
    const [from] = await call('eth_accounts')
    const sent = ['a', 'b', 'c'].map((id) =>
      callWorld(id, 'eth_sendTransaction', [{ from, to: RICH, value: '0x5' }]),
    )
    const advances = Array.from({ length: 3 }, () => call('dev_advanceAll', [10, { mine: true }]))
    await Promise.all([...sent, ...advances])
    for (const id of ['a', 'b', 'c']) expect(await callWorld(id, 'eth_blockNumber')).toBe('0x4')
  }))

test('a world that forks the default chain is created while writes wait for the lock', () =>
  withOwnNode(async ({ urlOf, call }) => {
    const worlds = Array.from({ length: 5 }, (_, index) =>
      call('dev_createWorld', [{ id: `w${index}`, fork: { url: urlOf() } }]),
    )
    const mined = Array.from({ length: 20 }, () => call('evm_mine'))
    await Promise.all([...worlds, ...mined])
    expect(await call('eth_blockNumber')).toBe(toQuantity(20n))
    expect(await call('dev_worlds')).toHaveLength(5)
  }))
