/** Buttons and keys that go from one instruction to another. */

import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { ask } from '../client/json-rpc.ts'
import './step-controls.css'

interface ControlsProps {
  readonly hash: string
  readonly at: number
  readonly total: number
  readonly goTo: (step: number) => void
}

/** A search of the node, with its key. */
const SEARCHES = [
  { goal: 'call', key: 'c', label: 'Next call', none: 'call' },
  { goal: 'log', key: 'l', label: 'Next log', none: 'log' },
  { goal: 'failure', key: 'r', label: 'Next revert', none: 'revert' },
  { goal: 'over', key: 'o', label: 'Over', none: 'instruction of this frame or of its callers' },
  { goal: 'out', key: 'u', label: 'Out', none: 'calling frame' },
] as const

type Search = (typeof SEARCHES)[number]

export function StepControls({ hash, at, total, goTo }: ControlsProps): VNode {
  const [message, setMessage] = useState('')
  useEffect(() => setMessage(''), [at])
  const search = ({ goal, none }: Search, direction: 'forwards' | 'backwards'): void => {
    ask('dev_findStep', hash, at, goal, direction).then(
      (found) => {
        if (found === null)
          setMessage(`There is no ${none} ${direction === 'forwards' ? 'after' : 'before'} this instruction.`)
        else goTo(found)
      },
      (error: unknown) => setMessage(error instanceof Error ? error.message : String(error)),
    )
  }
  const move = (by: number): void => {
    if (at + by >= 0 && at + by < total) goTo(at + by)
  }
  useKeys((key, isBackwards) => {
    if (key === 'ArrowRight') move(1)
    else if (key === 'ArrowLeft') move(-1)
    else {
      const wanted = SEARCHES.find((one) => one.key === key.toLowerCase())
      if (wanted === undefined) return false
      search(wanted, isBackwards ? 'backwards' : 'forwards')
    }
    return true
  })
  return (
    <>
      <div class="controls" role="group" aria-label="Steps">
        <button type="button" disabled={at === 0} onClick={() => move(-1)} aria-keyshortcuts="ArrowLeft">
          ← Back
        </button>
        <button
          type="button"
          disabled={at + 1 >= total}
          onClick={() => move(1)}
          aria-keyshortcuts="ArrowRight"
        >
          Step →
        </button>
        {SEARCHES.map((one) => (
          <button
            type="button"
            key={one.key}
            aria-keyshortcuts={one.key}
            title={`Key ${one.key}; with Shift backwards`}
            onClick={({ shiftKey }) => search(one, shiftKey ? 'backwards' : 'forwards')}
          >
            {one.label}
          </button>
        ))}
        <StepNumber at={at} total={total} goTo={goTo} />
      </div>
      <p class="quiet">
        Keys: ← and →; c, l, r, o, u for the buttons after them, with Shift backwards.{' '}
        <span class="error" role="status">
          {message}
        </span>
      </p>
    </>
  )
}

const StepNumber = ({ at, total, goTo }: Omit<ControlsProps, 'hash'>): VNode => {
  const go = ({ currentTarget: { valueAsNumber: wanted } }: { currentTarget: HTMLInputElement }): void => {
    if (Number.isInteger(wanted)) goTo(Math.min(Math.max(wanted, 0), total - 1))
  }
  return (
    <>
      <label>
        Step <input type="number" min={0} max={total - 1} value={at} onChange={go} />
      </label>{' '}
      of {total - 1}
      <input type="range" min={0} max={total - 1} value={at} aria-label="Step" onChange={go} />
    </>
  )
}

/** Keys of the page, except in fields and with keys of the browser. `press` returns whether a key has a meaning. */
function useKeys(press: (key: string, isBackwards: boolean) => boolean): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey) return
      if (event.target instanceof HTMLInputElement) return
      if (press(event.key, event.shiftKey)) event.preventDefault()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  })
}
