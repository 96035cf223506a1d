/** How an execution ended, and where it failed. */

import type { VNode } from 'preact'
import { amountsIn } from '../../lib/schema/token-amounts.ts'
import { unitOf } from '../client/names.ts'
import type { Explanation } from '../pages/transaction-page.tsx'
import { CallTree } from './call-tree.tsx'
import { Changes } from './changes.tsx'
import { AmountUnits, NamedText } from './named-text.tsx'
import { Count, Section } from './page-parts.tsx'
import { SolidityStack } from './solidity-stack.tsx'

interface OutcomeProps {
  /** Hash of the transaction, whose sources can be opened; left out for a call or an estimate. */
  readonly hash?: string | undefined
  readonly explanation: Explanation
  /** Whether the stack is shown, as it is if left out. */
  readonly hasStack?: boolean
  /** Path of the debugger, which opens at the failure. */
  readonly debug?: string
}

export const Outcome = ({
  hash,
  explanation: { status, reason, stack = [] },
  hasStack = true,
  debug,
}: OutcomeProps): VNode | null =>
  status === 'success' ? null : (
    <div class="outcome">
      <p>
        <b class="failure">
          <NamedText text={reason?.message ?? status} />
        </b>{' '}
        {hasStack && debug !== undefined && <a href={`#${debug}`}>Debug</a>}
      </p>
      {hasStack && stack.length > 0 && <SolidityStack hash={hash} stack={stack} />}
    </div>
  )

/** The whole explanation of an execution that is on no chain. */
export const WholeExplanation = (props: OutcomeProps): VNode => {
  const { status, gasUsed, call, removedAt } = props.explanation
  return (
    <AmountUnits.Provider value={new Map(amountsIn(call, unitOf))}>
      <p class="facts">
        <StatusBadge status={status} />
        {removedAt !== undefined && (
          <span>
            A revert removed the transaction at <time dateTime={removedAt}>{timeShown(removedAt)}</time>.
          </span>
        )}
        <span class="quiet">
          <Count of={gasUsed} /> gas
        </span>
      </p>
      <Outcome {...props} />
      <Section title="Calls">
        <CallTree call={call} />
      </Section>
      <Changes explanation={props.explanation} />
    </AmountUnits.Provider>
  )
}

/** A time in ISO 8601 to the second. */
export const timeShown = (iso: string): string => `${iso.replace('T', ' ').slice(0, 19)} UTC`

/** Says how an execution ended. */
export const StatusBadge = ({ status }: Pick<Explanation, 'status'>): VNode => (
  <span class={status === 'success' ? 'badge good' : 'badge bad'}>{status}</span>
)
