import { describe, expect, test } from '@jest/globals'
import { Snapshots } from '../../lib/world/snapshots.ts'
import { World } from '../../lib/world/world.ts'

/** A world with one value. */
function snapshotsOf(initial: string) {
  const world = new World()
  const cell = world.cell('value', 'restore', initial)
  return { cell, snapshots: new Snapshots(world) }
}

describe('snapshots', () => {
  test('go back to the moment they were taken at', () => {
    const { cell, snapshots } = snapshotsOf('a')
    const outer = snapshots.take()
    cell.value = 'b'
    const inner = snapshots.take()
    cell.value = 'c'
    expect(snapshots.revert(inner)).toBe(true)
    expect(cell.value).toBe('b')
    expect(snapshots.revert(outer)).toBe(true)
    expect(cell.value).toBe('a')
  })

  test('stay valid after a revert to them', () => {
    const { cell, snapshots } = snapshotsOf('a')
    const id = snapshots.take()
    for (const other of ['b', 'c']) {
      cell.value = other
      expect(snapshots.revert(id)).toBe(true)
      expect(cell.value).toBe('a')
    }
  })

  test('are dropped by a revert to an earlier one', () => {
    const { cell, snapshots } = snapshotsOf('a')
    const [first, second, third] = [snapshots.take(), snapshots.take(), snapshots.take()]
    snapshots.revert(second)
    cell.value = 'b'
    expect(snapshots.revert(third)).toBe(false)
    expect(cell.value).toBe('b')
    expect(snapshots.revert(first)).toBe(true)
  })

  test('have ids that rise and are never used twice, whatever was dropped', () => {
    const { snapshots } = snapshotsOf('a')
    const ids = [snapshots.take(), snapshots.take()]
    snapshots.revert(ids[0]!)
    ids.push(snapshots.take())
    snapshots.reset()
    ids.push(snapshots.take())
    expect(ids).toEqual([1n, 2n, 3n, 4n])
  })

  test.each([0n, 2n, 2n ** 64n])('do nothing for the unknown id %s', (id) => {
    const { cell, snapshots } = snapshotsOf('a')
    snapshots.take()
    cell.value = 'b'
    expect(snapshots.revert(id)).toBe(false)
    expect(cell.value).toBe('b')
  })

  test('are all forgotten by a reset, which goes back to the beginning', () => {
    const { cell, snapshots } = snapshotsOf('a')
    cell.value = 'b'
    const id = snapshots.take()
    cell.value = 'c'
    snapshots.reset()
    expect(cell.value).toBe('a')
    expect(snapshots.revert(id)).toBe(false)
  })
})
