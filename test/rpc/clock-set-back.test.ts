/** A wall clock that is set back by an hour: blocks stay in order, and no time-out waits an hour or ends at once. */

import { describe, expect, test } from '@jest/globals'
import type { OptionsInput } from '../../lib/modules/options.ts'
import type { Node } from '../../lib/node/node.ts'
import { ManualHost, call, elapse, freshNode } from '../support/node.ts'

const HOUR_MS = 3_600_000

async function started(options: OptionsInput = {}) {
  const host = new ManualHost()
  return { host, node: await freshNode(options, host) }
}

async function send(node: Node): Promise<void> {
  const [from, to] = await call(node, 'eth_accounts')
  await call(node, 'eth_sendTransaction', [{ from, to, value: '0x1', gas: '0x5208' }])
}

async function times(node: Node): Promise<number[]> {
  const head = Number(await call(node, 'eth_blockNumber'))
  const blocks = Array.from({ length: head + 1 }, (_, number) =>
    call(node, 'eth_getBlockByNumber', [`0x${number.toString(16)}`, false]),
  )
  return (await Promise.all(blocks)).map((block: any) => Number(block.timestamp))
}

describe('with a clock set back by an hour', () => {
  test.each(['network-33', 'ethereum'])('blocks of %s get later times', async (network) => {
    const { host, node } = await started({ network })
    await send(node)
    await elapse(node, host, 5000)
    await send(node)
    host.setBack(HOUR_MS)
    for (let count = 0; count < 3; count++) await send(node)
    const all = await times(node)
    for (const [index, time] of all.slice(1).entries()) expect(time).toBeGreaterThan(all[index]!)
    await node.close()
  })

  test('a block is mined at every interval', async () => {
    const { host, node } = await started({ blockTime: 2 })
    await elapse(node, host, 4000)
    const before = Number(await call(node, 'eth_blockNumber'))
    host.setBack(HOUR_MS)
    await elapse(node, host, 6000)
    expect(Number(await call(node, 'eth_blockNumber')) - before).toBe(3)
    await node.close()
  })

  test('a filter ends after its time, and not before', async () => {
    const { host, node } = await started({ filterTimeout: 60 })
    const id = await call(node, 'eth_newBlockFilter')
    host.setBack(HOUR_MS)
    await elapse(node, host, 59_000)
    expect(await call(node, 'eth_getFilterChanges', [id])).toEqual([])
    await elapse(node, host, 61_000)
    await expect(call(node, 'eth_getFilterChanges', [id])).rejects.toMatchObject({ kind: 'unknownFilter' })
    await node.close()
  })

  test('an account is locked after its time, and not before', async () => {
    const { host, node } = await started({ keystoreScrypt: 'light' })
    const account = await call(node, 'personal_newAccount', ['passphrase'])
    await call(node, 'personal_unlockAccount', [account, 'passphrase', 60])
    host.setBack(HOUR_MS)
    await elapse(node, host, 59_000)
    await call(node, 'eth_sign', [account, '0x00'])
    await elapse(node, host, 2000)
    await expect(call(node, 'eth_sign', [account, '0x00'])).rejects.toMatchObject({ kind: 'lockedAccount' })
    await node.close()
  })

  test('an unused world ends after its time', async () => {
    const { host, node } = await started({ worldTimeout: 60 })
    await call(node, 'dev_createWorld', [{ id: 'one' }])
    host.setBack(HOUR_MS)
    await elapse(node, host, 61_000)
    expect(await call(node, 'dev_worlds')).toEqual([])
    await node.close()
  })
})
