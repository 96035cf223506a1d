/** Steps through a transaction: instruction and source line side by side, with stack, memory and storage. */

import type { VNode } from 'preact'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { useHashLocation } from 'wouter-preact/use-hash-location'
import { contractAt, functionsOf, selectorOf } from '../client/contracts.ts'
import { useLoaded } from '../client/loaded.ts'
import { StepStore } from '../client/steps.ts'
import type { Step, StepPlace, StepWindow } from '../client/steps.ts'
import { sourcesOf } from '../client/sources.ts'
import { shortened } from '../format/amounts.ts'
import { stepMark } from '../format/step-mark.ts'
import { ChainText } from './chain-text.tsx'
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
  const contracts = useMemo(() => new Map<string, ReturnType<typeof contractAt>>(), [hash])
  const shown = useLoaded(async () => {
    const window = await store.around(at, AROUND)
    const [slots, place] = await Promise.all([store.slotsBefore(at), store.placeOf(at)])
    return { at, window, slots, place, functions: await functionsIn(window, contracts) }
  }, [hash, at])
  return (
    <Showing of={shown}>
      {({ at: index, window, slots, place, functions }) => {
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
              <Instructions hash={hash} at={index} window={window} functions={functions} />
              <StepSource hash={hash} place={place} />
            </div>
            <StepState step={step} slots={slots} />
          </>
        )
      }}
    </Showing>
  )
}

/** Functions by selector of the contracts that run in a window. `known` keeps the contracts. */
async function functionsIn(
  { steps }: StepWindow,
  known: Map<string, ReturnType<typeof contractAt>>,
): Promise<ReadonlyMap<string, string>> {
  const addresses = [...new Set(steps.map(({ address }) => address))]
  const contracts = await Promise.all(
    addresses.map((address) => {
      const contract = known.get(address) ?? contractAt(address)
      known.set(address, contract)
      return contract
    }),
  )
  const functions = contracts.flatMap((contract) => (contract === null ? [] : functionsOf(contract)))
  return new Map(functions.map((one) => [selectorOf(one), one.name]))
}

interface InstructionsProps extends StepperProps {
  readonly window: StepWindow
  readonly functions: ReadonlyMap<string, string>
}

function Instructions({ hash, at, window: { from, steps }, functions }: InstructionsProps): VNode {
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
              {op} <Operand op={op} after={steps[index + 1]} functions={functions} />
            </span>
            <span class="quiet">{gasCost}</span>
          </a>
        </li>
      ))}
    </ol>
  )
}

interface OperandProps {
  readonly op: string
  /** The next instruction, on whose stack the operand is. */
  readonly after: Step | undefined
  readonly functions: ReadonlyMap<string, string>
}

/** The data that a PUSH pushes, and the function with such a selector. */
function Operand({ op, after, functions }: OperandProps): VNode | null {
  const bytes = Number(/^PUSH([1-9]\d?)$/.exec(op)?.[1] ?? 0)
  const word = after?.stack.at(-1)
  if (bytes === 0 || word === undefined) return null
  const data = `0x${word.slice(2).padStart(2 * bytes, '0')}`
  const name = functions.get(data)
  return (
    <>
      <span title={data}>{shortened(data)}</span>
      {name !== undefined && (
        <span class="quiet">
          {' '}
          <ChainText text={name} />
        </span>
      )}
    </>
  )
}

interface SourceProps {
  readonly hash: string
  readonly place: StepPlace | undefined
}

function StepSource({ hash, place }: SourceProps): VNode {
  const sources = useLoaded(() => sourcesOf(hash), [hash])
  return (
    <Showing of={sources}>
      {(all) => {
        if (place === undefined)
          return (
            <p class="quiet">
              No line of a source is known for this instruction: the node has no artifacts of the contract.
            </p>
          )
        const { source, relation } = place
        const content = all.find(({ id }) => id === source.id)?.content
        if (content === undefined)
          return <p class="quiet">The text of {source.path} is not known as it was compiled.</p>
        const { mark, note } = stepMark(content, source, relation)
        return (
          <div class={relation === 'own' ? undefined : 'stays'}>
            <SourceView path={source.path} content={content} mark={mark} note={note} />
          </div>
        )
      }}
    </Showing>
  )
}
