/** An execution that failed and is on no chain: its explanation, and its debugger. */

import type { VNode } from 'preact'
import type { DebugTarget } from '../client/debug-session.ts'
import type { Explanation } from '../pages/transaction-page.tsx'
import { Debugger } from './debugger.tsx'
import { WholeExplanation } from './outcome.tsx'
import { Tabs } from './tabs.tsx'

interface FailureProps {
  readonly target: DebugTarget
  /** Of its page, such as `/failure/4`. */
  readonly path: string
  readonly explanation: Explanation
  /** The shown part, and what follows it in the URL. */
  readonly tab: string
  readonly rest: readonly string[]
}

const TABS = [
  ['', 'Explanation'],
  ['debug', 'Debug'],
] as const

export const DebuggedFailure = ({ target, path, explanation, tab, rest }: FailureProps): VNode => (
  <>
    <Tabs label="Parts of the failure" path={path} tabs={TABS} shown={tab} />
    {tab === 'debug' ? (
      <Debugger target={target} path={path} part={rest} />
    ) : (
      <WholeExplanation explanation={explanation} />
    )}
  </>
)
