/** The Solidity stack of a failure. */

import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { useLoaded } from '../client/loaded.ts'
import { sourcesOf } from '../client/sources.ts'
import { shownSource } from '../format/source-lines.ts'
import { ChainText } from './chain-text.tsx'
import type { Explanation } from '../pages/transaction-page.tsx'
import { AddressLink } from './hex.tsx'
import { Showing } from './page-parts.tsx'
import { SourceView } from './source-view.tsx'

type Entry = NonNullable<Explanation['stack']>[number]

interface StackProps {
  /** Hash of the transaction, whose sources can be opened. */
  readonly hash: string | undefined
  readonly stack: readonly Entry[]
}

export const SolidityStack = ({ hash, stack }: StackProps): VNode => (
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
        {entry.excerpt !== undefined && <pre>{shownSource(entry.excerpt)}</pre>}
        {hash !== undefined && entry.file !== undefined && entry.line !== undefined && (
          <EntrySource hash={hash} file={entry.file} line={entry.line} />
        )}
      </li>
    ))}
  </ol>
)

interface SourceProps {
  readonly hash: string
  readonly file: string
  readonly line: number
}

/** The source of an entry, loaded when it is opened. */
function EntrySource({ hash, file, line }: SourceProps): VNode {
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Source</summary>
      {isOpen && <LoadedSource hash={hash} file={file} line={line} />}
    </details>
  )
}

function LoadedSource({ hash, file, line }: SourceProps): VNode {
  const sources = useLoaded(() => sourcesOf(hash), [hash])
  return (
    <Showing of={sources}>
      {(all) => {
        const content = all.find(({ path }) => path === file)?.content
        if (content === undefined)
          return <p class="quiet">The text of the source is not known as it was compiled.</p>
        return <SourceView path={file} content={content} mark={line} />
      }}
    </Showing>
  )
}

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
