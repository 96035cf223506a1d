/** Finds the function at which a frame enters the sources. */

import { SELECTOR_LENGTH } from '../abi/selector.ts'
import type { SolidityFunction } from '../artifacts/solidity-ast.ts'
import { toHex } from '../base/hex.ts'
import { calledFragment } from './called-function.ts'
import { isCreationFrame } from './executed-frame.ts'
import type { ExecutedFrame } from './executed-frame.ts'
import { functionGraph } from './function-graph.ts'
import type { MappedCode } from './mapped-code.ts'

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
  const type = calledFragment(contract, frame.input)?.type
  return type === 'function' ? undefined : graph.inherited(declared, ({ kind }) => kind === type)
}
