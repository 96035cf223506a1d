/** The title of the browser's tab. */

import { useLayoutEffect } from 'preact/hooks'
import { printable } from '../../lib/config/request-log.ts'
import { worldHere } from './paths.ts'

const SITE = worldHere === undefined ? 'dev-node' : `world ${worldHere} · dev-node`

/** Says in the title of the tab what the page shows, such as `Block 12`. */
export function usePageTitle(title: string): void {
  useLayoutEffect(() => {
    document.title = `${printable(title)} · ${SITE}`
    return () => {
      document.title = SITE
    }
  }, [title])
}
