/** Loads what a page shows. */

import { useEffect, useState } from 'preact/hooks'

/** A value while it is loaded and afterwards. */
export type Loaded<T> =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly message: string }
  | { readonly state: 'loaded'; readonly value: T }

/**
 * Loads again whenever a key changes; until then the old value stays, except for the first key: what it names is another thing.
 */
export function useLoaded<T>(load: () => Promise<T>, keys: readonly [unknown, ...unknown[]]): Loaded<T> {
  const [loaded, setLoaded] = useState<{ readonly of: unknown; readonly is: Loaded<T> }>()
  useEffect(() => {
    let isWanted = true
    const put = (is: Loaded<T>): void => {
      if (isWanted) setLoaded({ of: keys[0], is })
    }
    load().then(
      (value) => put({ state: 'loaded', value }),
      (error: unknown) =>
        put({ state: 'failed', message: error instanceof Error ? error.message : String(error) }),
    )
    return () => {
      isWanted = false
    }
  }, keys)
  return loaded !== undefined && loaded.of === keys[0] ? loaded.is : { state: 'loading' }
}
