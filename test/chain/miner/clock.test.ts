import { describe, expect, test } from '@jest/globals'
import { Clock } from '../../../lib/chain/miner/clock.ts'
import { ChainInstance } from '../../../lib/chain/instance/chain-instance.ts'

/** A clock on a wall clock that the test moves. */
function clockAt(ms: number, forgets = false) {
  const wall = { ms }
  return { clock: new Clock(new ChainInstance(), () => wall.ms, forgets), wall }
}

describe('clock', () => {
  test('is the wall clock in whole seconds until it is moved', () => {
    const { clock, wall } = clockAt(1_999)
    expect(clock.now).toBe(1n)
    wall.ms += 1
    expect(clock.now).toBe(2n)
  })

  test('adds up its increases', () => {
    const { clock, wall } = clockAt(10_000)
    clock.increase(5n)
    clock.increase(60n)
    wall.ms += 1_000
    expect(clock.increased).toBe(65n)
    expect(clock.now).toBe(76n)
  })

  test.each([
    ['back', 3n],
    ['forward', 500n],
  ])('continues from a time that was set %s', (_case, seconds) => {
    const { clock, wall } = clockAt(10_000)
    clock.set(seconds)
    wall.ms += 2_000
    expect(clock.now).toBe(seconds + 2n)
  })

  test('advances to a later time and ignores an earlier one', () => {
    const { clock } = clockAt(10_000)
    clock.advanceTo(5n)
    expect(clock.now).toBe(10n)
    clock.advanceTo(12n)
    expect(clock.now).toBe(12n)
  })

  test('follows the time of a block', () => {
    const { clock } = clockAt(10_000)
    clock.increase(100n)
    clock.follow(110n)
    clock.follow(500n)
    expect([clock.now, clock.increased]).toEqual([500n, 100n])
  })

  test('that forgets is the wall clock again after a block', () => {
    const { clock, wall } = clockAt(10_000, true)
    clock.increase(100n)
    wall.ms += 1_000
    clock.follow(111n)
    expect([clock.now, clock.increased]).toEqual([11n, 0n])
  })

  test('continues from the time of the capture', () => {
    const { clock, wall } = clockAt(10_000)
    clock.increase(100n)
    const captured = clock.capture()
    wall.ms += 7_000
    clock.increase(1_000n)
    clock.restore(captured)
    expect([clock.now, clock.increased]).toEqual([110n, 100n])
    wall.ms += 1_000
    expect(clock.now).toBe(111n)
  })
})
