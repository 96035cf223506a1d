import { describe, expect, test } from '@jest/globals'
import { ChainInstance } from '../../../lib/chain/instance/chain-instance.ts'

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

  test('holds a value once for all captures between which it did not change', () => {
    const instance = new ChainInstance()
    const cell = instance.cell('cell', 'restore', 1)
    instance.cell('other', 'restore', 'other')
    const [first, second] = [instance.capture(), instance.capture()]
    expect(second.held.map((held, index) => held === first.held[index])).toEqual([true, true])
    cell.value = 2
    const third = instance.capture()
    expect(third.held.map((held, index) => held === first.held[index])).toEqual([false, true])
    expect([first, second, third].map(cell.in)).toEqual([1, 1, 2])
  })

  test('does not read the capture of another instance', () => {
    const [one, other] = [new ChainInstance(), new ChainInstance()]
    const cell = one.cell('cell', 'restore', 1)
    other.cell('cell', 'restore', 2)
    expect(cell.in(one.capture())).toBe(1)
    expect(() => cell.in(other.capture())).toThrow('a capture contains cell')
  })

  test('leaves values alone that were registered after a capture', () => {
    const instance = new ChainInstance()
    const early = instance.cell('early', 'restore', 1)
    const capture = instance.capture()
    const late = instance.cell('late', 'restore', 1)
    early.value = 2
    late.value = 2
    instance.restore(capture)
    expect([early.value, late.value]).toEqual([1, 2])
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
