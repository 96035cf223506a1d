/** Parts that many pages share. */

import type { ComponentChildren, VNode } from 'preact'
import { useState } from 'preact/hooks'
import { ChainText } from './chain-text.tsx'
import type { Loaded } from '../client/loaded.ts'
import { amountOf, grouped } from '../format/amounts.ts'

/** Shows what is loaded, that it is being loaded, or why it is not. */
export function Showing<T>({
  of,
  children,
}: {
  readonly of: Loaded<T>
  readonly children: (value: T) => VNode
}): VNode {
  switch (of.state) {
    case 'loading':
      return <p class="quiet">Loading…</p>
    case 'failed':
      return (
        <p class="error" role="alert">
          <ChainText text={of.message} />
        </p>
      )
    case 'loaded':
      return children(of.value)
  }
}

/** Names and values; a row without a value is left out. */
export const Fields = ({
  rows,
}: {
  readonly rows: readonly (readonly [string, ComponentChildren])[]
}): VNode => (
  <dl class="fields">
    {rows.map(([name, value]) =>
      value === undefined || value === null ? null : (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ),
    )}
  </dl>
)

/** An amount of wei with three significant digits; a press shows all of them. */
export function Amount({ wei }: { readonly wei: string | bigint }): VNode {
  const [isExact, setExact] = useState(false)
  const { short, exact, inWei } = amountOf(BigInt(wei))
  if (short === exact) return <span title={inWei}>{short}</span>
  return (
    <button type="button" class="amount" title={inWei} onClick={() => setExact(!isExact)}>
      {isExact ? exact : short}
    </button>
  )
}

export const Count = ({ of }: { readonly of: string | number | bigint }): VNode => (
  <span class="number">{grouped(of)}</span>
)

/** Gas that a block used, with its share of the limit as a bar. */
export function GasBar({ used, limit }: { readonly used: string; readonly limit: string }): VNode {
  const share = Math.min(100, (Number(used) / Number(limit)) * 100)
  return (
    <span class="gas" title={`${share.toFixed(1)} % of ${grouped(limit)}`}>
      <Count of={used} />
      <svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
        <rect width={share} height="1" />
      </svg>
    </span>
  )
}

export const Section = ({
  title,
  children,
}: {
  readonly title: string
  readonly children: ComponentChildren
}): VNode => (
  <section>
    <h2>{title}</h2>
    {children}
  </section>
)

/** Says where names come from, where there are none. */
export const NoNames = (): VNode => (
  <p class="quiet">
    Names come from the compiler's output: point <code>--artifacts</code> to its folder, such as{' '}
    <code>artifacts</code> or <code>out</code>, or give one with <code>dev_addContract</code>.
  </p>
)
