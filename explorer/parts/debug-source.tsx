/** The source at a stop, with the current line. */

import type { VNode } from 'preact'
import type { DebugSession, Shown } from '../client/debug-session.ts'
import { useLoaded } from '../client/loaded.ts'
import { stepMark } from '../format/step-mark.ts'
import type { SourceMark } from '../format/source-lines.ts'
import { ChainText } from './chain-text.tsx'
import { Showing } from './page-parts.tsx'
import { SourceView } from './source-view.tsx'

const ADDED =
  'Added by the compiler, such as ABI coding or a check of arithmetic. The source stays where it was.'
const UNKNOWN = 'The node has no artifacts of the contract that runs. The source stays at the call.'

interface SourceProps {
  readonly session: DebugSession
  readonly stop: Shown
  /** The place of the instruction itself; null if the compiler added it, left out in the view of lines. */
  readonly own?: (SourceMark & { readonly id: string; readonly path: string }) | null
  readonly onLine?: (path: string, line: number) => void
}

export function DebugSource({ session, stop: { stack, frame }, own, onLine }: SourceProps): VNode {
  const sources = useLoaded(() => session.sources(), [session])
  const { frames } = stack
  const known = frames.slice(frames.findIndex((one) => one.frame === frame?.frame)).find(({ place }) => place)
  const place = own ?? known?.place
  if (place === undefined)
    return (
      <p class="quiet">
        No line of a source is known: the node has no artifacts of <ChainText text={frame?.name ?? ''} />.
      </p>
    )
  return (
    <Showing of={sources}>
      {(all) => {
        const content = all.find(({ id }) => id === place.id)?.content
        if (content === undefined)
          return <p class="quiet">The text of {place.path} is not known as it was compiled.</p>
        const stays = known?.frame === frame?.frame ? (own === null ? ADDED : undefined) : UNKNOWN
        const { mark, note } = own ? stepMark(content, own) : { mark: place, note: stays }
        return (
          <div class={own || stays === undefined ? undefined : 'stays'}>
            <SourceView
              path={place.path}
              content={content}
              mark={mark}
              note={note}
              onLine={onLine && ((line) => onLine(place.path, line))}
            />
          </div>
        )
      }}
    </Showing>
  )
}
