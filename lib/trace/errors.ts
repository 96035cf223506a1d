/** Texts of exceptions as geth has them (go-ethereum, core/vm/errors.go). */

import type { Step } from '../evm/observer.ts'
import type { CallNode } from './call-tree.ts'

/** By the name the engine gives; what is not in here is called by that name. */
const GETH_TEXTS: ReadonlyMap<string, string> = new Map([
  ['stack overflow', 'stack limit reached 1024 (1023)'],
  ['invalid JUMP', 'invalid jump destination'],
  ['static state change', 'write protection'],
  ['create collision', 'contract address collision'],
  ['insufficient balance', 'insufficient balance for transfer'],
  ['invalid bytecode deployed', 'invalid code: must not begin with 0xef'],
])

/** What geth says of a frame whose code cannot be paid for. */
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

/** What geth calls an instruction, also one that there is not. */
export function nameOf({ name, opcode }: Pick<Step, 'name' | 'opcode'>): string {
  return name ?? `opcode 0x${opcode.toString(16)} not defined`
}

/** What geth says of a revert. */
export const REVERTED = 'execution reverted'
