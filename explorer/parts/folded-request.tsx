/** One line of the log of requests, and the requests behind it. */

import type { VNode } from 'preact'
import { printable } from '../../lib/config/console-lines.ts'
import { defaultPath } from '../client/paths.ts'
import { curlOf } from '../format/fold.ts'
import type { Folded, LoggedRequest } from '../format/fold.ts'
import { ChainText } from './chain-text.tsx'
import { CopyButton } from './hex.tsx'

/** Equal requests that are listed; the others are counted. */
const MAX_LISTED = 20

export function FoldedRequest({ of: { first, all } }: { readonly of: Folded }): VNode {
  const left = all.length - MAX_LISTED
  return (
    <details>
      <summary>
        <b class={first.error === undefined ? undefined : 'failure'}>
          <ChainText text={first.method} />
        </b>
        {first.world !== null && <span class="quiet"> in world {first.world}</span>}
        {first.error !== undefined && (
          <span class="failure">
            {' '}
            error {first.error.code}: <ChainText text={first.error.message} />
          </span>
        )}
        {all.length > 1 && <span class="quiet"> x{all.length}</span>}
      </summary>
      {all.slice(-MAX_LISTED).map((one) => (
        <OneRequest key={one.number} of={one} />
      ))}
      {left > 0 && <p class="quiet">and {left} before</p>}
    </details>
  )
}

const isWhole = ({ params: { text, length } }: LoggedRequest): boolean =>
  text.length === length && text !== '"(not shown)"'

const OneRequest = ({ of }: { readonly of: LoggedRequest }): VNode => (
  <div>
    <p class="quiet">
      {of.time}, took {of.durationMs.toFixed(1)} ms
      {isWhole(of) && (
        <CopyButton text={curlOf(of, `${location.origin}${defaultPath}`)} what="request as curl" />
      )}
    </p>
    <pre>params {textOf(of.params)}</pre>
    {of.result !== undefined && <pre>result {textOf(of.result)}</pre>}
  </div>
)

const textOf = ({ text, length }: LoggedRequest['params']): string =>
  printable(text) + (text.length < length ? `… (${length} characters)` : '')
