/** The log of what clients ask. Equal requests in a row are folded into one, as in the terminal. */

import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { navigate } from 'wouter-preact/use-hash-location'
import { ask } from '../client/json-rpc.ts'
import { usePageTitle } from '../client/page-title.ts'
import { worldHere } from '../client/paths.ts'
import { fold } from '../format/fold.ts'
import { FoldedRequest } from '../parts/folded-request.tsx'
import { LongList } from '../parts/long-list.tsx'
import type { LoggedRequest } from '../format/fold.ts'
import '../parts/requests.css'

/** Milliseconds between questions for new requests. */
const ASK_MS = 1000

/** Requests that the page keeps; the node keeps as many. */
const MAX_SHOWN = 1000

export function RequestsPage({ method }: { readonly method: string | undefined }): VNode {
  usePageTitle('Requests')
  const { requests: answered, error } = useRequests()
  const requests = answered ?? []
  const methods = [...new Set(requests.map((one) => one.method).concat(method ?? []))].sort()
  const folded = fold(requests.filter((one) => method === undefined || one.method === method)).reverse()
  return (
    <>
      <h1>Requests</h1>
      <div class="filter">
        <label>
          Method{' '}
          <select
            value={method ?? ''}
            onChange={({ currentTarget: { value } }) =>
              navigate(value === '' ? '/requests' : `/requests/${encodeURIComponent(value)}`)
            }
          >
            <option value="">all</option>
            {methods.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        <span class="quiet">
          The newest {MAX_SHOWN} since the start of the node; those of this page are left out.
        </span>
      </div>
      {error !== undefined && (
        <p class="error" role="alert">
          {error}
        </p>
      )}
      {folded.length === 0 ? (
        <p class="quiet">{answered === undefined ? 'Loading…' : 'No requests yet.'}</p>
      ) : (
        <section>
          <LongList class="requests" items={folded} label="Requests" keyOf={({ first }) => first.number}>
            {(one) => <FoldedRequest of={one} />}
          </LongList>
        </section>
      )}
    </>
  )
}

interface RequestsSoFar {
  /** Undefined until the node has answered, and so keeps requests from then on. */
  readonly requests: readonly LoggedRequest[] | undefined
  readonly error: string | undefined
}

/** The requests so far, oldest first. The page of a world shows those of the world, that of the default chain all. */
function useRequests(): RequestsSoFar {
  const [requests, setRequests] = useState<readonly LoggedRequest[]>()
  const [error, setError] = useState<string>()
  useEffect(() => {
    let last = 0
    let timer: ReturnType<typeof setTimeout> | undefined
    let isOpen = true
    const look = async (): Promise<void> => {
      try {
        const filter = { after: last, ...(worldHere === undefined ? {} : { world: worldHere }) }
        const { requests: newer, last: newest } = await ask('dev_requests', filter)
        // A node that was started again counts from the beginning.
        const isNewNode = newest < last
        last = isNewNode ? 0 : newest
        setRequests((older = []) =>
          isNewNode ? [] : newer.length === 0 ? older : [...older, ...newer].slice(-MAX_SHOWN),
        )
        setError(undefined)
      } catch (failure) {
        setError(failure instanceof Error ? failure.message : String(failure))
      }
      if (isOpen) timer = setTimeout(() => void look(), ASK_MS)
    }
    void look()
    return () => {
      isOpen = false
      clearTimeout(timer)
    }
  }, [])
  return { requests, error }
}
