import { describe, expect, test } from '@jest/globals'
import { fn } from 'jest-mock'
import { AttachedDebugger, DETACHED_AFTER_MS } from '../../../lib/modules/debug/attached-debugger.ts'
import type { StoppableRun } from '../../../lib/modules/debug/attached-debugger.ts'
import type { AttachSettings } from '../../../lib/modules/debug/params.ts'
import type { DebugStop } from '../../../lib/modules/debug/results.ts'
import { ManualHost } from '../../support/node.ts'

const LINE = { id: 1, kind: 'line', path: 'A.sol', line: 3 } as const
const UNCAUGHT = { id: 2, kind: 'revert', which: 'uncaught' } as const
const MET: DebugStop = { step: 7, reason: 'breakpoint', breakpoints: [1], logs: [] }
const NOT_MET: DebugStop = { step: 9, reason: 'end', breakpoints: [], logs: [] }

/** A run that stops as given, and whether it was recorded. */
function runOf(at: DebugStop, { kind = 'transaction', isSuccess = true }: Partial<StoppableRun> = {}) {
  const summary = () => ({ session: '1', steps: 10, first: 1, last: 9, status: 'success' }) as const
  const session = { isHeld: false, summary, move: async () => at }
  const open = fn(async () => session)
  return { kind, isSuccess, open, session }
}

function attached(settings: Partial<AttachSettings> = {}) {
  const host = new ManualHost()
  const detached = fn()
  const all: AttachSettings = { breakpoints: [LINE], pauseOn: ['transaction', 'call'], ...settings }
  return { host, detached, one: new AttachedDebugger(all, host, detached) }
}

const REQUEST = { method: 'eth_call' }

/** Whether a promise has been settled after the pending ones. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  const settled = fn()
  void promise.then(settled)
  await new Promise((resolve) => setImmediate(resolve))
  return settled.mock.calls.length > 0
}

describe('a request', () => {
  test('waits at each of its executions', async () => {
    const { one } = attached()
    const held = one.hold(REQUEST, [runOf(MET), runOf(NOT_MET), runOf(MET)])
    one.resume((await one.next(1000))!.stop)
    expect(await isSettled(held)).toBe(false)
    one.resume((await one.next(1000))!.stop)
    await held
  })

  test('that only passes logpoints is reported, and does not wait', async () => {
    const { one } = attached()
    await one.hold(REQUEST, [runOf({ ...NOT_MET, logs: [{ breakpoint: 1, text: 'x' }] })])
    expect((await one.next(1000))!.at.logs).toEqual([{ breakpoint: 1, text: 'x' }])
  })

  test.each([
    ['that succeeds, for a debugger of failures', { breakpoints: [UNCAUGHT] }, {}, 0],
    ['that fails, for a debugger of failures', { breakpoints: [UNCAUGHT] }, { isSuccess: false }, 1],
    ['that is an estimate', {}, { kind: 'estimate' }, 0],
    ['that is an estimate and fails', {}, { kind: 'estimate', isSuccess: false }, 1],
    ['that is an estimate, if those are wanted', { pauseOn: ['estimate'] }, { kind: 'estimate' }, 1],
    ['without breakpoints', { breakpoints: [] }, { isSuccess: false }, 0],
  ] as const)('%s is recorded only if it may stop', async (_case, settings, kind, times) => {
    const { one } = attached(settings as Partial<AttachSettings>)
    const run = runOf(NOT_MET, kind)
    await one.hold(REQUEST, [run])
    expect(run.open).toHaveBeenCalledTimes(times)
  })
})

describe('a debugger', () => {
  test('that asks no more is detached, and its requests go on', async () => {
    const { one, host, detached } = attached()
    const held = one.hold(REQUEST, [runOf(MET)])
    await one.next(1000)
    host.step(DETACHED_AFTER_MS - 1)
    expect(await isSettled(held)).toBe(false)
    host.step(1)
    await held
    expect(detached).toHaveBeenCalledTimes(1)
    await one.hold(REQUEST, [runOf(MET)])
  })
})
