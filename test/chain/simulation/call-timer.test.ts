import { describe, expect, test } from '@jest/globals'
import { startCallTimer } from '../../../lib/chain/simulation/call-timer.ts'

function timed(timeoutMs: number) {
  let nowMs = 1000
  const timer = startCallTimer({ now: () => nowMs, timeoutMs })
  return {
    after: (durationMs: number) => {
      nowMs += durationMs
      return timer.onSlice?.()
    },
  }
}

describe('the timer of calls', () => {
  test('pauses after 20 milliseconds of work, and then works as long again', async () => {
    const timer = timed(0)
    expect(timer.after(0)).toBeUndefined()
    expect(timer.after(19)).toBeUndefined()
    const pause = timer.after(1)
    expect(pause).toBeInstanceOf(Promise)
    await pause
    expect(timer.after(19)).toBeUndefined()
    expect(timer.after(1)).toBeInstanceOf(Promise)
  })

  test.each([
    [1, '1ms'],
    [999, '999ms'],
    [1000, '1s'],
    [1500, '1.5s'],
    [5000, '5s'],
    [90_000, '1m30s'],
    [3_600_000, '1h0m0s'],
  ])('ends them after %d milliseconds', (timeoutMs, text) => {
    expect(() => timed(timeoutMs).after(timeoutMs - 1)).not.toThrow()
    expect(() => timed(timeoutMs).after(timeoutMs)).toThrow(
      expect.objectContaining({ kind: 'callTimeout', message: `execution aborted (timeout = ${text})` }),
    )
  })

  test('without a limit never ends them', () => {
    expect(timed(0).after(86_400_000)).toBeInstanceOf(Promise)
  })
})
