/** Moves in a recorded execution, one motion after the other: keys come faster than answers. */

import { useRef, useState } from 'preact/hooks'
import type { DebugSession, Motion, Stop } from './debug-session.ts'

/** Moves to the first place that one of some motions meets; says that there is none such as `revert after this place`. */
export type Run = (motions: readonly Motion[], none?: string) => void

interface Motions {
  readonly run: Run
  /** Runs to a line of a source, forwards, else backwards. */
  readonly runToLine: (path: string, line: number) => void
  /** Goes to a step, by one that depends on the newest. */
  readonly to: (next: (at: number) => number) => void
  /** What is to say of the last motion. */
  readonly message: string
}

export function useMotions(session: DebugSession, shownAt: number, go: (step: number) => void): Motions {
  const [said, say] = useState({ at: shownAt, text: '' })
  const { current: moves } = useRef({ at: shownAt, waiting: 0, last: Promise.resolve() })
  if (moves.waiting === 0) moves.at = shownAt
  const to = (step: number, text = ''): void => {
    moves.at = step
    say({ at: step, text })
    go(step)
  }
  const move = async (motions: readonly Motion[], none: string): Promise<void> => {
    for (const motion of motions) {
      const stop = await session.ask('dev_debugMove', moves.at, motion)
      if (motion.kind !== 'run' || (stop.reason !== 'end' && stop.reason !== 'start'))
        return to(stop.step, textOf(stop))
    }
    say({ at: moves.at, text: `There is no ${none}.` })
  }
  const run: Run = (motions, none = '') => {
    moves.waiting++
    moves.last = moves.last
      .then(() => move(motions, none))
      .catch((error: unknown) =>
        say({ at: moves.at, text: error instanceof Error ? error.message : String(error) }),
      )
      .finally(() => moves.waiting--)
  }
  const runToLine = (path: string, line: number): void => {
    const breakpoints = [{ id: 1, kind: 'line', path, line }]
    const ways = (['forwards', 'backwards'] as const).map(
      (direction) => ({ kind: 'run', direction, breakpoints }) as const,
    )
    run(ways, `other stop on line ${line}`)
  }
  return { run, runToLine, to: (next) => to(next(moves.at)), message: said.at === shownAt ? said.text : '' }
}

function textOf({ reason, text }: Stop): string {
  // The failure is shown at its step, however it was reached.
  if (reason === 'exception') return ''
  if (text !== undefined) return `Stopped at ${text}`
  if (reason === 'end') return 'The execution ends here.'
  return reason === 'start' ? 'The execution begins here.' : ''
}
