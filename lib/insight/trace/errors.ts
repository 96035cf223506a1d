/** Error messages of the EVM in geth's wording (geth, core/vm/errors.go). */

import type { Step } from '../../evm/observer.ts'
import type { CallNode } from './call-tree.ts'

/** geth's messages by the name of the exception. An exception that is not in the map has the same name in geth. */
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

/** geth's error message for a failed call. */
export function gethErrorOf(node: CallNode): string {
  const { exception, fault, ranCode } = node
  // Code ran and no instruction failed, so the gas did not pay for storing the code.
  const isCodeStore = exception === 'out of gas' && fault === undefined && ranCode
  return isCodeStore ? CODE_STORE_OUT_OF_GAS : gethExceptionText(exception, fault)
}

/** geth's error message for an exception. Some messages name the instruction that failed, if it is known. */
export function gethExceptionText(
  exception = 'failed',
  fault?: Pick<Step, 'name' | 'opcode' | 'inputs' | 'stack'>,
): string {
  if (exception === 'invalid opcode' && fault !== undefined) return `invalid opcode: ${opcodeName(fault)}`
  if (exception === 'stack underflow' && fault !== undefined) {
    return `stack underflow (${fault.stack.length} <=> ${fault.inputs})`
  }
  return GETH_TEXTS.get(exception) ?? exception
}

/** geth's name of an opcode, including undefined ones (OpCode.String). */
export function opcodeName({ name, opcode }: Pick<Step, 'name' | 'opcode'>): string {
  return name ?? `opcode 0x${opcode.toString(16)} not defined`
}

/** geth's error message for a revert. */
export const REVERTED = 'execution reverted'
