/** Hashes and addresses: shortened, with a link, copied whole. */

import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { isReport } from '../client/mode.ts'
import { nameOf } from '../client/names.ts'
import { checksummed } from '../format/addresses.ts'
import { shortened } from '../format/amounts.ts'
import { ChainText } from './chain-text.tsx'

/** Milliseconds during which a button says that it has copied. */
const COPIED_MS = 1200

export function CopyButton({ text, what }: { readonly text: string; readonly what: string }): VNode {
  const [isCopied, setCopied] = useState(false)
  const copy = (): void => {
    void navigator.clipboard.writeText(text).then(() => {
      setCopied(true)
      setTimeout(() => setCopied(false), COPIED_MS)
    })
  }
  return (
    <button
      type="button"
      class="copy"
      aria-label={`Copy the ${what}`}
      title={`Copy the ${what}`}
      onClick={copy}
    >
      <svg viewBox="0 0 16 16" aria-hidden="true">
        {isCopied ? <path d="M3 8.5 6.5 12 13 4.5" /> : <path d="M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8z" />}
      </svg>
    </button>
  )
}

interface HexProps {
  readonly value: string
  readonly isWhole?: boolean
}

/** An address by its name, if it has one; a whole one by both. */
export const AddressLink = ({ value, isWhole = false }: HexProps): VNode => (
  <span class={isWhole ? 'hex' : 'hex short'}>
    <AddressName value={value} isWhole={isWhole} />
    {isWhole && nameOf(value) !== undefined && <span class="quiet"> {checksummed(value)}</span>}
    <CopyButton text={checksummed(value)} what="address" />
  </span>
)

/** A link by the name of an address, or by its digits if it has none. */
export function AddressName({ value, isWhole = false }: HexProps): VNode {
  const name = nameOf(value)
  if (isReport)
    return (
      <span title={checksummed(value)}>
        {name === undefined ? shortened(value) : <ChainText text={name} />}
      </span>
    )
  return (
    <a href={`#/address/${value}`} title={checksummed(value)} class={name === undefined ? 'hex' : 'name'}>
      {name === undefined ? isWhole ? checksummed(value) : shortened(value) : <ChainText text={name} />}
    </a>
  )
}

export const TransactionLink = ({ value, isWhole = false }: HexProps): VNode => (
  <span class={isWhole ? 'hex' : 'hex short'}>
    <a href={`#/tx/${value}`} title={value}>
      {isWhole ? value : shortened(value)}
    </a>
    <CopyButton text={value} what="hash" />
  </span>
)

export const BlockLink = ({ number }: { readonly number: number }): VNode => (
  <a class="name" href={`#/block/${number}`}>
    {number}
  </a>
)

/** A hash or other data. */
export const Hex = ({ value, isWhole = false }: HexProps): VNode => (
  <span class={isWhole ? 'hex' : 'hex short'}>
    <span title={value}>{isWhole ? value : shortened(value)}</span>
    <CopyButton text={value} what="value" />
  </span>
)
