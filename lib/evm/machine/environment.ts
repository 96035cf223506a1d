/** Writes the words about the transaction and the block that instructions push. */

import type { Core } from './core.ts'
import type { ExecutionContext } from './execution.ts'
import { ENVIRONMENT } from './layout.ts'

/** Writes the words to the memory of the core, in the order that layout.ts gives at `ENVIRONMENT`. */
export function writeEnvironment(
  core: Core,
  { block, blobBaseFee, gasPrice, origin, rules }: ExecutionContext,
): void {
  const at = (index: number): number => ENVIRONMENT + 32 * index
  core.setAddress(at(0), origin)
  core.setWord(at(1), gasPrice)
  core.setAddress(at(2), block.coinbase)
  core.setWord(at(3), block.timestamp)
  core.setWord(at(4), block.number)
  if (rules.opcode44 === 'difficulty') core.setWord(at(5), block.difficulty)
  else core.setHash(at(5), block.mixHash)
  core.setWord(at(6), block.gasLimit)
  core.setWord(at(7), block.chainId)
  core.setWord(at(8), rules.baseFee === 'baseFeePerGas' ? block.baseFeePerGas : block.minimumGasPrice)
  core.setWord(at(9), blobBaseFee)
}
