/** Tables that are described by their columns. */

import type { ComponentChildren, VNode } from 'preact'
import { LongTable } from './long-table.tsx'
import { Section } from './page-parts.tsx'

/** Heading and cell of a column; numbers are at the right. */
type Column<T> = readonly [name: string, cell: (item: T) => ComponentChildren, kind?: 'number']

interface ColumnsProps<T> {
  readonly title: string
  readonly items: readonly T[]
  readonly columns: readonly Column<T>[]
}

export const ColumnTable = <T,>({ title, items, columns }: ColumnsProps<T>): VNode => (
  <LongTable
    items={items}
    label={title}
    head={columns.map(([name, , kind]) => (
      <th key={name} class={kind}>
        {name}
      </th>
    ))}
  >
    {(item) =>
      columns.map(([name, cell, kind]) => (
        <td key={name} class={kind}>
          {cell(item)}
        </td>
      ))
    }
  </LongTable>
)

interface ListProps<T> extends ColumnsProps<T> {
  /** Text in place of an empty table: how to fill it. */
  readonly empty: ComponentChildren
  /** Text above the table. */
  readonly note?: ComponentChildren
}

/** A section with the number of items in its title, and a table of them. */
export const ListSection = <T,>({ empty, note, ...table }: ListProps<T>): VNode => (
  <Section title={`${table.title} (${table.items.length})`}>
    {note !== undefined && <p class="quiet">{note}</p>}
    {table.items.length === 0 ? <p class="quiet">{empty}</p> : <ColumnTable {...table} />}
  </Section>
)
