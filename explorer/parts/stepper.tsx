/** Steps through a transaction: instruction and source line side by side, with stack, memory and storage. */

import type { VNode } from 'preact'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { useHashLocation } from 'wouter-preact/use-hash-location'
import { useLoaded } from '../client/loaded.ts'
import { StepStore } from '../client/steps.ts'
import type { StepWindow } from '../client/steps.ts'
import { sourcesOf } from '../client/sources.ts'
import { Showing } from './page-parts.tsx'
import { SourceView } from './source-view.tsx'
import { StepControls } from './step-controls.tsx'
import { StepState } from './step-state.tsx'
import './stepper.css'

interface StepperProps {
  readonly hash: string
  readonly at: number
}

/** Instructions that are listed before and after the current one. */
const AROUND = 60

export function Stepper({ hash, at }: StepperProps): VNode {
  const [, navigate] = useHashLocation()
  const goTo = (step: number): void => navigate(`/tx/${hash}/step/${step}`, { replace: true })
  const store = useMemo(() => new StepStore(hash), [hash])
  const shown = useLoaded(async () => {
    const window = await store.around(at, AROUND)
    return { at, window, slots: await store.slotsBefore(at) }
  }, [hash, at])
  return (
    <Showing of={shown}>
      {({ at: index, window, slots }) => {
        const step = window.steps[index - window.from]
        if (window.total === 0) return <p class="quiet">The transaction executed no code.</p>
        if (step === undefined)
          return (
            <p class="error" role="alert">
              There is no step {index}; the last one is{' '}
              <a href={`#/tx/${hash}/step/${window.total - 1}`}>{window.total - 1}</a>.
            </p>
          )
        return (
          <>
            {/* From the step of the URL, so that keys that are pressed while it loads count. */}
            <StepControls hash={hash} at={at} total={window.total} goTo={goTo} />
            <div class="columns">
              <Instructions hash={hash} at={index} window={window} />
              <StepSource hash={hash} at={index} window={window} />
            </div>
            <StepState step={step} slots={slots} />
          </>
        )
      }}
    </Showing>
  )
}

interface PartProps extends StepperProps {
  readonly window: StepWindow
}

function Instructions({ hash, at, window: { from, steps } }: PartProps): VNode {
  const list = useRef<HTMLOListElement>(null)
  useEffect(() => {
    const current = list.current?.querySelector<HTMLElement>('[aria-current]')
    if (list.current === null || current === null || current === undefined) return
    const top = current.getBoundingClientRect().top - list.current.getBoundingClientRect().top
    list.current.scrollTop += top - list.current.clientHeight / 3
  }, [at, from])
  return (
    <ol class="instructions" ref={list} aria-label="Instructions">
      {steps.map(({ pc, op, gasCost, depth, error }, index) => (
        <li key={from + index}>
          <a
            href={`#/tx/${hash}/step/${from + index}`}
            aria-current={from + index === at ? 'step' : undefined}
          >
            <span class="quiet">{from + index}</span>
            <span class="quiet">{pc}</span>
            <span class={error === undefined && op !== 'REVERT' ? undefined : 'failure'}>
              {'· '.repeat(Math.min(depth, 16))}
              {op}
            </span>
            <span class="quiet">{gasCost}</span>
          </a>
        </li>
      ))}
    </ol>
  )
}

function StepSource({ hash, at, window: { from, steps } }: PartProps): VNode {
  const sources = useLoaded(() => sourcesOf(hash), [hash])
  const placed = steps[at - from]?.source
  return (
    <Showing of={sources}>
      {(all) => {
        if (placed === undefined)
          return (
            <p class="quiet">
              No line of a source is known for this instruction: the compiler added it, or the node has no
              artifacts of the contract.
            </p>
          )
        const content = all.find(({ id }) => id === placed.id)?.content
        if (content === undefined)
          return <p class="quiet">The text of {placed.path} is not known as it was compiled.</p>
        return <SourceView path={placed.path} content={content} mark={placed} />
      }}
    </Showing>
  )
}
