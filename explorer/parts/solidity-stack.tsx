/** The Solidity stack of a failure. */

import type { VNode } from 'preact'
import { ChainText } from './chain-text.tsx'
import type { Explanation } from '../pages/transaction-page.tsx'
import { AddressLink } from './hex.tsx'

type Entry = NonNullable<Explanation['stack']>[number]

export const SolidityStack = ({ stack }: { readonly stack: readonly Entry[] }): VNode => (
  <ol class="stack" aria-label="Solidity stack, innermost function first">
    {stack.map((entry, index) => (
      <li key={index}>
        <EntryName entry={entry} />
        {entry.file !== undefined && (
          <span class="quiet">
            {' '}
            {[entry.file, entry.line, entry.column].filter((part) => part !== undefined).join(':')}
          </span>
        )}
        {entry.excerpt !== undefined && <pre>{entry.excerpt}</pre>}
      </li>
    ))}
  </ol>
)

function EntryName({ entry }: { readonly entry: Entry }): VNode {
  const name = [entry.contract, entry.function].filter((part) => part !== undefined).join('.')
  return name === '' ? (
    <AddressLink value={entry.address} />
  ) : (
    <b>
      <ChainText text={name} />
    </b>
  )
}
