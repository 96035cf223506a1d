import { describe, expect, test } from '@jest/globals'
import { Emitter } from '../../lib/base/events.ts'

describe('event', () => {
  test('calls its listeners at once, in the order they were added', () => {
    const heard: string[] = []
    const event = new Emitter<number>()
    event.on((value) => heard.push(`first ${value}`))
    event.on((value) => heard.push(`second ${value}`))
    event.emit(1)
    expect(heard).toEqual(['first 1', 'second 1'])
  })

  test('does not call a listener that was removed', () => {
    const heard: number[] = []
    const event = new Emitter<number>()
    const stop = event.on((value) => heard.push(value))
    event.emit(1)
    stop()
    event.emit(2)
    expect(heard).toEqual([1])
  })
})
