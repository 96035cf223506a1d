/** A table of which all rows are in the document. */

import type { ComponentChildren, VNode } from 'preact'

export interface TableProps<T> {
  readonly items: readonly T[]
  /** Name of the table, for screen readers. */
  readonly label: string
  readonly class?: string
  /** The cells of the head. */
  readonly head: ComponentChildren
  /** The cells of a row. */
  readonly children: (item: T, index: number) => ComponentChildren
}

export const Table = <T,>({ items, class: name, head, children }: TableProps<T>): VNode => (
  <div class="wide">
    <table class={name}>
      <thead>
        <tr>{head}</tr>
      </thead>
      <tbody>
        {items.map((item, index) => (
          <tr key={index}>{children(item, index)}</tr>
        ))}
      </tbody>
    </table>
  </div>
)
