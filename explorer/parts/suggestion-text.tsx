/** What a search found, on one line. */

import type { VNode } from 'preact'
import { descriptionOf, withNames } from '../client/names.ts'
import type { Suggestion } from '../client/suggestions.ts'
import { shortened } from '../format/amounts.ts'
import { ChainText } from './chain-text.tsx'

export const SuggestionText = ({ of: { kind, text, address } }: { readonly of: Suggestion }): VNode => (
  <>
    <span class="badge">{kind}</span>{' '}
    {text.startsWith('0x') ? <span class="hex short">{shortened(text)}</span> : <ChainText text={text} />}{' '}
    {kind === 'transaction' && (
      <span class="quiet">
        <ChainText text={withNames(descriptionOf(text)?.call ?? '')} />
      </span>
    )}
    {address !== undefined && <span class="hex short quiet">{shortened(address)}</span>}
  </>
)
