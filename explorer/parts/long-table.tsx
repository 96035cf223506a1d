/** A table of which only the visible rows are in the document: a block can have ten thousand transactions. */

import type { VNode } from 'preact'
import { MIN_WINDOWED, useRowWindow } from '../client/row-window.ts'
import './long-list.css'
import { Table } from './table.tsx'
import type { TableProps } from './table.tsx'

export const LongTable = <T,>(props: TableProps<T>): VNode =>
  props.items.length > MIN_WINDOWED ? <WindowedTable {...props} /> : <Table {...props} />

/** The first row of a table is its head. */
const FIRST_ROW = 2

function WindowedTable<T>({ items, label, class: name, head, children }: TableProps<T>): VNode {
  const { box, measure, indices, above, below } = useRowWindow(items.length, (index) => index)
  return (
    <div class="window" ref={box} tabIndex={0} role="region" aria-label={`${label}, ${items.length}`}>
      <table class={name} aria-rowcount={items.length + 1}>
        <thead>
          <tr aria-rowindex={1}>{head}</tr>
        </thead>
        <Space height={above} />
        <tbody>
          {indices.map((index) => {
            const item = items[index]
            return (
              item !== undefined && (
                <tr key={index} ref={measure} data-index={index} aria-rowindex={index + FIRST_ROW}>
                  {children(item, index)}
                </tr>
              )
            )
          })}
        </tbody>
        <Space height={below} />
      </table>
    </div>
  )
}

/** The height of the rows that are not in the document. */
const Space = ({ height }: { readonly height: number }): VNode => (
  <tbody class="space" aria-hidden="true">
    <tr>
      <td style={{ height: `${height}px` }} />
    </tr>
  </tbody>
)
