/** Begins calls and creations, up to the first instruction, and stores the code of a creation at its end. */

import { EMPTY_BYTES, toAddress } from '../../../lib/base/hex.ts'
import { codeSizeText } from '../../../lib/evm/code-size.ts'
import { CONSOLE_ADDRESS } from '../../../lib/evm/console.ts'
import type { PrecompileCall, Precompile } from '../../../lib/evm/precompiles/precompile.ts'
import { PrecompileFailure } from '../../../lib/evm/precompiles/precompile.ts'
import { delegationOf } from './accounts.ts'
import { analyse } from './code.ts'
import type { FrameResult, Frame, FrameInput } from './frame.ts'
import { CODE_BEGINS_WITH_EF, CREATE_COLLISION, OUT_OF_GAS, VALUE_OVERFLOW } from './halt.ts'
import type { Machine } from './machine.ts'

/** Begins a call. Returns the result if there is no code to run; otherwise opens its frame. */
export function enterCall(machine: Machine, message: FrameInput): FrameResult | undefined {
  const { kind, address, codeAddress, from, gas, value } = message
  if (kind !== 'delegatecall' && !machine.send(from, address, value)) return failed(VALUE_OVERFLOW, gas)
  const precompile = machine.rules.precompiles.get(codeAddress)
  if (precompile !== undefined) return runPrecompile(machine, message, precompile)
  const code = codeOf(machine, message)
  if (code.length === 0) {
    if (codeAddress === CONSOLE_ADDRESS) machine.substate.say(message.data)
    return { status: 'success', gasLeft: gas, output: EMPTY_BYTES, ranCode: false }
  }
  machine.open(message, analyse(code))
  return undefined
}

/** The code at an address, or that of the account it delegates to (EIP-7702). */
function codeOf({ accounts, rules, substate }: Machine, { codeAddress, parent }: FrameInput): Uint8Array {
  const code = accounts.code(codeAddress)
  const delegation = rules.delegations ? delegationOf(code) : undefined
  if (delegation === undefined) return code
  const delegate = toAddress(delegation)
  // A transaction pays nothing for the access to the delegate; a call has paid for it.
  if (parent === undefined) substate.warm(delegate)
  else accounts.access(delegate)
  return accounts.code(delegate)
}

function runPrecompile(machine: Machine, message: FrameInput, precompile: Precompile): FrameResult {
  const { gas } = message
  const { failureCosts, createsCalledAccount } = machine.rules.precompileRules
  if (createsCalledAccount) machine.accounts.createIfMissing(precompile.address)
  const call = precompileCallOf(machine, message, precompile)
  const required = precompile.gas(call)
  if (required > gas) return failed(OUT_OF_GAS, 0)
  try {
    // A copy, because the output may be the input, which is the memory of the caller.
    const output = precompile.run(call).slice()
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
  const { accounts, context } = machine
  const isCut = maxInput !== undefined && depth > 0
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
    state: accounts.state,
    log: (log) => machine.log(log),
  }
}

/** Begins a creation. Returns the result if there is no code to run; otherwise opens its frame. */
export function enterCreation(machine: Machine, message: FrameInput): FrameResult | undefined {
  const { accounts, rules, substate } = machine
  const { address, from, gas, parent, value } = message
  if (isTaken(machine, message)) return failed(CREATE_COLLISION, 0)
  substate.create(address)
  const { nonceByCode, nonceByTransaction } = rules.create
  accounts.setNonce(address, parent === undefined ? nonceByTransaction : nonceByCode)
  accounts.state.clearStorage(address)
  if (!machine.send(from, address, value)) return failed(VALUE_OVERFLOW, gas)
  if (message.data.length === 0) {
    return { status: 'success', gasLeft: gas, output: EMPTY_BYTES, ranCode: false }
  }
  machine.open(message, analyse(message.data))
  return undefined
}

/** Whether an existing account prevents a creation (EIP-684, 7610; node-chain 9.4). */
function isTaken({ accounts, context, rules }: Machine, { address, parent }: FrameInput): boolean {
  const fields = accounts.get(address)
  if (parent === undefined && !rules.create.checksTransactionCollision) return false
  if (context.deletedInBlock?.has(address) === true) return true
  if (fields === undefined) return false
  const hasStorage = rules.create.storageCollides && accounts.state.hasStorage(address)
  return fields.nonce > 0n || fields.code.length > 0 || hasStorage
}

/** Pays for the code that a constructor returned, and stores it. */
export function depositCode(
  { accounts, rules, substate }: Machine,
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
  if (!countsConstructorRefunds && parent !== undefined) substate.storageRefund = frame.refundBefore
  return { status: 'success', gasLeft, output: code, ranCode: true }
}

/** The result of a message that has run no code. */
const failed = ({ message }: { readonly message: string }, gasLeft: number): FrameResult => ({
  status: 'failed',
  gasLeft,
  output: EMPTY_BYTES,
  exception: message,
  ranCode: false,
})
