/** Texts that contracts and artifacts chose. They are shown as texts, whatever they contain. */

import type { VNode } from 'preact'
import { printable } from '../../lib/config/request-log.ts'

/** Characters that are shown. */
const LONG = 200

export function ChainText({ text }: { readonly text: string }): VNode {
  if (text.length <= LONG) return <bdi>{printable(text)}</bdi>
  return (
    <bdi title={`${text.length} characters`}>
      {printable(text.slice(0, LONG))}… <span class="quiet">({text.length} characters)</span>
    </bdi>
  )
}
