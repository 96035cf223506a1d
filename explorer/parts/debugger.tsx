/** Moves in a recorded execution, line by line or instruction by instruction, with the variables of each function. */

import type { VNode } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import { useHashLocation } from 'wouter-preact/use-hash-location'
import { DebugSession } from '../client/debug-session.ts'
import type { DebugTarget, Shown, Summary } from '../client/debug-session.ts'
import { useLoaded } from '../client/loaded.ts'
import { useMotions } from '../client/motions.ts'
import { CallStack } from './call-stack.tsx'
import { DebugControls } from './debug-controls.tsx'
import { DebugSource } from './debug-source.tsx'
import { Evaluate } from './evaluate.tsx'
import { InstructionView } from './instruction-view.tsx'
import { Section, Showing } from './page-parts.tsx'
import { Variables } from './variables.tsx'
import './debugger.css'

interface DebuggerProps {
  readonly target: DebugTarget
  /** Of the page in which it is, such as `/tx/0x…`. */
  readonly path: string
  /** The step, if the URL names one, and `instructions` for that view. */
  readonly part: readonly string[]
}

export function Debugger({ target, path, part }: DebuggerProps): VNode {
  const session = useMemo(() => new DebugSession(target), [path])
  const opened = useLoaded(() => session.open(), [path])
  return (
    <Showing of={opened}>
      {(summary) =>
        summary.steps === 0 ? (
          <p class="quiet">No code was executed.</p>
        ) : (
          <OpenDebugger session={session} summary={summary} path={path} part={part} />
        )
      }
    </Showing>
  )
}

interface OpenProps extends Pick<DebuggerProps, 'path' | 'part'> {
  readonly session: DebugSession
  readonly summary: Summary
}

function OpenDebugger({ session, summary, path, part }: OpenProps): VNode {
  const { failure, first } = summary
  const [step = '', view = ''] = part
  const stepOf = (text: string): number => (/^\d+$/.test(text) ? Number(text) : (failure ?? first))
  const at = stepOf(step)
  const isInstructions = view === 'instructions'
  const [, navigate] = useHashLocation()
  const [chosen, choose] = useState({ at, frame: -1 })
  const number = chosen.at === at ? chosen.frame : undefined
  const shown = useLoaded(() => session.shownAt(at, number), [path, at, number])
  const pathOf = (step: number, instructions = isInstructions): string =>
    `${path}/debug/${step}${instructions ? '/instructions' : ''}`
  const motions = useMotions({
    session,
    shownAt: at,
    named: () => {
      const [page, rest] = location.hash.split('/debug')
      return page === `#${path}` && rest !== undefined ? stepOf(rest.split('/')[1] ?? '') : undefined
    },
    // The view of the address: who presses a key before the page has followed a link stays in the view that the link opens.
    go: (next) => navigate(pathOf(next, location.hash.endsWith('/instructions')), { replace: true }),
  })
  return (
    <>
      <DebugControls
        summary={summary}
        at={at}
        isInstructions={isInstructions}
        exception={
          shown.state === 'loaded' && shown.value.at === at ? shown.value.stack.exception : undefined
        }
        other={`#${pathOf(at, !isInstructions)}`}
        motions={motions}
      />
      <Showing of={shown}>
        {(stop) =>
          isInstructions ? (
            <InstructionView
              session={session}
              hash={summary.hash}
              stop={stop}
              hrefOf={(step) => `#${pathOf(step)}`}
            />
          ) : (
            <Lines
              session={session}
              stop={stop}
              onLine={motions.runToLine}
              choose={(frame) => choose({ at, frame })}
            />
          )
        }
      </Showing>
    </>
  )
}

interface LinesProps {
  readonly session: DebugSession
  readonly stop: Shown
  readonly onLine: (path: string, line: number) => void
  readonly choose: (frame: number) => void
}

function Lines({ session, stop, onLine, choose }: LinesProps): VNode {
  const { at, stack, frame, locals, state, message } = stop
  if (frame === undefined) return <p class="quiet">No code runs at this step.</p>
  const place = { session, at, frame: frame.frame }
  return (
    <div class="debugger">
      <DebugSource session={session} stop={stop} onLine={onLine} />
      <div class="panel">
        <Section title="Call stack">
          <CallStack frames={stack.frames} shown={frame} choose={choose} />
        </Section>
        <Section title="Locals">
          <Variables
            {...place}
            key={`${frame.frame} ${frame.entered}`}
            path={['locals']}
            list={locals}
            empty="No local variables are known here."
          />
        </Section>
        <Section title="State">
          <Variables
            {...place}
            key={frame.address}
            path={['state']}
            list={state}
            empty="No state variables are known."
          />
        </Section>
        <Section title="Evaluate">
          <Evaluate {...place} />
        </Section>
        <Section title="Message">
          <Variables {...place} key={frame.address} path={['message']} list={message} empty="" />
        </Section>
      </div>
    </div>
  )
}
