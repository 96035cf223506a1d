/** The pages other than the first, which shows its rows before their script is loaded. */

import { signal } from '@preact/signals'
import type { VNode } from 'preact'
import { useLayoutEffect } from 'preact/hooks'
import { isConnected } from '../client/live.ts'
import type { Loaded } from '../client/loaded.ts'
import { Showing } from './page-parts.tsx'

const pages = signal<Loaded<() => VNode>>({ state: 'loading' })

/** Loads the script of the pages. */
export function loadPages(): void {
  import('../pages/pages.tsx').then(
    ({ Pages }) => (pages.value = { state: 'loaded', value: Pages }),
    () =>
      (pages.value = {
        state: 'failed',
        message: 'The node did not send this page: reload when it answers.',
      }),
  )
}

/** The page that the URL names. Its script is asked for again when the node is back; some browsers keep a failure until a reload. */
export function LaterPages(): VNode {
  const isNodeThere = isConnected.value
  useLayoutEffect(loadPages, [isNodeThere])
  return <Showing of={pages.value}>{(Pages) => <Pages />}</Showing>
}
