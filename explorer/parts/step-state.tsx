/** An instruction, and stack, memory and storage before it. */

import type { VNode } from 'preact'
import type { DebugSession, Shown, Variable } from '../client/debug-session.ts'
import { useLoaded } from '../client/loaded.ts'
import { nameOf } from '../client/names.ts'
import type { Step } from '../client/steps.ts'
import { shortened } from '../format/amounts.ts'
import { ChainText } from './chain-text.tsx'
import { AddressLink } from './hex.tsx'
import { NamedText } from './named-text.tsx'
import { Count, Fields, Section, Showing } from './page-parts.tsx'

interface StateProps {
  readonly session: DebugSession
  readonly stop: Shown
  /** Of a transaction that is in a block. */
  readonly step: Step | undefined
}

const SCOPES = ['storage', 'stack', 'memory'] as const

export function StepState({ session, stop, step }: StateProps): VNode {
  const { at, frame, stack } = stop
  const words = useLoaded(
    () => Promise.all(SCOPES.map((one) => session.ask('dev_debugVariables', at, frame?.frame ?? 0, [one]))),
    [session, stop],
  )
  return (
    <Showing of={words}>
      {([storage = [], onStack = [], memory = []]) => (
        <div class="columns">
          <div>
            <Section title="Instruction">
              <Fields
                rows={[
                  ['Gas left', <Count of={BigInt(stack.gasLeft)} />],
                  ['Gas of this', step && <Count of={step.gasCost} />],
                  ['Depth of calls', step && String(step.depth)],
                  ['Position in the code', frame && String(frame.pc)],
                  ['Account', frame && <AddressLink value={frame.address} />],
                  ['Variable', step?.variable && <NamedText text={step.variable} />],
                  ['Slot', step?.storage && <Slot {...step.storage} />],
                  ['Fails with', step?.error && <span class="failure">{step.error}</span>],
                ]}
              />
            </Section>
            <Section title="Storage">
              <Words
                empty="No slot of the account was written so far."
                words={named(storage, stop.state)}
                isShort
              />
            </Section>
          </div>
          <div>
            <Section title="Stack">
              <Words empty="The stack is empty." words={onStack} isShort />
            </Section>
            <Section title="Memory">
              <Words empty="The memory is empty." words={memory} />
            </Section>
          </div>
        </div>
      )}
    </Showing>
  )
}

const Slot = ({ slot, value, written }: NonNullable<Step['storage']>): VNode => (
  <span class="hex">
    {shortened(slot)}:{' '}
    {[value, written].flatMap((word) => (word === undefined ? [] : withoutZeros(word))).join(' → ')}
  </span>
)

/** Slots by the names of the state variables in them. */
const named = (slots: readonly Variable[], state: readonly Variable[]): readonly Word[] =>
  slots.map((slot) => {
    const inside = state.filter(({ stored }) => stored?.slot === slot.name).map(({ name }) => name)
    return inside.length === 0 ? slot : { ...slot, label: inside.join(', ') }
  })

const withoutZeros = (word: string): string => word.replace(/^0x0+(?=.)/, '0x')

/** Words that are shown: what a person reads. */
const MAX_WORDS = 128

type Word = Variable & { readonly label?: string }

interface WordsProps {
  readonly words: readonly Word[]
  readonly empty: string
  /** Whether zeros at the beginning are left out. */
  readonly isShort?: boolean
}

const Words = ({ words, empty, isShort = false }: WordsProps): VNode =>
  words.length === 0 ? (
    <p class="quiet">{empty}</p>
  ) : (
    <div class="words" tabIndex={0}>
      <table>
        <tbody>
          {words.slice(0, MAX_WORDS).map(({ name, label, value }) => (
            <tr key={name}>
              <td title={name}>
                <ChainText text={label ?? shortened(name)} />
              </td>
              <td>
                {isShort ? withoutZeros(value) : value}
                <WordName word={value} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {words.length > MAX_WORDS && (
        <p class="quiet">
          The first {MAX_WORDS} of {words.length} words are shown.
        </p>
      )}
    </div>
  )

/** Digits of a word that may be an address: one of a contract or of an account begins with few zeros. */
const ADDRESS_DIGITS = /^0x[0-9a-f]{36,40}$/

/** The name of the account whose address a word is. */
function WordName({ word }: { readonly word: string }): VNode | null {
  const short = withoutZeros(word)
  const name = ADDRESS_DIGITS.test(short) ? nameOf(`0x${short.slice(2).padStart(40, '0')}`) : undefined
  return name === undefined ? null : (
    <span class="quiet">
      {' '}
      <ChainText text={name} />
    </span>
  )
}
