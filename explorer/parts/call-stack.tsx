/** The running functions, innermost first. A press shows the place and the variables of one. */

import type { VNode } from 'preact'
import type { Frame } from '../client/debug-session.ts'
import { withNames } from '../client/names.ts'
import { ChainText } from './chain-text.tsx'

interface StackProps {
  readonly frames: readonly Frame[]
  readonly shown: Frame
  readonly choose: (frame: number) => void
}

export const CallStack = ({ frames, shown, choose }: StackProps): VNode => (
  <ol class="frames" aria-label="Call stack, innermost function first">
    {frames.map(({ frame, name, kind, place, address }) => (
      <li key={frame}>
        <button
          type="button"
          aria-current={frame === shown.frame}
          title={address}
          onClick={() => choose(frame)}
        >
          <b>
            <ChainText text={withNames(name)} />
          </b>
          {(kind === 'modifier' || kind === 'assembly') && <span class="quiet"> {kind}</span>}
          {place !== undefined && (
            <span class="quiet">
              <ChainText text={`${place.path.replace(/^.*\//, '')}:${place.line}`} />
            </span>
          )}
        </button>
      </li>
    ))}
  </ol>
)
