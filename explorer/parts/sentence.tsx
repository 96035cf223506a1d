/** A transaction in words: who called it, and the call. */

import type { VNode } from 'preact'
import { descriptionOf, withNames } from '../client/names.ts'
import { inCoins, shortened } from '../format/amounts.ts'
import { ChainText } from './chain-text.tsx'
import { AddressName } from './hex.tsx'

interface SentenceProps {
  readonly transaction: { readonly hash: string; readonly from: string; readonly to: string | null }
}

/** Such as `account 1 → Vault.deposit(12 MTK)`; the call is a link to the transaction. */
export const Sentence = ({ transaction: { hash, from, to } }: SentenceProps): VNode => (
  <span class="sentence">
    <AddressName value={from} /> <span class="quiet">→</span>{' '}
    <a href={`#/tx/${hash}`} title={hash}>
      <CallOf hash={hash} to={to} />
    </a>
  </span>
)

/** The call of a transaction in words. While it is not known, what is called. */
export function CallOf({ hash, to = hash }: { readonly hash: string; readonly to?: string | null }): VNode {
  const call = descriptionOf(hash)?.call
  if (call !== undefined) {
    const text = inCoins(call).replace(/0x[0-9a-fA-F]{40,}/g, shortened)
    return <ChainText text={text} />
  }
  return <span class="hex short">{to === null ? 'new contract' : shortened(to)}</span>
}

/** Why a transaction failed, in words; nothing for others. */
export function Reason({ hash }: { readonly hash: string }): VNode | null {
  const reason = descriptionOf(hash)?.reason
  return reason === undefined ? null : (
    <span class="failure">
      <ChainText text={withNames(reason)} />
    </span>
  )
}
