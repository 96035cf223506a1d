/** Notifies the observer of frames, under the names of geth's hooks: enter and exit. */

import { EMPTY_BYTES } from '../../base/hex.ts'
import type { EnterEvent, ExitEvent, Observer } from '../observer.ts'
import { delegationOf } from '../delegation.ts'
import type { Execution } from './execution.ts'
import { isCreation, type FrameInput, type FrameResult } from './frame-input.ts'

/** Notifies the observer that the transaction accesses the account that its receiver delegates to (EIP-7702). */
export function notifyDelegate(execution: Execution, message: FrameInput): void {
  const { observer, rules } = execution
  if (observer?.onAccountAccess === undefined || !rules.delegations || isCreation(message)) return
  const delegate = delegationOf(execution.code(message.address))
  if (delegate !== undefined) observer.onAccountAccess(delegate)
}

export function notifyEnter(execution: Execution, input: FrameInput): void {
  const { observer } = execution
  if (observer?.onEnter === undefined) return
  const { kind, depth, from, codeAddress, value, gas, data } = input
  observer.onEnter({
    kind,
    depth,
    from,
    to: codeAddress,
    value,
    gas: BigInt(gas),
    input: data,
    isPrecompile: !isCreation(input) && execution.precompile(codeAddress) !== undefined,
  })
}

export function notifyExit(
  { observer }: Execution,
  { gas }: FrameInput,
  { status, gasLeft, output, exception, ranCode }: FrameResult,
  position?: number,
): void {
  if (observer?.onExit === undefined) return
  // A copy of the output, because its memory is reused.
  const gasUsed = BigInt(gas - gasLeft)
  observer.onExit({ status, gasUsed, output: output.slice(), exception, ranCode, position })
}

/** Notifies the observer of a self-destruct after its transfer, as a frame without gas (geth, core/vm/instructions.go). */
export const notifySelfDestruct = (observer: Observer | undefined, transfer: Omit<Transfer, 'kind'>): void =>
  notifyTransfer(observer, { ...transfer, kind: 'selfdestruct' })

type Transfer = Pick<EnterEvent, 'kind' | 'depth' | 'from' | 'to' | 'value'>

/** Notifies the observer of a transfer that no code makes. It is called after the transfer, which looks like a frame without gas. */
export function notifyTransfer(observer: Observer | undefined, transfer: Transfer): void {
  if (observer === undefined) return
  observer.onEnter?.({ ...transfer, gas: 0n, input: EMPTY_BYTES, isPrecompile: false })
  observer.onExit?.(TRANSFERRED)
}

const TRANSFERRED: ExitEvent = {
  status: 'success',
  gasUsed: 0n,
  output: EMPTY_BYTES,
  exception: undefined,
  ranCode: false,
  position: undefined,
}
