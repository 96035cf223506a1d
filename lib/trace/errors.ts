/** Error messages of the EVM as geth words them (core/vm/errors.go) (go-ethereum, core/vm/errors.go). */

import type { Step } from '../evm/observer.ts'
import type { CallNode } from './call-tree.ts'

/** geth's message by the name of the exception. Other messages are the same in geth. */
const GETH_TEXTS: ReadonlyMap<string, string> = new Map([
  ['stack overflow', 'stack limit reached 1024 (1023)'],
  ['invalid JUMP', 'invalid jump destination'],
  ['static state change', 'write protection'],
  ['create collision', 'contract address collision'],
  ['insufficient balance', 'insufficient balance for transfer'],
  ['invalid bytecode deployed', 'invalid code: must not begin with 0xef'],
])

/** geth's message for a creation that cannot pay for storing its code. */
const CODE_STORE_OUT_OF_GAS = 'contract creation code storage out of gas'

/** What geth says of the exception of a frame. */
export function gethTextOf(node: CallNode): string {
  const { exception, fault, ranCode } = node
  // No instruction failed, and no precompile: the gas did not suffice for the code.
  const isCodeStore = exception === 'out of gas' && fault === undefined && ranCode
  return isCodeStore ? CODE_STORE_OUT_OF_GAS : gethText(exception, fault)
}

/** What geth says of an exception, at the instruction that failed where that is known. */
export function gethText(
  exception = 'failed',
  fault?: Pick<Step, 'name' | 'opcode' | 'inputs' | 'stack'>,
): string {
  if (exception === 'invalid opcode' && fault !== undefined) return `invalid opcode: ${nameOf(fault)}`
  if (exception === 'stack underflow' && fault !== undefined) {
    return `stack underflow (${fault.stack.length} <=> ${fault.inputs})`
  }
  return GETH_TEXTS.get(exception) ?? exception
}

/** geth's name of an opcode, also of an undefined one (OpCode.String). */
export function nameOf({ name, opcode }: Pick<Step, 'name' | 'opcode'>): string {
  return name ?? `opcode 0x${opcode.toString(16)} not defined`
}

/** What geth says of a revert. */
export const REVERTED = 'execution reverted'
