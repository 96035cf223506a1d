import { describe, expect, test } from '@jest/globals'
import { ExecutionTimers } from '../../lib/chain/execution-timers.ts'

const RUNNING = { title: 'transaction 0x12' }

function timed(timeoutMs: number, limitMs?: number) {
  let nowMs = 1000
  const timers = new ExecutionTimers({ now: () => nowMs, timeoutMs })
  const notices: string[] = []
  timers.noticed.on((sentence) => notices.push(sentence))
  const timer = timers.start(limitMs)
  return {
    timers,
    notices,
    after: (durationMs: number) => {
      nowMs += durationMs
      return timer.onSlice?.(RUNNING)
    },
  }
}

describe('the timer of executions', () => {
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
  ])('ends calls after %d milliseconds', (timeoutMs, text) => {
    expect(() => timed(timeoutMs).after(timeoutMs - 1)).not.toThrow()
    expect(() => timed(timeoutMs).after(timeoutMs)).toThrow(
      expect.objectContaining({ kind: 'callTimeout', message: `execution aborted (timeout = ${text})` }),
    )
  })

  test.each([
    [0, undefined],
    [5000, 0],
  ])('without a limit never ends them: %j, %j', (timeoutMs, limitMs) => {
    expect(timed(timeoutMs, limitMs).after(86_400_000)).toBeInstanceOf(Promise)
  })

  test('says once what runs, after two seconds', async () => {
    const { after, notices } = timed(0)
    await after(1999)
    expect(notices).toEqual([])
    await after(20)
    await after(5000)
    expect(notices).toEqual(['transaction 0x12 has run for 2 seconds; reads are answered meanwhile'])
  })

  test('ends what pauses after the node was closed, and nothing that ends before', () => {
    const { after, notices, timers } = timed(0)
    timers.close()
    expect(after(19)).toBeUndefined()
    expect(() => after(1)).toThrow(expect.objectContaining({ kind: 'nodeClosed' }))
    expect(notices).toEqual(['transaction 0x12 was abandoned, because the node was closed'])
  })
})
