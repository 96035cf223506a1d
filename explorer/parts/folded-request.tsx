/** One line of the log of requests, and the requests behind it. */

import type { VNode } from 'preact'
import { withPowers } from '../../lib/base/decimal-text.ts'
import { printable } from '../../lib/config/request-log.ts'
import { defaultPath } from '../client/paths.ts'
import { callInWords } from '../client/calls.ts'
import { descriptionOf, withNames } from '../client/names.ts'
import { callOf, curlOf, sentBy } from '../format/fold.ts'
import type { Folded, LoggedRequest } from '../format/fold.ts'
import { ChainText } from './chain-text.tsx'
import { CopyButton } from './hex.tsx'
import { CallOf, Reason } from './sentence.tsx'

/** Equal requests that are listed; the others are counted. */
const MAX_LISTED = 20

export function FoldedRequest({ of: { first, all } }: { readonly of: Folded }): VNode {
  const left = all.length - MAX_LISTED
  return (
    <div class="request">
      <details>
        <summary>
          <time class="age" dateTime={first.time} title={first.time}>
            {first.time.slice(11, 19)}
          </time>
          <span>
            <b>
              <ChainText text={first.method} />
            </b>{' '}
            <Asked of={first} />
            {all.length > 1 && <span class="badge">x{all.length}</span>}
            {first.world !== null && <span class="badge">in world {first.world}</span>}
            {first.error !== undefined && (
              <div class="failure">
                error {first.error.code}: <ChainText text={withPowers(withNames(first.error.message))} />
              </div>
            )}
          </span>
          <span class="age">{first.durationMs.toFixed(1)} ms</span>
        </summary>
        {all.slice(-MAX_LISTED).map((one) => (
          <OneRequest key={one.number} of={one} />
        ))}
        {left > 0 && <p class="quiet">and {left} before</p>}
      </details>
      <Execution of={first} />
    </div>
  )
}

/** What was called or sent, in words. */
function Asked({ of }: { readonly of: LoggedRequest }): VNode | null {
  const hash = sentBy(of)
  const call = callOf(of)
  // Of a transaction that a revert removed, the request says what it was.
  if (hash !== undefined && (call === undefined || descriptionOf(hash) !== null)) {
    return (
      <>
        <CallOf hash={hash} /> <Reason hash={hash} />
      </>
    )
  }
  return call === undefined ? null : <ChainText text={withPowers(callInWords(call.to, call.data))} />
}

/** A link to the transaction that was sent, or to the explanation of the failure. */
function Execution({ of }: { readonly of: LoggedRequest }): VNode | null {
  const hash = sentBy(of)
  if (hash !== undefined) return <a href={`#/tx/${hash}`}>open</a>
  const failure = of.error?.failure
  return failure === undefined ? null : <a href={`#/failure/${failure}`}>why</a>
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
