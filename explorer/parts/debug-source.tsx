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
const OUTSIDE =
  'Code of the contract that belongs to no line, such as its dispatch. The source stays at the call.'
const UNKNOWN = 'The node has no artifacts of the contract that runs. The source stays at the call.'

/** The place of an instruction; one that the compiler added has that of an instruction before it. */
export interface InstructionPlace extends SourceMark {
  readonly id: string
  readonly path: string
  readonly isAdded: boolean
}

interface SourceProps {
  readonly session: DebugSession
  readonly stop: Shown
  /** In the view of instructions; that of the statement if it is undefined. */
  readonly own?: InstructionPlace | undefined
  readonly onLine?: (path: string, line: number) => void
}

export function DebugSource({ session, stop: { stack, frame }, own, onLine }: SourceProps): VNode {
  const sources = useLoaded(() => session.sources(), [session])
  const { frames } = stack
  const known = frames.slice(frames.findIndex((one) => one.frame === frame?.frame)).find(({ place }) => place)
  const place = own ?? known?.place
  if (place === undefined) return <NoPlace frame={frame} />
  return (
    <Showing of={sources}>
      {(all) => {
        const content = all.find(({ id }) => id === place.id)?.content
        if (content === undefined)
          return <p class="quiet">The text of {place.path} is not known as it was compiled.</p>
        const elsewhere = frame?.contract === undefined ? UNKNOWN : OUTSIDE
        const stays = own?.isAdded === true ? ADDED : own || known === frame ? undefined : elsewhere
        const { mark, note } = own ? stepMark(content, own) : { mark: place, note: undefined }
        return (
          <div class={stays && 'stays'}>
            <SourceView
              path={place.path}
              content={content}
              mark={mark}
              note={stays ?? note}
              onLine={onLine && ((line) => onLine(place.path, line))}
            />
          </div>
        )
      }}
    </Showing>
  )
}

const NoPlace = ({ frame }: Pick<Shown, 'frame'>): VNode => (
  <p class="source none quiet">
    {frame?.contract === undefined ? (
      'No line of a source is known: the node has no artifacts of the contract.'
    ) : (
      <>
        Code of <ChainText text={frame.contract} /> outside of its functions.
      </>
    )}
  </p>
)
