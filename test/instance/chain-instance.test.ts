import { describe, expect, test } from '@jest/globals'
import { ChainInstance } from '../../lib/instance/chain-instance.ts'

describe('a chain instance', () => {
  test('restores the cells with that rule and keeps the others', () => {
    const instance = new ChainInstance()
    const restored = instance.cell('restored', 'restore', 1)
    const kept = instance.cell('kept', 'keep', 1)
    const capture = instance.capture()
    restored.value = 2
    kept.value = 2
    instance.restore(capture)
    expect([restored.value, kept.value]).toEqual([1, 2])
    expect([instance.ruleOf('restored'), instance.ruleOf('kept')]).toEqual(['restore', 'keep'])
  })

  test('lets special state capture and restore itself', () => {
    const instance = new ChainInstance()
    const list = [1]
    const state = { capture: () => list.length, restore: (length: number) => void list.splice(length) }
    instance.registerCapturable('list', state, { peek: () => [...list] })
    const capture = instance.capture()
    list.push(2, 3)
    instance.restore(capture)
    expect(instance.peek().get('list')).toEqual([1])
  })

  test('restores a capture any number of times', () => {
    const instance = new ChainInstance()
    const cell = instance.cell('cell', 'restore', 'first')
    const capture = instance.capture()
    for (const other of ['second', 'third']) {
      cell.value = other
      instance.restore(capture)
      expect(cell.value).toBe('first')
    }
  })

  test('notifies of a revert after everything is restored', () => {
    const instance = new ChainInstance()
    const cell = instance.cell('cell', 'restore', 1)
    const seen: number[] = []
    instance.reverted.on(() => seen.push(cell.value))
    const capture = instance.capture()
    cell.value = 2
    instance.restore(capture)
    expect(seen).toEqual([1])
  })
})
