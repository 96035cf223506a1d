/** A list that shows its first items, and more on demand: a transaction can have ten thousand events. */

import type { ComponentChildren, VNode } from 'preact'
import { useState } from 'preact/hooks'

const PAGE = 100

interface LongListProps<T> {
  readonly items: readonly T[]
  readonly children: (item: T, index: number) => ComponentChildren
}

export function LongList<T>({ items, children }: LongListProps<T>): VNode {
  const [shown, setShown] = useState(PAGE)
  const left = items.length - shown
  return (
    <ul>
      {items.slice(0, shown).map((item, index) => (
        <li key={index}>{children(item, index)}</li>
      ))}
      {left > 0 && (
        <li>
          <button type="button" class="more" onClick={() => setShown(shown + PAGE)}>
            Show {Math.min(PAGE, left)} of {left} more
          </button>
        </li>
      )}
    </ul>
  )
}
