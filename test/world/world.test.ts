import { describe, expect, test } from '@jest/globals'
import { World } from '../../lib/world/world.ts'

describe('world', () => {
  test('puts back the cells that say so and keeps the others', () => {
    const world = new World()
    const restored = world.cell('restored', 'restore', 1)
    const kept = world.cell('kept', 'keep', 1)
    const capture = world.capture()
    restored.value = 2
    kept.value = 2
    world.restore(capture)
    expect([restored.value, kept.value]).toEqual([1, 2])
    expect([world.ruleOf('restored'), world.ruleOf('kept')]).toEqual(['restore', 'keep'])
  })

  test('lets state of its own kind capture and restore itself', () => {
    const world = new World()
    const list = [1]
    const state = { capture: () => list.length, restore: (length: number) => void list.splice(length) }
    world.own('list', state, () => [...list])
    const capture = world.capture()
    list.push(2, 3)
    world.restore(capture)
    expect(world.peek().get('list')).toEqual([1])
  })

  test('restores a capture any number of times', () => {
    const world = new World()
    const cell = world.cell('cell', 'restore', 'first')
    const capture = world.capture()
    for (const other of ['second', 'third']) {
      cell.value = other
      world.restore(capture)
      expect(cell.value).toBe('first')
    }
  })

  test('tells of a revert when everything is back', () => {
    const world = new World()
    const cell = world.cell('cell', 'restore', 1)
    const seen: number[] = []
    world.reverted.on(() => seen.push(cell.value))
    const capture = world.capture()
    cell.value = 2
    world.restore(capture)
    expect(seen).toEqual([1])
  })
})
