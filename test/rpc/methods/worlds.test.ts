/** Methods that create, list and delete worlds. */

import { describe, expect, test } from '@jest/globals'
import type { OptionsInput } from '../../../lib/config/options.ts'
import type { Node } from '../../../lib/node/node.ts'
import { ManualHost, call, freshNode, refusal } from '../../support/node.ts'

async function nodeWith(options: OptionsInput = {}) {
  const host = new ManualHost()
  return { host, node: await freshNode(options, host) }
}

const ids = (node: Node) => node.worlds.all.map(({ id }) => id)

describe('worlds', () => {
  test('are listed oldest first, with their head and their number of visitors', async () => {
    const { node } = await nodeWith()
    node.worlds.create('a')
    node.worlds.acquire('b')
    await call(node.worlds.create('c').chain, 'evm_mine')
    const listed = await call(node, 'dev_worlds')
    expect(
      listed.map(({ id, path, blockNumber, visitors }: any) => [id, path, blockNumber, visitors]),
    ).toEqual([
      ['a', '/w/a', '0x0', 0],
      ['b', '/w/b', '0x0', 1],
      ['c', '/w/c', '0x1', 0],
    ])
  })

  test.each(['', '.', '..', 'a/b', 'a b', 'ä', 'x'.repeat(101)])(
    'are refused with the id "%s"',
    async (id) => {
      const { node } = await nodeWith()
      expect(await refusal(node, 'dev_createWorld', [{ id }])).toMatchObject({ kind: 'invalidParams' })
      expect(() => node.worlds.acquire(id)).toThrow(expect.objectContaining({ kind: 'invalidParams' }))
    },
  )

  test.each(['a', '...', 'A-b_c.9', 'x'.repeat(100)])('may have the id "%s"', async (id) => {
    const { node } = await nodeWith()
    expect(await call(node, 'dev_createWorld', [{ id }])).toMatchObject({ id, path: `/w/${id}` })
    expect((await refusal(node, 'dev_createWorld', [{ id }])).message).toBe(`there is a world ${id} already`)
  })

  test('are limited in number, and a deleted one makes room', async () => {
    const { node } = await nodeWith({ worldLimit: 2 })
    node.worlds.create('a')
    node.worlds.acquire('b')
    expect(await refusal(node, 'dev_createWorld', [{ id: 'c' }])).toEqual({
      kind: 'limitExceeded',
      message: 'there are 2 worlds, the maximum (--world-limit): delete one first',
    })
    expect(() => node.worlds.acquire('c')).toThrow(expect.objectContaining({ kind: 'limitExceeded' }))
    expect(await call(node, 'dev_deleteWorld', ['a'])).toBe(true)
    expect(await call(node, 'dev_deleteWorld', ['a'])).toBe(false)
    node.worlds.create('c')
    expect(ids(node)).toEqual(['b', 'c'])
  })

  test('stop their timers when they are deleted, and when the node is closed', async () => {
    const { node, host } = await nodeWith({ blockTime: 1 })
    const before = host.waiting
    node.worlds.create('a')
    node.worlds.create('b')
    expect(host.waiting).toBeGreaterThan(before)
    await node.worlds.delete('a')
    await node.worlds.delete('b')
    expect(host.waiting).toBe(before)
    node.worlds.create('c')
    await node.close()
    expect(host.waiting).toBe(0)
  })
})
