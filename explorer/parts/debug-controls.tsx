/** Buttons and keys that move in a recorded execution. */

import type { VNode } from 'preact'
import { useLayoutEffect } from 'preact/hooks'
import type { Motion, Stack, Summary } from '../client/debug-session.ts'
import type { useMotions } from '../client/motions.ts'
import { ChainText } from './chain-text.tsx'
import { NamedText } from './named-text.tsx'
import './debug-controls.css'

interface ControlsProps {
  readonly summary: Summary
  readonly at: number
  readonly isInstructions: boolean
  /** The failure that happens here. */
  readonly exception: Stack['exception']
  /** Link to the other view of the same step. */
  readonly other: string
  readonly motions: ReturnType<typeof useMotions>
}

type Direction = 'forwards' | 'backwards'

/** A button with its key, which goes backwards with Shift. */
interface Wanted {
  readonly key: string
  readonly label: string
  readonly kind: Motion['kind']
  /** Where a run stops. */
  readonly breakpoint?: { readonly id: 1; readonly kind: string; readonly which?: 'all' }
}

const STEPS: readonly Wanted[] = [
  { key: 'o', label: 'Over', kind: 'over' },
  { key: 'i', label: 'Into', kind: 'into' },
  { key: 'u', label: 'Out', kind: 'out' },
]

const RUNS: readonly Wanted[] = [
  { key: 'r', label: 'Revert', kind: 'run', breakpoint: { id: 1, kind: 'revert', which: 'all' } },
  { key: 'w', label: 'Write', kind: 'run', breakpoint: { id: 1, kind: 'write' } },
  { key: 'c', label: 'Call', kind: 'run', breakpoint: { id: 1, kind: 'call' } },
  { key: 'e', label: 'Event', kind: 'run', breakpoint: { id: 1, kind: 'event' } },
]

export function DebugControls(props: ControlsProps): VNode {
  const { summary, at, isInstructions, exception, other, motions } = props
  const { run, to, message } = motions
  const [first, last] = isInstructions ? [0, summary.steps - 1] : [summary.first, summary.last]
  const press = ({ label, kind, breakpoint }: Wanted, direction: Direction): void => {
    const side = direction === 'forwards' ? 'after' : 'before'
    const breakpoints = breakpoint === undefined ? [] : [breakpoint]
    run([{ kind, direction, breakpoints }], `${label.toLowerCase()} ${side} this place`)
  }
  const beside = (direction: Direction): void => {
    if (!isInstructions) return run([{ kind: 'over', direction }])
    to((step) => Math.min(Math.max(step + (direction === 'forwards' ? 1 : -1), first), last))
  }
  useKeys((key, isBackwards) => {
    const wanted = [...STEPS, ...RUNS].find((one) => one.key === key.toLowerCase())
    if (wanted !== undefined) press(wanted, isBackwards ? 'backwards' : 'forwards')
    else if (key === 'ArrowRight') beside('forwards')
    else if (key === 'ArrowLeft') beside('backwards')
    else if (key === 'Home') to(() => first)
    else if (key === 'End') to(() => last)
    else return false
    return true
  })
  const button = (wanted: Wanted, direction: Direction, label = wanted.label): VNode => {
    const isBack = direction === 'backwards'
    const other = isBack ? 'forwards' : 'backwards'
    return (
      <button
        type="button"
        key={label}
        aria-keyshortcuts={isBack ? `Shift+${wanted.key}` : wanted.key}
        title={isBack ? `Shift and ${wanted.key}` : `Key ${wanted.key}; with Shift backwards`}
        onClick={({ shiftKey }) => press(wanted, shiftKey ? other : direction)}
      >
        {label}
      </button>
    )
  }
  const [over, into, out] = STEPS as [Wanted, Wanted, Wanted]
  return (
    <div class="debug-controls">
      <div class="controls" role="group" aria-label="Steps">
        <span class="joined">
          <button
            type="button"
            aria-keyshortcuts="Home"
            title="First step: Home"
            onClick={() => to(() => first)}
          >
            ⇤
          </button>
          {button(into, 'backwards', 'Back into')}
          {button(over, 'backwards', '← Back')}
          {button(over, 'forwards', 'Over →')}
          {button(into, 'forwards')}
          {button(out, 'forwards')}
          <button type="button" aria-keyshortcuts="End" title="Last step: End" onClick={() => to(() => last)}>
            ⇥
          </button>
        </span>
        <span class="joined" role="group" aria-label="Run to the next">
          <span class="quiet">Run to</span>
          {RUNS.map((one) => button(one, 'forwards'))}
        </span>
        <a class="button" href={other}>
          {isInstructions ? 'Lines' : 'Instructions'}
        </a>
      </div>
      <div class="controls">
        <StepNumber at={at} steps={summary.steps} goTo={(step) => to(() => step)} />
      </div>
      <p>
        <span role="status">
          {message !== '' && (
            <b>
              <ChainText text={message} />{' '}
            </b>
          )}
          {exception !== undefined && (
            <b class="failure">
              {exception.isCaught ? 'Fails here and is caught: ' : 'Fails here: '}
              <NamedText text={exception.reason} />
            </b>
          )}
        </span>
        {message === '' && exception === undefined && (
          <span class="quiet">
            Keys: → and ← {isInstructions ? 'by instruction' : 'over'}; o, i, u over, into, out; r, w, c, e
            run to; with Shift backwards.{!isInstructions && ' A click on a number runs to its line.'}
          </span>
        )}
      </p>
    </div>
  )
}

interface NumberProps {
  readonly at: number
  readonly steps: number
  readonly goTo: (step: number) => void
}

const StepNumber = ({ at, steps, goTo }: NumberProps): VNode => {
  const go = ({ currentTarget: { valueAsNumber: wanted } }: { currentTarget: HTMLInputElement }): void => {
    if (Number.isInteger(wanted)) goTo(Math.min(Math.max(wanted, 0), steps - 1))
  }
  return (
    <>
      <input type="range" min={0} max={steps - 1} value={at} aria-label="Step" onChange={go} />
      <label>
        Step <input type="number" min={0} max={steps - 1} value={at} onChange={go} />{' '}
        <span class="quiet">of {steps - 1}</span>
      </label>
    </>
  )
}

/** Keys of the page, except in fields and with keys of the browser. `press` returns whether a key has a meaning. */
function useKeys(press: (key: string, isBackwards: boolean) => boolean): void {
  // Before the page is painted: who sees it may press a key.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey) return
      // Letters mean nothing to the slider.
      const isSlider = event.target instanceof HTMLInputElement && event.target.type === 'range'
      if (event.target instanceof HTMLInputElement && !(isSlider && event.key.length === 1)) return
      if (press(event.key, event.shiftKey)) event.preventDefault()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  })
}
