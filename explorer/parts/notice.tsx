/** What the user must know before anything on the page. */

import type { VNode } from 'preact'
import { notice } from '../client/live.ts'
import { defaultPath, worldHere } from '../client/paths.ts'

export function Notice(): VNode | null {
  switch (notice.value) {
    case undefined:
      return null
    case 'unreachable':
      return (
        <p class="notice" role="alert">
          The node does not answer. The page shows what it knew, and continues as soon as the node runs again.
        </p>
      )
    case 'otherChain':
      return (
        <p class="notice" role="alert">
          The node was started again: this is another chain than before.{' '}
          <button type="button" class="button" onClick={() => (notice.value = undefined)}>
            Close
          </button>
        </p>
      )
    case 'worldDeleted':
      return (
        <p class="notice" role="alert">
          World {worldHere} was deleted. <a href={defaultPath}>Go to the default chain</a>
          <button type="button" class="button" onClick={() => location.reload()}>
            Make the world again
          </button>
        </p>
      )
  }
}
