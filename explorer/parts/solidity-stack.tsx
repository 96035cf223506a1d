/** The Solidity stack of a failure. */

import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { useLoaded } from '../client/loaded.ts'
import { sourcesFor } from '../client/sources.ts'
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

export const SolidityStack = ({ hash, stack }: StackProps): VNode => {
  const innermost = stack.findIndex(({ line }) => line !== undefined)
  return (
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
          {entry.hint !== undefined && <span class="quiet">; for its line, {entry.hint}</span>}
          <EntrySource hash={hash} entry={entry} isFirst={index === innermost} />
        </li>
      ))}
    </ol>
  )
}

interface SourceProps {
  readonly hash: string | undefined
  readonly entry: Entry
  readonly isFirst: boolean
}

/** The line of an entry; its source is loaded when it is opened, as that of the innermost line is at first. */
function EntrySource({ hash, entry: { address, file, line, excerpt }, isFirst }: SourceProps): VNode | null {
  const [isOpen, setOpen] = useState(isFirst)
  const text = excerpt === undefined ? 'Source' : shownSource(excerpt.trim())
  if (file === undefined || line === undefined) return excerpt === undefined ? null : <pre>{text}</pre>
  return (
    <details open={isFirst} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <code>{text}</code>
      </summary>
      {isOpen && <LoadedSource hash={hash} address={address} file={file} line={line} />}
    </details>
  )
}

/** Lines around the line of an entry. */
const AROUND = 4

type LoadedProps = Required<Pick<Entry, 'address' | 'file' | 'line'>> & Pick<SourceProps, 'hash'>

function LoadedSource({ hash, address, file = '', line }: LoadedProps): VNode {
  const sources = useLoaded(() => sourcesFor(hash, address), [`${hash} ${address}`])
  return (
    <Showing of={sources}>
      {(all) => {
        const content = all.find(({ path }) => path === file)?.content
        if (content === undefined)
          return <p class="quiet">The text of the source is not known as it was compiled.</p>
        return <SourceView path={file} content={content} mark={line} around={AROUND} />
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
