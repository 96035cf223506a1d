/** Texts of exceptions in the reference node's flat traces (node-chain 3.3). */

import type { Hash } from '../base/hex.ts'
import type { CallNode, Fault } from './call-tree.ts'

const PREFIX = 'org.ethereum.vm.program.Program$'

/**
 * The reference node's text for a failed call. For the outermost call it adds the prefix `class `, which this node leaves
 * out.
 */
export function flatErrorText({ status, exception = 'failed', fault, ...node }: CallNode, tx: Hash): string {
  if (status === 'reverted') return 'Reverted'
  switch (exception) {
    case 'out of gas':
      return `${PREFIX}OutOfGasException: ${outOfGasText(fault, node, tx)}`
    case 'invalid opcode':
      return `${PREFIX}IllegalOperationException: Invalid operation code: opcode[${opcodeText(fault)}], tx[${tx}]`
    case 'invalid JUMP':
      return `${PREFIX}BadJumpDestinationException: Operation with pc isn't 'JUMPDEST': PC[${fault?.stack.at(-1) ?? 0n}], tx[${tx}]`
    case 'stack underflow':
      return `${PREFIX}StackTooSmallException: ${underflowText(fault)}, tx: ${tx}`
    case 'stack overflow':
      return `${PREFIX}StackTooLargeException: Expected: overflow 1024 elements stack limit`
    case 'static state change':
      return `${PREFIX}StaticCallModificationException: Attempt to call a state modifying opcode inside STATICCALL: tx[${tx}]`
    case 'invalid bytecode deployed':
      return `java.lang.RuntimeException: Contract code cannot start with 0xEF byte (EIP-3541), tx: ${tx}`
    default:
      return `java.lang.RuntimeException: ${exception}, tx: ${tx}`
  }
}

function outOfGasText(
  fault: Fault | undefined,
  { gas, gasUsed }: Pick<CallNode, 'gas' | 'gasUsed'>,
  tx: Hash,
) {
  if (fault === undefined) {
    const cause = 'No gas to return just created contract'
    return `Not enough gas for '${cause}' cause spending: invokeGas[${gas}], gas[${gas - gasUsed}], usedGas[${gasUsed}], tx[${tx}]`
  }
  const { name = opcodeText(fault), cost, gasLeft } = fault
  return `Not enough gas for '${name}' operation executing: opGas[${cost}], programGas[${gasLeft}], tx[${tx}]`
}

const opcodeText = (fault: Fault | undefined): string => (fault?.opcode ?? 0).toString(16).padStart(2, '0')

function underflowText(fault: Fault | undefined): string {
  return `Expected stack size ${fault?.inputs ?? 0} but actual ${fault?.stack.length ?? 0}`
}
