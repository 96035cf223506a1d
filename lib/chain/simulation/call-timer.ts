/** Lets other requests run during simulated executions, and ends executions that take too long. */

import { NodeError } from '../../base/errors.ts'
import { nextTurn } from '../../base/host.ts'
import type { CallTimer, Observer } from '../../evm/observer.ts'

interface CallTimerSettings {
  /** Milliseconds. */
  readonly now: () => number
  /** Milliseconds after which the executions of a request end; 0 for no limit. */
  readonly timeoutMs: number
}

/** Observes the calls of a simulation, by their position among all calls of the request. */
export type ObserverOf = (position: number) => Observer | undefined

/** Milliseconds of work after which other requests run. */
const TURN_MS = 20

/** Times the executions of one request. Its hook throws NodeError 'callTimeout' (geth, RPCEVMTimeout). */
export function startCallTimer(settings: CallTimerSettings): CallTimer {
  const { now } = settings
  const deadline = startDeadline(settings)
  let turnStartedAt = now()
  return {
    onSlice: () => {
      deadline.onSlice()
      if (now() - turnStartedAt < TURN_MS) return undefined
      return nextTurn().then(() => {
        turnStartedAt = now()
      })
    },
  }
}

/** Times executions that do not pause, because a request changes the chain according to their result. */
export function startDeadline({ now, timeoutMs }: CallTimerSettings): { readonly onSlice: () => undefined } {
  const startedAt = now()
  return {
    onSlice: () => {
      if (timeoutMs === 0 || now() - startedAt < timeoutMs) return
      throw new NodeError('callTimeout', `execution aborted (timeout = ${durationText(timeoutMs)})`)
    },
  }
}

/** A duration as geth shows it (Go, time.Duration): 1h0m0s, 1m30s, 5s, 1.5s, 200ms. */
function durationText(durationMs: number): string {
  if (durationMs < 1000) return `${durationMs}ms`
  const minutes = Math.floor(durationMs / 60_000)
  const seconds = `${(durationMs % 60_000) / 1000}s`
  if (minutes === 0) return seconds
  return minutes < 60 ? `${minutes}m${seconds}` : `${Math.floor(minutes / 60)}h${minutes % 60}m${seconds}`
}
