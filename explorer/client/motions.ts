/** Moves in a recorded execution, one motion after the other: keys come faster than answers. */

import { useLayoutEffect, useRef, useState } from 'preact/hooks'
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

/** Where the debugger is. */
interface Place {
  readonly session: DebugSession
  readonly shownAt: number
  /** The step that the address names now, although the page may not show it yet; undefined on another page. */
  readonly named: () => number | undefined
  readonly go: (step: number) => void
}

export function useMotions({ session, shownAt, named, go }: Place): Motions {
  const [said, say] = useState({ at: shownAt, text: '' })
  const { current: moves } = useRef({ at: shownAt, turn: 0, last: Promise.resolve(), isLeft: false })
  useLayoutEffect(() => () => void (moves.isLeft = true), [])
  const to = (step: number, text = ''): void => {
    moves.at = step
    say({ at: step, text })
    go(step)
  }
  /** Begins where the user is. Who has opened another step by its address begins a turn of motions. */
  const turnHere = (): number => {
    const here = named() ?? shownAt
    if (here !== moves.at) moves.turn++
    moves.at = here
    return moves.turn
  }
  /** Whether the user has left the page or has opened another step since a motion was asked for. */
  const isElsewhere = (turn: number): boolean => moves.isLeft || moves.turn !== turn || named() !== moves.at
  const move = async (motions: readonly Motion[], none: string, turn: number): Promise<void> => {
    for (const motion of motions) {
      if (isElsewhere(turn)) return
      const stop = await session.ask('dev_debugMove', moves.at, motion)
      if (isElsewhere(turn)) return
      if (motion.kind !== 'run' || (stop.reason !== 'end' && stop.reason !== 'start'))
        return to(stop.step, textOf(stop))
    }
    say({ at: moves.at, text: `There is no ${none}.` })
  }
  const run: Run = (motions, none = '') => {
    const turn = turnHere()
    moves.last = moves.last
      .then(() => move(motions, none, turn))
      .catch((error: unknown) =>
        say({ at: moves.at, text: error instanceof Error ? error.message : String(error) }),
      )
  }
  const choose = (next: (at: number) => number): void => {
    turnHere()
    moves.turn++
    to(next(moves.at))
  }
  const runToLine = (path: string, line: number): void => {
    const breakpoints = [{ id: 1, kind: 'line', path, line }]
    const ways = (['forwards', 'backwards'] as const).map(
      (direction) => ({ kind: 'run', direction, breakpoints }) as const,
    )
    run(ways, `other stop on line ${line}`)
  }
  return { run, runToLine, to: choose, message: said.at === shownAt ? said.text : '' }
}

function textOf({ reason, text }: Stop): string {
  // The failure is shown at its step, however it was reached.
  if (reason === 'exception') return ''
  if (text !== undefined) return `Stopped at ${text}`
  if (reason === 'end') return 'The execution ends here.'
  return reason === 'start' ? 'The execution begins here.' : ''
}
