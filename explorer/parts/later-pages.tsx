/** The pages other than the first, which shows its rows before their script is loaded. */

import { signal } from '@preact/signals'
import type { VNode } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { notice } from '../client/live.ts'
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
        message: 'The node did not send this page. It loads when the node answers.',
      }),
  )
}

/** The page that the URL names. A browser keeps the failure of a script, so that only a reload asks the node again. */
export function LaterPages(): VNode {
  const isAway = notice.value === 'unreachable'
  const wasAway = useRef(false)
  useLayoutEffect(loadPages, [])
  useLayoutEffect(() => {
    if (wasAway.current && !isAway && pages.value.state === 'failed') location.reload()
    wasAway.current = isAway
  }, [isAway])
  return <Showing of={pages.value}>{(Pages) => <Pages />}</Showing>
}
