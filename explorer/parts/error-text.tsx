/** An error of a request of the page; that of a failed execution with its explanation. */

import type { VNode } from 'preact'
import { RpcError, ask } from '../client/json-rpc.ts'
import { useLoaded } from '../client/loaded.ts'
import { ChainText } from './chain-text.tsx'
import { Outcome } from './outcome.tsx'
import { Showing } from './page-parts.tsx'

export function ErrorText({ error }: { readonly error: unknown }): VNode {
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof RpcError && error.failure !== undefined)
    return <Explained failure={error.failure} message={message} />
  return (
    <span class="error">
      <ChainText text={message} />
    </span>
  )
}

function Explained({
  failure,
  message,
}: {
  readonly failure: string | number
  readonly message: string
}): VNode {
  const explanation = useLoaded(() => ask('dev_explainFailure', failure), [failure])
  return (
    <Showing of={explanation}>
      {(found) => (
        <div class="explained">
          {found === null ? (
            <span class="error">
              <ChainText text={message} />
            </span>
          ) : (
            <Outcome explanation={found} />
          )}
          <a href={typeof failure === 'string' ? `#/tx/${failure}` : `#/failure/${failure}`}>
            The whole explanation
          </a>
        </div>
      )}
    </Showing>
  )
}
