/** Finds the function that a frame calls, and decides whether the compiler's checks let the call in. */

import { functionRun } from '../../abi/fragments.ts'
import type { AbiFragment } from '../../abi/fragments.ts'
import { SELECTOR_LENGTH } from '../../abi/selector.ts'
import { itemType } from '../../abi/values.ts'
import type { AbiParameterType } from '../../abi/values.ts'
import { toHex } from '../../base/hex.ts'
import type { SolidityFunction } from '../artifacts/solidity-ast.ts'
import { isCreationFrame } from './executed-frame.ts'
import type { ExecutedFrame } from './executed-frame.ts'
import { functionGraph } from './function-graph.ts'
import type { MappedCode } from './mapped-code.ts'

/** Whether the function refuses value. */
export const isNonPayable = ({ stateMutability }: AbiFragment): boolean =>
  stateMutability !== undefined && stateMutability !== 'payable'

/** Whether call data is too short for the parameters of the function. */
export function isTooShort({ type, inputs = [] }: AbiFragment, input: Uint8Array): boolean {
  if (type !== 'function') return false
  return input.length < SELECTOR_LENGTH + inputs.reduce((size, one) => size + headSize(one), 0)
}

const WORD = 32

/** Bytes of a value in the head of encoded values. */
function headSize(type: AbiParameterType): number {
  return isDynamic(type) ? WORD : staticSize(type)
}

function staticSize(type: AbiParameterType): number {
  const item = itemType(type.type)
  if (item !== undefined) return lengthOf(type.type) * staticSize({ ...type, type: item })
  if (type.type !== 'tuple') return WORD
  return (type.components ?? []).reduce((size, one) => size + staticSize(one), 0)
}

function isDynamic(type: AbiParameterType): boolean {
  const item = itemType(type.type)
  if (item !== undefined) return lengthOf(type.type) === 0 || isDynamic({ ...type, type: item })
  if (type.type === 'tuple') return (type.components ?? []).some(isDynamic)
  return type.type === 'bytes' || type.type === 'string'
}

/** Length of an array type; 0 if any length is allowed. */
const lengthOf = (type: string): number => Number(/\[(\d*)\]$/.exec(type)?.[1] ?? 0)

/**
 * The function that a frame calls. Undefined if it is not known, and for a contract without a constructor of its own: then the
 * code of a creation is that of base contracts and variables.
 */
export function calledFunction(frame: ExecutedFrame, { contract }: MappedCode): SolidityFunction | undefined {
  const graph = functionGraph(contract.compilation)
  const declared = graph.contractOf(contract)
  if (declared === undefined) return undefined
  if (isCreationFrame(frame)) {
    const first = graph.inherited(declared, ({ kind }) => kind === 'constructor')
    return first?.contract === declared ? first : undefined
  }
  const selector = toHex(frame.input.subarray(0, SELECTOR_LENGTH)).slice(2)
  const named = graph.inherited(declared, (one) => one.selector === selector)
  if (named !== undefined) return named
  const type = functionRun(contract.abi, frame.input)?.type
  return type === 'function' ? undefined : graph.inherited(declared, ({ kind }) => kind === type)
}
