/** Begins calls and creations, up to the first instruction, and stores the code of a creation at its end. */

import { EMPTY_BYTES, toAddress } from '../../base/hex.ts'
import type { Address } from '../../base/hex.ts'
import { codeSizeText } from '../code-size.ts'
import { CONSOLE_ADDRESS } from '../console.ts'
import type { PrecompileCall, Precompile } from '../precompiles/precompile.ts'
import { PrecompileFailure } from '../precompiles/precompile.ts'
import { delegationOf } from '../delegation.ts'
import { send } from './accounts.ts'
import { isCreation } from './frame-input.ts'
import type { FrameResult, FrameInput } from './frame-input.ts'
import type { Frame } from './frame.ts'
import { CODE_BEGINS_WITH_EF, CREATE_COLLISION, Halt, OUT_OF_GAS, VALUE_OVERFLOW } from './halt.ts'
import type { Machine } from './machine.ts'

/**
 * Begins a call or a creation. Opens its frame, or returns its result if it has no code to run. If the memory of the core
 * cannot grow for the frame, the result is out of gas.
 */
export function enter(machine: Machine, message: FrameInput): FrameResult | undefined {
  try {
    return isCreation(message) ? enterCreation(machine, message) : enterCall(machine, message)
  } catch (error) {
    if (!(error instanceof Halt)) throw error
    return failed(error, 0)
  }
}

/** Begins a call. Returns its result if it has no code to run; otherwise opens its frame. */
function enterCall(machine: Machine, message: FrameInput): FrameResult | undefined {
  const { kind, address, codeAddress, from, gas, value } = message
  const precompile = machine.rules.precompiles.get(codeAddress)
  // Read before anything changes, because it may have to be loaded.
  const called = precompile === undefined ? codeOf(machine, codeAddress) : NO_CODE
  if (kind !== 'delegatecall' && !send(machine, { from, to: address, value }))
    return failed(VALUE_OVERFLOW, gas)
  if (precompile !== undefined) return runPrecompile(machine, message, precompile)
  if (called.delegate !== undefined) accessDelegate(machine, message, called.delegate)
  if (called.code.length === 0) {
    if (codeAddress === CONSOLE_ADDRESS) machine.substate.logToConsole(message.data)
    return { status: 'success', gasLeft: gas, output: EMPTY_BYTES, ranCode: false }
  }
  machine.pushFrame(message, called.code)
  return undefined
}

/** The code that a call runs. */
interface CalledCode {
  readonly code: Uint8Array
  /** The account that the called one delegates to, whose code it is (EIP-7702). */
  readonly delegate: Address | undefined
}

const NO_CODE: CalledCode = { code: EMPTY_BYTES, delegate: undefined }

/** The code at an address, or the code of the account that it delegates to. */
function codeOf({ accounts, rules }: Machine, address: Address): CalledCode {
  const code = accounts.code(address)
  const delegation = rules.delegations ? delegationOf(code) : undefined
  if (delegation === undefined) return { code, delegate: undefined }
  const delegate = toAddress(delegation)
  return { code: accounts.code(delegate), delegate }
}

/** The access is free for the transaction itself; a call instruction was charged for it before. */
function accessDelegate({ accounts, substate }: Machine, { parent }: FrameInput, delegate: Address): void {
  if (parent === undefined) substate.warm(delegate)
  else accounts.access(delegate)
}

function runPrecompile(machine: Machine, message: FrameInput, precompile: Precompile): FrameResult {
  const { gas } = message
  const { failureCosts, createsCalledAccount } = machine.rules.precompileRules
  if (createsCalledAccount) machine.accounts.createIfMissing(precompile.address)
  const call = precompileCallOf(machine, message, precompile)
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
    if (message.parent === undefined) machine.isPrecompileFailure = true
    return failed(error, failureCosts === 'required' ? gas - required : 0)
  }
}

function precompileCallOf(
  machine: Machine,
  { kind, data, value, gas, from, depth, isStatic }: FrameInput,
  { maxInput }: Precompile,
): PrecompileCall {
  const { accounts, context, storage } = machine
  const isCut = maxInput !== undefined && depth > 0
  let isCurrent = false
  return {
    kind: kind === 'create' || kind === 'create2' ? 'call' : kind,
    input: isCut ? data.subarray(0, maxInput) : data,
    value,
    gas,
    caller: from,
    origin: context.origin,
    depth,
    isStatic,
    isSimulated: context.isSimulated,
    isSystem: context.isSystem,
    transactionHash: context.transactionHash,
    senderPublicKey: context.senderPublicKey,
    block: context.block,
    // The slots that the transaction has written are in the core. They are written to the state when the precompile first
    // reads the state.
    get state() {
      if (!isCurrent) storage.writeBack()
      isCurrent = true
      return accounts.state
    },
    log: (log) => machine.log(log),
  }
}

/** Begins a creation. Returns its result if it has no code to run; otherwise opens its frame. */
function enterCreation(machine: Machine, message: FrameInput): FrameResult | undefined {
  const { accounts, rules, storage, substate } = machine
  const { address, from, gas, parent, value } = message
  if (isTaken(machine, message)) return failed(CREATE_COLLISION, 0)
  substate.create(address)
  const { nonceByCode, nonceByTransaction } = rules.create
  accounts.setNonce(address, parent === undefined ? nonceByTransaction : nonceByCode)
  const hadStorage = accounts.state.hasStorage(address) || storage.hasValues(address)
  accounts.state.clearStorage(address)
  // The init code is a view of the memory of the core, which may grow.
  const code = hadStorage ? message.data.slice() : message.data
  if (hadStorage) storage.clear(address, substate)
  if (!send(machine, { from, to: address, value })) return failed(VALUE_OVERFLOW, gas)
  if (code.length === 0) {
    return { status: 'success', gasLeft: gas, output: EMPTY_BYTES, ranCode: false }
  }
  machine.pushFrame(message, code)
  return undefined
}

/** Whether the address of a new contract is taken (EIP-684, 7610; node-chain 9.4). */
function isTaken({ accounts, context, rules }: Machine, { address, parent }: FrameInput): boolean {
  const fields = accounts.get(address)
  if (parent === undefined && !rules.create.checksTransactionCollision) return false
  if (context.deletedInBlock?.has(address) === true) return true
  if (fields === undefined) return false
  const hasStorage = rules.create.storageCollides && accounts.state.hasStorage(address)
  return fields.nonce > 0n || fields.code.length > 0 || hasStorage
}

/** Charges for the code that a constructor returns, and stores it. */
export function depositCode(
  { accounts, rules, storage }: Machine,
  frame: Frame,
  code: Uint8Array,
): FrameResult {
  const { address, parent } = frame.message
  const { codeByte, countsConstructorRefunds, maxCodeSize, rejectsEf } = rules.create
  const gasLeft = frame.gas - codeByte * code.length
  if (code.length > maxCodeSize)
    return { ...failed({ message: codeSizeText(code.length, maxCodeSize) }, 0), ranCode: true }
  if (gasLeft < 0) return { ...failed(OUT_OF_GAS, 0), ranCode: true }
  if (rejectsEf && code[0] === 0xef) return { ...failed(CODE_BEGINS_WITH_EF, 0), ranCode: true }
  if (code.length > 0) accounts.state.putCode(address, code)
  if (!countsConstructorRefunds && parent !== undefined) storage.refund = frame.start.refund
  return { status: 'success', gasLeft, output: code, ranCode: true }
}

/** The result of a message that failed before it ran code. */
export const failed = ({ message }: { readonly message: string }, gasLeft: number): FrameResult => ({
  status: 'failed',
  gasLeft,
  output: EMPTY_BYTES,
  exception: message,
  ranCode: false,
})
