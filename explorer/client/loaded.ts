/** Loads what a page shows. */

import { useLayoutEffect, useRef, useState } from 'preact/hooks'

/** A value while it is loaded and afterwards. */
export type Loaded<T> =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly message: string }
  | { readonly state: 'loaded'; readonly value: T }

/**
 * Loads again whenever a key changes; until then the old value stays, except for the first key: what it names is another thing. A value
 * that arrives while a newer one is loaded is shown too, so that a chain in motion does not keep a page empty.
 */
export function useLoaded<T>(load: () => Promise<T>, keys: readonly [unknown, ...unknown[]]): Loaded<T> {
  const [loaded, setLoaded] = useState<{ readonly of: unknown; readonly is: Loaded<T> }>()
  const { current: loads } = useRef({ started: 0, shown: 0 })
  // At once, not after the next frame.
  useLayoutEffect(() => {
    const order = ++loads.started
    const put = (is: Loaded<T>): void => {
      if (order < loads.shown) return
      loads.shown = order
      setLoaded({ of: keys[0], is })
    }
    load().then(
      (value) => put({ state: 'loaded', value }),
      (error: unknown) => {
        const message = error instanceof Error ? error.message : String(error)
        if (order === loads.started) put({ state: 'failed', message })
      },
    )
  }, keys)
  return loaded !== undefined && loaded.of === keys[0] ? loaded.is : { state: 'loading' }
}
