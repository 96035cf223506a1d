import { describe, expect, test } from '@jest/globals'
import { Snapshots } from '../../../lib/chain/instance/snapshots.ts'
import { ChainInstance } from '../../../lib/chain/instance/chain-instance.ts'

/** A chain instance with one value. */
function snapshotsOf(initial: string, { isStrict = false } = {}) {
  const instance = new ChainInstance()
  const cell = instance.cell('value', 'restore', initial)
  const settings = { headOf: () => cell.value, now: () => 1_700_000_000_000, isStrict }
  return { cell, snapshots: new Snapshots(instance, settings) }
}

describe('snapshots', () => {
  test('have increasing ids that are never reused, even after a drop', () => {
    const { snapshots } = snapshotsOf('a')
    const ids = [snapshots.take(), snapshots.take()]
    snapshots.revert(ids[0]!)
    ids.push(snapshots.take())
    snapshots.reset()
    ids.push(snapshots.take())
    expect(ids).toEqual([1n, 2n, 3n, 4n])
  })

  test('are reverted to by name, and names are unique', () => {
    const { cell, snapshots } = snapshotsOf('a')
    snapshots.take('deployed')
    cell.value = 'b'
    expect(() => snapshots.take('deployed')).toThrow('snapshot 0x1 has the name "deployed" already')
    expect(snapshots.revert('unheard-of')).toBe(false)
    expect(cell.value).toBe('b')
    expect(snapshots.revert('deployed')).toBe(true)
    expect(cell.value).toBe('a')
  })

  test('are a tree if later ones are kept, and reverts go in both directions', () => {
    const { cell, snapshots } = snapshotsOf('root')
    const root = snapshots.take()
    cell.value = 'left'
    const left = snapshots.take('left')
    snapshots.revert(root, { keepsLater: true })
    cell.value = 'right'
    snapshots.take('right')
    for (const name of ['left', 'right', 'left']) {
      expect(snapshots.revert(name, { keepsLater: true })).toBe(true)
      expect(cell.value).toBe(name)
    }
    cell.value = 'leaf'
    snapshots.take('leaf')
    expect(snapshots.all.map(({ name, parent, head }) => [name, parent, head])).toEqual([
      [undefined, undefined, 'root'],
      ['left', root, 'left'],
      ['right', root, 'right'],
      ['leaf', left, 'leaf'],
    ])
  })

  test('are dropped individually, and their descendants stay', () => {
    const { cell, snapshots } = snapshotsOf('a')
    const first = snapshots.take('first')
    snapshots.take('second')
    cell.value = 'b'
    snapshots.take('third')
    expect(snapshots.drop('second')).toBe(true)
    expect(snapshots.drop('second')).toBe(false)
    expect(snapshots.all.map(({ name, parent }) => [name, parent])).toEqual([
      ['first', undefined],
      ['third', first],
    ])
    expect(snapshots.revert('third')).toBe(true)
    expect(cell.value).toBe('b')
  })

  test('take no more time if ten thousand are kept', () => {
    const [few, many] = [100, 10_000].map((kept) => {
      const { cell, snapshots } = snapshotsOf('a')
      for (let taken = 1; taken < kept; taken++) snapshots.take()
      const newest = snapshots.take()
      return () => {
        const start = process.cpuUsage()
        for (let cycle = 0; cycle < 2000; cycle++) {
          snapshots.take()
          cell.value = 'b'
          snapshots.revert(newest)
        }
        const { user, system } = process.cpuUsage(start)
        return user + system
      }
    })
    // The fastest of several turns, so that other work of the machine matters little.
    const turns = Array.from({ length: 7 }, () => [few!(), many!()] as const)
    const [fewUs, manyUs] = [Math.min(...turns.map(([us]) => us)), Math.min(...turns.map(([, us]) => us))]
    expect(manyUs / fewUs).toBeLessThan(3)
  })

  test('name the reason of their absence if reverts are strict', () => {
    const { cell, snapshots } = snapshotsOf('a', { isStrict: true })
    const first = snapshots.take('first')
    const second = snapshots.take()
    snapshots.revert(first)
    cell.value = 'b'
    expect(() => snapshots.revert(second)).toThrow(
      'snapshot 0x2 was dropped by the revert to snapshot 0x1 (first) at 2023-11-14T22:13:20.000Z',
    )
    expect(() => snapshots.revert(7n)).toThrow('snapshot 0x7 was never taken')
    expect(() => snapshots.revert('other')).toThrow('there is no snapshot with the name "other"')
    snapshots.reset()
    for (const ref of [first, 'first'])
      expect(() => snapshots.revert(ref)).toThrow('snapshot 0x1 (first) was dropped by a reset of the chain')
    expect(cell.value).toBe('a')
  })
})
