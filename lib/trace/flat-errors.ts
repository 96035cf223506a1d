/** Exceptions in the words of the reference's flat traces (node-chain 3.3). */

import type { Hash } from '../base/hex.ts'
import type { Step } from '../evm/observer.ts'
import type { CallNode } from './call-tree.ts'
import { wordsNeeded } from './opcodes.ts'

const PREFIX = 'org.ethereum.vm.program.Program$'

/** What the reference says of a failed call; its `class ` before the outermost one is left out, as in nested calls. */
export function flatErrorText(
  { status, exception = 'failed', failedAt, ...node }: CallNode,
  tx: Hash,
): string {
  if (status === 'reverted') return 'Reverted'
  switch (exception) {
    case 'out of gas':
      return `${PREFIX}OutOfGasException: ${outOfGasText(failedAt, node, tx)}`
    case 'invalid opcode':
      return `${PREFIX}IllegalOperationException: Invalid operation code: opcode[${opcodeText(failedAt)}], tx[${tx}]`
    case 'invalid JUMP':
      return `${PREFIX}BadJumpDestinationException: Operation with pc isn't 'JUMPDEST': PC[${failedAt?.stack.at(-1) ?? 0n}], tx[${tx}]`
    case 'stack underflow':
      return `${PREFIX}StackTooSmallException: ${underflowText(failedAt)}, tx: ${tx}`
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

function outOfGasText(step: Step | undefined, { gas, gasUsed }: Pick<CallNode, 'gas' | 'gasUsed'>, tx: Hash) {
  if (step === undefined) {
    const cause = 'No gas to return just created contract'
    return `Not enough gas for '${cause}' cause spending: invokeGas[${gas}], gas[${gas - gasUsed}], usedGas[${gasUsed}], tx[${tx}]`
  }
  const { name = opcodeText(step), cost, gasLeft } = step
  return `Not enough gas for '${name}' operation executing: opGas[${cost}], programGas[${gasLeft}], tx[${tx}]`
}

const opcodeText = (step: Step | undefined): string => (step?.opcode ?? 0).toString(16).padStart(2, '0')

function underflowText(step: Step | undefined): string {
  return `Expected stack size ${wordsNeeded(step?.opcode ?? 0)} but actual ${step?.stack.length ?? 0}`
}
