/** Calls functions of contracts at a step of a recording, for expressions. Nothing of it stays. */

import { fragmentSignature } from '../../abi/fragments.ts'
import { shortReason } from '../../abi/revert-reason.ts'
import { NodeError } from '../../base/errors.ts'
import { bigIntToBytes32, stripZeros, toAddress, toHex, toWord, type Address } from '../../base/hex.ts'
import type { BlockContext } from '../../evm/block-context.ts'
import type { PreparedCall } from '../../evm/simulated-call.ts'
import type { Outcome } from '../../evm/outcome.ts'
import { State } from '../../state/state.ts'
import type { StateRoot } from '../../state/state-root.ts'
import type { CompiledContract } from '../artifacts/compilation.ts'
import { isCreation } from '../trace/call-tree.ts'
import { encodedCall } from './call-arguments.ts'
import { returnedValue } from './call-results.ts'
import { uintValue } from './expressions/typed-values.ts'
import type { RecordedFrame, Recording } from './recording.ts'
import type { UnknownValue, Value } from './values/value.ts'

/** What calls run on. */
export interface CallGround {
  /** The state before the recorded execution. */
  readonly before: StateRoot
  readonly context: BlockContext
  readonly simulate: (call: PreparedCall) => Promise<Outcome>
  readonly contractOf: (code: Uint8Array, at: Address) => CompiledContract | undefined
}

/** Maximum gas of a call. */
const GAS = 30_000_000n

const ADDRESS_BYTES = 20

/** A call of a function by name, from the account of the debugged code. */
export interface ViewCall {
  readonly from: Address
  readonly target: Value
  readonly name: string
  readonly args: readonly Value[]
}

/** Calls a function at a step. @throws NodeError 'invalidParams' if there is none, or if it fails */
export async function callAt(
  { before, context, simulate, contractOf }: CallGround,
  recording: Recording,
  step: number,
  { from, target, name, args }: ViewCall,
): Promise<Value | UnknownValue> {
  if (!/^(?:address|contract )/.test(target.encoding ?? target.type))
    return refuse(`${target.type} has no member ${name}`)
  const to = toAddress(bigIntToBytes32(target.word ?? 0n).subarray(32 - ADDRESS_BYTES))
  const state = stateAt(recording, step, before)
  if (name === 'balance' && args.length === 0) return uintValue(state.account(to)?.balance ?? 0n)
  const contract = contractOf(state.code(to), to)
  const overloads = (contract?.abi ?? []).filter(
    (one) => one.type === 'function' && one.name === name && (one.inputs ?? []).length === args.length,
  )
  if (overloads.length === 0)
    return refuse(
      `${contract?.name ?? to} has no external function ${name} with this number of arguments: ${args.length}`,
    )
  const { called, data } = encodedCall(overloads, args)
  const message = { sender: from, to, value: 0n, data, gasLimit: GAS, gasPrice: 0n, isPrepaid: false }
  const outcome = await simulate({
    state,
    context: { ...context, baseFeePerGas: 0n },
    message: {
      ...message,
      accessList: undefined,
      authorizationList: undefined,
      blobVersionedHashes: undefined,
    },
  })
  if (outcome.status !== 'success') {
    const reason = outcome.exception ?? shortReason(toHex(outcome.returnData))
    return refuse(`the call of ${fragmentSignature(called)} fails: ${reason}`)
  }
  return returnedValue(called, outcome.returnData)
}

function refuse(problem: string): never {
  throw new NodeError('invalidParams', problem)
}

/** The state at a step: slots, code of new contracts and balances. */
function stateAt(recording: Recording, step: number, before: StateRoot): State {
  const state = new State(before)
  const kept = recording.frames.filter((frame) => frame.first <= step && !recording.isUndone(frame, step))
  for (const frame of kept) {
    if (frame.value > 0n && frame.kind !== 'delegatecall' && frame.kind !== 'callcode') move(state, frame)
    if (isCreation(frame) && frame.end <= step && frame.exit?.status === 'success')
      state.putCode(frame.to, frame.exit.output)
  }
  for (const writes of recording.stored)
    for (const { account, slot, value, frame, step: at } of writes)
      if (at < step && !recording.isUndone(frame, step))
        state.putStorage(account, toWord(slot), stripZeros(bigIntToBytes32(value)))
  return state
}

function move(state: State, { from, to, value }: RecordedFrame): void {
  state.addBalance(from, -value)
  state.addBalance(to, value)
}
