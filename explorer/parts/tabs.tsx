/** Links to the parts of a page, each with its own URL. */

import type { VNode } from 'preact'
import './tabs.css'

interface TabsProps {
  /** Of the page, such as `/tx/0x…`. */
  readonly path: string
  /** Names in the URL with labels; the first part has an empty name. */
  readonly tabs: readonly (readonly [name: string, label: string])[]
  readonly shown: string
  /** Name of the links, for screen readers. */
  readonly label: string
}

export const Tabs = ({ path, tabs, shown, label: name }: TabsProps): VNode => (
  <nav class="tabs" aria-label={name}>
    {tabs.map(([part, label]) => (
      <a
        key={part}
        href={part === '' ? `#${path}` : `#${path}/${part}`}
        aria-current={part === shown ? 'page' : undefined}
      >
        {label}
      </a>
    ))}
  </nav>
)
