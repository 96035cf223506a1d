/** Lets other requests run during executions, ends those that take too long, and says which of them last. */

import { NodeError } from '../base/errors.ts'
import { Emitter } from '../base/events.ts'
import { nextTurn } from '../base/host.ts'
import type { CallTimer, Observer } from '../evm/observer.ts'

interface TimerSettings {
  readonly now: () => number
  /** Milliseconds after which the executions of a request end; 0 for no limit. */
  readonly timeoutMs: number
}

/** Observes the calls of a simulation, by their position among all calls of the request. */
export type ObserverOf = (position: number) => Observer | undefined

/** Milliseconds of work after which other requests run. */
const TURN_MS = 20

/** Milliseconds after which the user is told what runs. */
const LONG_MS = 2000

export class ExecutionTimers {
  /** Emitted with a sentence about an execution that lasts. */
  readonly noticed = new Emitter<string>()
  readonly #settings: TimerSettings
  #isClosed = false

  constructor(settings: TimerSettings) {
    this.#settings = settings
  }

  /** Ends the executions that pause from now on. */
  close(): void {
    this.#isClosed = true
  }

  /**
   * Times the executions of one request, or of a block, which only its gas limits. The hook throws NodeError 'callTimeout' (geth,
   * RPCEVMTimeout) or 'nodeClosed'.
   */
  start(timeoutMs = this.#settings.timeoutMs): CallTimer {
    const { now } = this.#settings
    const startedAt = now()
    let turnStartedAt = startedAt
    let isNoticed = false
    return {
      onSlice: (running) => {
        const time = now()
        if (timeoutMs > 0 && time - startedAt >= timeoutMs)
          throw new NodeError('callTimeout', `execution aborted (timeout = ${durationText(timeoutMs)})`)
        if (time - turnStartedAt < TURN_MS) return undefined
        if (this.#isClosed) throw this.#abandoned(running?.title)
        if (running !== undefined && !isNoticed && time - startedAt >= LONG_MS) {
          isNoticed = true
          this.noticed.emit(
            `${running.title} has run for ${LONG_MS / 1000} seconds; reads are answered meanwhile`,
          )
        }
        return nextTurn().then(() => {
          turnStartedAt = now()
        })
      },
    }
  }

  #abandoned(title = 'an execution'): NodeError {
    const sentence = `${title} was abandoned, because the node was closed`
    this.noticed.emit(sentence)
    return new NodeError('nodeClosed', sentence)
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
