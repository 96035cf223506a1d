/** Notifies the observer of frames, under the names of geth's hooks: enter and exit. */

import type { Address } from '../../../lib/base/hex.ts'
import { EMPTY_BYTES, toAddress } from '../../../lib/base/hex.ts'
import type { ExitEvent, Observer } from '../../../lib/evm/observer.ts'
import { delegationOf } from './accounts.ts'
import type { FrameInput, FrameResult } from './frame.ts'
import { isCreation } from './frame.ts'
import type { Machine } from './machine.ts'

/** Notifies the observer that the transaction accesses the account that its receiver delegates to (EIP-7702). */
export function notifyDelegate({ accounts, context: { observer }, rules }: Machine, receiver: Address): void {
  if (observer?.onAccountAccess === undefined || !rules.delegations) return
  const delegate = delegationOf(accounts.code(receiver))
  if (delegate !== undefined) observer.onAccountAccess(toAddress(delegate))
}

/** Notifies the observer of the beginning of a frame. */
export function notifyEnter({ context: { observer, rules } }: Machine, input: FrameInput): void {
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
    isPrecompile: !isCreation(input) && rules.precompiles.has(codeAddress),
  })
}

/** Notifies the observer of the end of a frame. */
export function notifyExit(
  { context: { observer } }: Machine,
  { gas }: FrameInput,
  { status, gasLeft, output, exception, ranCode }: FrameResult,
): void {
  observer?.onExit?.({
    status,
    gasUsed: BigInt(gas - gasLeft),
    output,
    exception,
    ranCode,
    position: undefined,
  })
}

/** A self-destruct, and the wei that it sends. */
export interface SelfDestruct {
  readonly depth: number
  readonly from: Address
  readonly to: Address
  readonly value: bigint
}

/** Notifies the observer of a self-destruct, as a frame without gas, after its transfer (geth, core/vm/instructions.go). */
export function notifySelfDestruct(observer: Observer | undefined, selfDestruct: SelfDestruct): void {
  if (observer === undefined) return
  observer.onEnter?.({
    ...selfDestruct,
    kind: 'selfdestruct',
    gas: 0n,
    input: EMPTY_BYTES,
    isPrecompile: false,
  })
  observer.onExit?.(DESTROYED)
}

const DESTROYED: ExitEvent = {
  status: 'success',
  gasUsed: 0n,
  output: EMPTY_BYTES,
  exception: undefined,
  ranCode: false,
  position: undefined,
}
