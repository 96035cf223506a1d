/** Stack, memory and storage before an instruction. */

import type { VNode } from 'preact'
import { nameOf } from '../client/names.ts'
import type { Step } from '../client/steps.ts'
import { shortened } from '../format/amounts.ts'
import { ChainText } from './chain-text.tsx'
import { AddressLink } from './hex.tsx'
import { NamedText } from './named-text.tsx'
import { Count, Fields, Section } from './page-parts.tsx'

interface StateProps {
  readonly step: Step
  readonly slots: ReadonlyMap<string, string>
}

export const StepState = ({ step, slots }: StateProps): VNode => (
  <div class="columns">
    <div>
      <Section title="Instruction">
        <Fields
          rows={[
            ['Gas left', <Count of={step.gas} />],
            ['Gas of this', <Count of={step.gasCost} />],
            ['Depth of calls', String(step.depth)],
            ['Position in the code', String(step.pc)],
            ['Account', <AddressLink value={step.address} />],
            ['Variable', step.variable && <NamedText text={step.variable} />],
            ['Fails with', step.error === undefined ? undefined : <span class="failure">{step.error}</span>],
          ]}
        />
      </Section>
      <Section title="Storage">
        <Storage step={step} slots={slots} />
      </Section>
    </div>
    <div>
      <Section title={`Stack, ${step.stackSize} ${step.stackSize === 1 ? 'word' : 'words'}`}>
        <Words
          empty="The stack is empty."
          words={step.stack
            .map((word, index) => [String(step.stackSize - step.stack.length + index), word] as const)
            .toReversed()}
        />
      </Section>
      <Section title={`Memory, ${step.memorySize} bytes`}>
        <Words empty="The memory is empty." words={memoryWords(step.memory ?? '0x')} />
        {step.memorySize > bytesIn(step.memory ?? '0x') && (
          <p class="quiet">The first {bytesIn(step.memory ?? '0x')} bytes are shown.</p>
        )}
      </Section>
    </div>
  </div>
)

function Storage({ step, slots }: StateProps): VNode {
  const { storage } = step
  const others = [...slots].filter(([slot]) => slot !== storage?.slot)
  const now: readonly (readonly [string, string])[] =
    storage === undefined
      ? []
      : [
          [
            storage.slot,
            storage.written === undefined ? storage.value : `${storage.value} → ${storage.written}`,
          ],
        ]
  return <Words empty="The account has touched no slot so far." words={[...now, ...others]} />
}

const Words = ({
  words,
  empty,
}: {
  readonly words: readonly (readonly [string, string])[]
  readonly empty: string
}): VNode =>
  words.length === 0 ? (
    <p class="quiet">{empty}</p>
  ) : (
    <div class="words" tabIndex={0}>
      <table>
        <tbody>
          {words.map(([name, value]) => (
            <tr key={name}>
              <td title={name}>{shortened(name)}</td>
              <td>
                {value}
                <WordName word={value} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )

/** Digits of a word that may be an address: one of a contract or of an account begins with few zeros. */
const ADDRESS_DIGITS = /^0x[0-9a-f]{36,40}$/

/** The name of the account whose address a word is. */
function WordName({ word }: { readonly word: string }): VNode | null {
  const name = ADDRESS_DIGITS.test(word) ? nameOf(`0x${word.slice(2).padStart(40, '0')}`) : undefined
  return name === undefined ? null : (
    <span class="quiet">
      {' '}
      <ChainText text={name} />
    </span>
  )
}

const bytesIn = (hex: string): number => (hex.length - 2) / 2

/** Words of 32 bytes with their offsets. */
function memoryWords(memory: string): readonly (readonly [string, string])[] {
  const words = memory.slice(2).match(/.{1,64}/g) ?? []
  return words.map((word, index) => [`0x${(32 * index).toString(16).padStart(2, '0')}`, word])
}
