/** A decoded value; an address is a link. */

import type { VNode } from 'preact'
import { withPowers } from '../../lib/base/decimal-text.ts'
import { ChainText } from './chain-text.tsx'
import { AddressLink } from './hex.tsx'

const ADDRESS = /^0x[0-9a-fA-F]{40}$/

export function ResultText({ text }: { readonly text: string }): VNode {
  if (ADDRESS.test(text)) return <AddressLink value={text} />
  if (text === '') return <span class="quiet">empty text</span>
  return (
    <span class="value">
      <ChainText text={text} />
      {withPowers(text) !== text && <span class="quiet"> = {withPowers(text)}</span>}
    </span>
  )
}
