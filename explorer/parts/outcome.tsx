/** How an execution ended, and where it failed. */

import type { VNode } from 'preact'
import type { Explanation } from '../pages/transaction-page.tsx'
import { CallTree } from './call-tree.tsx'
import { Changes } from './changes.tsx'
import { ChainText } from './chain-text.tsx'
import { Section, Status } from './page-parts.tsx'
import { SolidityStack } from './solidity-stack.tsx'

interface OutcomeProps {
  /** Hash of the transaction, whose sources can be opened; left out for a call or an estimate. */
  readonly hash?: string | undefined
  readonly explanation: Explanation
}

export const Outcome = ({ hash, explanation: { status, reason, stack, removedAt } }: OutcomeProps): VNode => (
  <div class={status === 'success' ? 'outcome good' : 'outcome bad'}>
    <p>
      {reason === undefined ? (
        <Status status={status} />
      ) : (
        <b class="failure">
          <ChainText text={reason.message} />
        </b>
      )}
    </p>
    {removedAt !== undefined && (
      <p>
        A revert removed the transaction at <time dateTime={removedAt}>{removedAt}</time>.
      </p>
    )}
    {stack !== undefined && stack.length > 0 && <SolidityStack hash={hash} stack={stack} />}
  </div>
)

/** The whole explanation of an execution that is on no chain. */
export const WholeExplanation = (props: OutcomeProps): VNode => (
  <>
    <Outcome {...props} />
    <Section title="Calls">
      <CallTree call={props.explanation.call} />
    </Section>
    <Section title="Changes before the failure">
      <Changes explanation={props.explanation} />
    </Section>
  </>
)
