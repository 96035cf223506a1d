/** A list of which only the visible items are in the document: a transaction can have ten thousand events. */

import type { ComponentChildren, VNode } from 'preact'
import { MIN_WINDOWED, useRowWindow } from '../client/row-window.ts'
import './long-list.css'

interface LongListProps<T> {
  readonly items: readonly T[]
  /** Name of the list, for screen readers. */
  readonly label: string
  readonly class?: string
  /** Names an item that changes its place in the list; its index if left out. */
  readonly keyOf?: (item: T) => string | number
  readonly children: (item: T, index: number) => ComponentChildren
}

export function LongList<T>(props: LongListProps<T>): VNode {
  const { items, class: name, keyOf, children } = props
  if (items.length > MIN_WINDOWED) return <WindowedList {...props} />
  return (
    <ul class={name}>
      {items.map((item, index) => (
        <li key={keyOf?.(item) ?? index}>{children(item, index)}</li>
      ))}
    </ul>
  )
}

function WindowedList<T>({ items, label, class: name, keyOf, children }: LongListProps<T>): VNode {
  const keyAt = (index: number): string | number => {
    const item = items[index]
    return item === undefined || keyOf === undefined ? index : keyOf(item)
  }
  const { box, measure, indices, above, below } = useRowWindow(items.length, keyAt)
  return (
    <div class="window" ref={box} tabIndex={0} role="region" aria-label={`${label}, ${items.length}`}>
      <ul class={name} style={{ paddingTop: `${above}px`, paddingBottom: `${below}px` }}>
        {indices.map((index) => {
          const item = items[index]
          return (
            item !== undefined && (
              <li
                key={keyAt(index)}
                ref={measure}
                data-index={index}
                aria-setsize={items.length}
                aria-posinset={index + 1}
              >
                {children(item, index)}
              </li>
            )
          )
        })}
      </ul>
    </div>
  )
}
