/** Begins and ends calls and creations: up to the first instruction, and from the last one on. */

import { EMPTY_BYTES, type Address } from '../../base/hex.ts'
import { codeSizeText } from '../transaction-gas.ts'
import { CONSOLE_ADDRESS } from '../outcome.ts'
import { PrecompileFailure, type PrecompileCall, type Precompile } from '../precompile.ts'
import { delegationOf } from '../delegation.ts'
import type { CreateRules } from '../rules.ts'
import { createdByNonce } from './instructions/creation.ts'
import type { OutermostMessage, TransactionContext } from './environment.ts'
import type { Execution } from './execution.ts'
import {
  NO_SPAN,
  isCreation,
  CODE_BEGINS_WITH_EF,
  CREATE_COLLISION,
  Halt,
  OUT_OF_GAS,
  VALUE_OVERFLOW,
} from './frame-input.ts'
import type { FrameResult, FrameInput } from './frame-input.ts'
import { openFrame, type Frame } from './frame.ts'
import { notifyTransfer } from './hooks.ts'

/**
 * Begins a call or a creation of a frame, or the outermost one. Returns its frame, or its result if it has no code to run. If the
 * memory of the core cannot grow for the frame, the result is out of gas.
 */
export function enter(
  execution: Execution,
  message: FrameInput,
  caller: Frame | undefined,
): Frame | FrameResult {
  try {
    const entered = isCreation(message) ? enterCreation(execution, message) : enterCall(execution, message)
    if (!(entered instanceof Uint8Array)) return entered
    const { storage, rules, environment } = execution
    environment.monitor?.codeEntered?.({ code: entered, isCreation: isCreation(message), rules })
    return openFrame(storage.core, message, {
      caller,
      code: entered,
      storage: storage.numberOf(message.address),
    })
  } catch (error) {
    if (!(error instanceof Halt)) throw error
    return failed(error, 0)
  }
}

export function outermostFrame({ origin }: TransactionContext, message: OutermostMessage): FrameInput {
  const { to, nonce, value, data, gas } = message
  const address = to ?? createdByNonce(origin, nonce)
  return {
    kind: to === undefined ? 'create' : 'call',
    depth: 0,
    from: origin,
    caller: origin,
    address,
    codeAddress: address,
    value,
    gas,
    data,
    isStatic: false,
    output: NO_SPAN,
    refusal: undefined,
  }
}

/** Begins a call. Returns its code, or its result if it has none. */
function enterCall(execution: Execution, message: FrameInput): Uint8Array | FrameResult {
  const { kind, address, codeAddress, from, gas, value } = message
  const precompile = execution.precompile(codeAddress)
  // Read before anything changes, because it may have to be loaded.
  const called = precompile === undefined ? codeOf(execution, codeAddress) : NO_CODE
  if (kind !== 'delegatecall') {
    if (execution.rules.call.createsMissingAccounts) execution.createIfMissing(address)
    if (!execution.transfer(from, address, value)) return failed(VALUE_OVERFLOW, gas)
  }
  if (precompile !== undefined) return runPrecompile(execution, message, precompile)
  if (called.delegate !== undefined) accessDelegate(execution, message, called.delegate)
  if (called.code.length > 0) return called.code
  if (codeAddress === CONSOLE_ADDRESS) execution.substate.logToConsole(message.data)
  return { status: 'success', gasLeft: gas, output: EMPTY_BYTES, ranCode: false }
}

interface CalledCode {
  readonly code: Uint8Array
  /** The account that the called one delegates to, whose code it is (EIP-7702). */
  readonly delegate: Address | undefined
}

const NO_CODE: CalledCode = { code: EMPTY_BYTES, delegate: undefined }

/** The code at an address, or the code of the account that it delegates to. */
function codeOf(execution: Execution, address: Address): CalledCode {
  const code = execution.code(address)
  const delegate = execution.rules.delegations ? delegationOf(code) : undefined
  return { code: delegate === undefined ? code : execution.code(delegate), delegate }
}

/** The access costs the transaction itself nothing; a call instruction has been charged for it. */
function accessDelegate(execution: Execution, { depth }: FrameInput, delegate: Address): void {
  if (depth === 0) execution.substate.warm(delegate)
  if (depth === 0) execution.noteAccess(delegate)
  else execution.access(delegate)
}

function runPrecompile(execution: Execution, message: FrameInput, precompile: Precompile): FrameResult {
  const { gas } = message
  const { failureCosts, createsCalledAccount } = execution.rules.precompileRules
  if (createsCalledAccount) execution.createIfMissing(precompile.address)
  const call = precompileCallOf(execution, message, precompile)
  const required = precompile.gas(call)
  if (required > gas) return failed(OUT_OF_GAS, 0)
  try {
    const output = precompile.run(call)
    return { status: 'success', gasLeft: gas - required, output, ranCode: false }
  } catch (error) {
    if (!(error instanceof PrecompileFailure)) throw error
    const { data } = error
    if (data !== undefined)
      return { status: 'reverted', gasLeft: gas - required, output: data, ranCode: false }
    if (message.depth === 0) execution.isPrecompileFailure = true
    return failed(error, failureCosts === 'required' ? gas - required : 0)
  }
}

function precompileCallOf(
  execution: Execution,
  { kind, data, value, gas, from, depth, isStatic }: FrameInput,
  { address, maxInput }: Precompile,
): PrecompileCall {
  const { block, state, storage, transaction, observer } = execution
  const isCut = maxInput !== undefined && depth > 0
  let isCurrent = false
  return {
    kind: kind === 'create' || kind === 'create2' ? 'call' : kind,
    input: isCut ? data.subarray(0, maxInput) : data,
    value,
    gas,
    caller: from,
    origin: transaction.origin,
    depth,
    isStatic,
    isSimulated: transaction.isSimulated,
    isSystem: transaction.isSystem,
    transactionHash: transaction.hash,
    senderPublicKey: transaction.senderPublicKey,
    block,
    // The slots that the transaction has written are in the core. They are written to the state when the precompile first
    // reads the state.
    get state() {
      if (!isCurrent) storage.writeBack()
      isCurrent = true
      return state
    },
    log: (log) => execution.log(log),
    paid: (to, wei) =>
      notifyTransfer(observer, { kind: 'call', depth: depth + 1, from: address, to, value: wei }),
  }
}

/** Begins a creation. Returns its init code, or its result if it has none. */
function enterCreation(execution: Execution, message: FrameInput): Uint8Array | FrameResult {
  const { rules, state, storage, substate } = execution
  const { address, depth, from, gas, value } = message
  if (isTaken(execution, message)) return failed(CREATE_COLLISION, 0)
  substate.create(address)
  execution.setNonce(address, depth === 0 ? rules.create.nonceByTransaction : 1n)
  const hadStorage = state.hasStorage(address) || storage.hasValues(address)
  state.clearStorage(address)
  // The init code is a view of the memory of the core, which may grow.
  const code = hadStorage ? message.data.slice() : message.data
  if (hadStorage) storage.clear(address)
  if (!execution.transfer(from, address, value)) return failed(VALUE_OVERFLOW, gas)
  return code.length > 0 ? code : { status: 'success', gasLeft: gas, output: EMPTY_BYTES, ranCode: false }
}

/** Whether the address of a new contract is taken (EIP-684, 7610; node-chain 9.4). */
function isTaken({ environment, rules, state }: Execution, { address, depth }: FrameInput): boolean {
  const fields = state.account(address)
  if (depth === 0 && !rules.create.checksTransactionCollision) return false
  if (rules.create.deletedCollides && environment.block.deleted.has(address)) return true
  if (fields === undefined) return false
  const hasStorage = rules.create.storageCollides && state.hasStorage(address)
  return fields.nonce > 0n || fields.code.length > 0 || hasStorage
}

/** Charges for the code that a constructor returns, and stores it. */
export function depositCode(
  { rules, state, stateGas, storage }: Execution,
  frame: Frame,
  code: Uint8Array,
): FrameResult {
  const { address, depth } = frame.message
  const { codeByte, codeWord, countsConstructorRefunds, maxCodeSize, rejectsEf } = rules.create
  const ownGas = frame.gas - codeByte * code.length - codeWord * Math.ceil(code.length / 32)
  const gasLeft = ownGas - stateGas.plan(frame, (rules.stateGas?.codeByte ?? 0) * code.length)
  if (code.length > maxCodeSize)
    return { ...failed({ message: codeSizeText(code.length, maxCodeSize) }, 0), ranCode: true }
  if (gasLeft < 0) return { ...failed(OUT_OF_GAS, 0), ranCode: true }
  if (rejectsEf && code[0] === 0xef) return { ...failed(CODE_BEGINS_WITH_EF, 0), ranCode: true }
  stateGas.use(frame)
  if (code.length > 0) state.putCode(address, code)
  if (!countsConstructorRefunds && depth > 0) storage.refund = frame.start.refund
  return { status: 'success', gasLeft, output: code.length > 0 ? state.code(address) : code, ranCode: true }
}

/** Resumes a frame after a call or creation that it made: adds the remaining gas, pushes the result, sets the return data. */
export function resume(
  caller: Frame,
  message: FrameInput,
  { result, rules }: { readonly result: FrameResult; readonly rules: CreateRules },
): void {
  const { status, gasLeft, output } = result
  const isNew = isCreation(message)
  caller.gas += gasLeft
  caller.push(status !== 'success' ? 0n : isNew ? BigInt(message.address) : 1n)
  if (isNew) {
    if (message.refusal !== undefined && rules.refusalKeepsReturnData) return
    return caller.setReturnData(status === 'reverted' && rules.keepsRevertData ? output : EMPTY_BYTES)
  }
  caller.setReturnData(output)
  const { offset, length } = message.output
  if (length > 0) caller.copy(caller.returnData, 0, { offset, length: Math.min(length, output.length) })
}

export const failed = ({ message }: { readonly message: string }, gasLeft: number): FrameResult => ({
  status: 'failed',
  gasLeft,
  output: EMPTY_BYTES,
  exception: message,
  ranCode: false,
})
