/** Calls (Yellow Paper, appendix H.2, 0xf1, 0xf2, 0xf4, 0xfa; EIP-150, 2929, 7702; node-chain 9.3). */

import type { Address } from '../../../base/hex.ts'
import type { CallKind } from '../../precompile.ts'
import type { CallRules, Rules } from '../../rules.ts'
import { delegationOf } from '../../delegation.ts'
import type { Execution } from '../execution.ts'
import type { FrameInput, Halt } from '../frame-input.ts'
import type { Frame } from '../frame.ts'
import { CALL_TOO_DEEP, INSUFFICIENT_BALANCE, OUT_OF_GAS, STATIC_STATE_CHANGE } from '../frame-input.ts'
import { instruction, type DynamicGas, type Instructions, type RequestHandler } from '../instruction.ts'
import { accountGas, accountIn } from './reads.ts'

export function calls(rules: Rules): Instructions {
  const { access, call } = rules
  const gas = access.kind === 'flat' ? access.call : 0
  const of = (opcode: number, kind: CallKind) =>
    instruction(opcode, kind.toUpperCase(), [takesValue(kind) ? 7 : 6, 1, gas], {
      prepare: accountIn(1),
      dynamicGas: callGas(kind, rules),
      run: callOf(kind, call),
    })
  return [of(0xf1, 'call'), of(0xf2, 'callcode'), of(0xf4, 'delegatecall'), of(0xfa, 'staticcall')]
}

/** Whether the instruction takes an amount of wei. */
const takesValue = (kind: CallKind): boolean => kind === 'call' || kind === 'callcode'

/** Gas of a call. The forwarded part of it is stored in the frame. */
function callGas(kind: CallKind, { call: rules, stateGas }: Rules): DynamicGas {
  const ranges = takesValue(kind) ? 3 : 2
  return (frame, execution) => {
    const value = takesValue(kind) ? frame.word(2) : 0n
    if (kind === 'call' && value !== 0n && frame.message.isStatic) throw STATIC_STATE_CHANGE
    const target = frame.addressIn(1)
    const inputGas = frame.memoryGas(frame.number(ranges), frame.number(ranges + 1))
    let gas = Math.max(inputGas, frame.memoryGas(frame.number(ranges + 2), frame.number(ranges + 3)))
    gas += accountGas(execution, target)
    if (value !== 0n) gas += rules.valueTransfer
    if (execution.accesses !== undefined && gas <= frame.gas) execution.noteAccess(target)
    const isNew = kind === 'call' && isNewAccount(execution, target, value)
    if (isNew) gas += rules.newAccount
    const delegate = delegateOf(execution, target)
    if (delegate !== undefined) gas += delegateGas(execution, delegate, frame.gas - gas)
    if (isNew && stateGas !== undefined) {
      if (gas > frame.gas) throw OUT_OF_GAS
      gas += execution.stateGas.plan(frame, stateGas.account)
    }
    frame.gasForwarded = forwarded(frame, rules, {
      spent: gas + baseGas(execution),
      sendsValue: value !== 0n,
    })
    return gas + frame.gasForwarded
  }
}

const baseGas = ({ rules: { access } }: Execution): number => (access.kind === 'flat' ? access.call : 0)

function isNewAccount(execution: Execution, target: Address, value: bigint): boolean {
  if (execution.rules.call.newAccountCharge === 'missing') return execution.account(target) === undefined
  return value !== 0n && execution.isEmpty(target)
}

/** The account that the target delegates to (EIP-7702). */
const delegateOf = (execution: Execution, target: Address): Address | undefined =>
  execution.rules.delegations ? delegationOf(execution.code(target)) : undefined

/** Gas for accessing the delegate. The access is noted if the gas suffices. */
function delegateGas(execution: Execution, delegate: Address, gasLeft: number): number {
  const gas = accountGas(execution, delegate)
  if (gas <= gasLeft) execution.noteAccess(delegate)
  return gas
}

function forwarded(
  frame: Frame,
  rules: CallRules,
  { spent, sendsValue }: { readonly spent: number; readonly sendsValue: boolean },
): number {
  const left = frame.gas - spent
  if (left < 0) throw OUT_OF_GAS
  const maxGas = rules.reserves64th ? left - Math.floor(left / 64) : left
  const asked = frame.number(0)
  if (rules.stipendIs === 'granted' || !sendsValue) return Math.min(asked, maxGas)
  if (left < rules.stipend) throw OUT_OF_GAS
  return Math.min(asked + rules.stipend, maxGas)
}

/** Pops the operands of a call, and returns it. */
function callOf(kind: CallKind, rules: CallRules): RequestHandler['run'] {
  return (frame, execution): FrameInput => {
    const target = frame.addressIn(1)
    const value = takesValue(kind) ? frame.word(2) : 0n
    const ranges = takesValue(kind) ? 3 : 2
    const output = frame.expand(frame.number(ranges + 2), frame.number(ranges + 3))
    const before = frame.memorySize
    const data = frame.expand(frame.number(ranges), frame.number(ranges + 1))
    frame.drop(ranges + 4)
    execution.access(target)
    execution.storage.dependOnGas()
    const refusal = refusalOf(frame, execution, value)
    if (!rules.keepsUnreadInput) {
      const read = readLength(execution, target, { length: data.length, refusal })
      frame.shrinkMemory(Math.max(before, read === 0 ? 0 : data.offset + read))
    }
    const getsStipend = value !== 0n && rules.stipendIs === 'granted'
    const { message } = frame
    const runsAsCaller = kind === 'callcode' || kind === 'delegatecall'
    return {
      kind,
      depth: message.depth + 1,
      from: frame.address,
      caller: kind === 'delegatecall' ? message.caller : frame.address,
      address: runsAsCaller ? frame.address : target,
      codeAddress: target,
      // A delegatecall has the value of the calling frame.
      value: kind === 'delegatecall' ? message.value : value,
      gas: frame.gasForwarded + (getsStipend ? rules.stipend : 0),
      data: frame.view(data.offset, data.length),
      isStatic: message.isStatic || kind === 'staticcall',
      output,
      refusal,
    }
  }
}

/** Number of bytes of its input that a call reads. A precompile reads no more than it needs. */
function readLength(
  execution: Execution,
  target: Address,
  { length, refusal }: { readonly length: number; readonly refusal: Halt | undefined },
): number {
  if (refusal === CALL_TOO_DEEP) return 0
  const precompile = execution.precompile(target)
  if (precompile === undefined) return length
  return refusal === undefined ? Math.min(length, precompile.maxInput ?? length) : 0
}

/** Why a frame cannot call or create with this value; `undefined` if it can. */
export function refusalOf(frame: Frame, execution: Execution, value: bigint): Halt | undefined {
  if (frame.message.depth >= execution.rules.call.maxDepth) return CALL_TOO_DEEP
  return value !== 0n && execution.balance(frame.address) < value ? INSUFFICIENT_BALANCE : undefined
}
