/** Writes the block and the transaction to the core, whose instructions push their values. */

import type { Core } from './core.ts'
import type { ExecutionEnvironment, TransactionContext } from './environment.ts'
import * as layout from '../../../assembly/layout.ts'

/** Writes the words that ORIGIN, NUMBER and others push, in the order that layout.ts gives at `ENVIRONMENT`. */
export function writeEnvironment(
  core: Core,
  { block: { blobBaseFee, context: block }, rules }: ExecutionEnvironment,
  { gasPrice, origin }: TransactionContext,
): void {
  const at = (position: number) => layout.ENVIRONMENT + 32 * position
  core.setAddress(at(0), origin)
  core.setWord(at(1), gasPrice)
  core.setWord(at(9), blobBaseFee)
  // Most executions follow one in the same block.
  if (core.block === block && core.rules === rules) return
  core.block = block
  core.rules = rules
  core.setAddress(at(2), block.coinbase)
  core.setWord(at(3), block.timestamp)
  core.setWord(at(4), block.number)
  if (rules.opcode44 === 'difficulty') core.setWord(at(5), block.difficulty)
  else core.setHash(at(5), block.mixHash)
  core.setWord(at(6), block.gasLimit)
  core.setWord(at(7), block.chainId)
  core.setWord(at(8), rules.baseFee === 'baseFeePerGas' ? block.baseFeePerGas : block.minimumGasPrice)
  core.setWord(at(10), block.slotNumber ?? 0n)
}
