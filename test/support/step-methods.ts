/** Methods of random steps, grouped by their effect on the sequence. */

import { allMethods } from '../../lib/rpc/methods/all.ts'
import { LISTENERS } from './write-params.ts'

/** Every writing method. */
export const WRITES = allMethods.methods.filter(({ access }) => access === 'write')

/** Without methods that add a listener to every block, which prevents reserved blocks. */
export const SILENT_WRITES = WRITES.filter(({ name }) => !LISTENERS.includes(name))

/** Methods that may reserve blocks: the world is not observed after them, because that would materialize the blocks. */
export const RESERVING = ['evm_mine', 'evm_mine_detailed', 'hardhat_mine']

/** Methods that wait for a block up to the time in their last param; without it they would wait on a stopped clock. */
export const WAITING = ['eth_sendTransactionSync', 'eth_sendRawTransactionSync']

/** Values that are wrong in most places. */
export const INVALID_VALUES: readonly unknown[] = [
  null,
  -1,
  '0x',
  '0xzz',
  {},
  [],
  'no such thing',
  true,
  1.5,
  '0x1',
  2 ** 53,
]

/** Methods that reset the chain, and all methods that change the tree of snapshots. */
export const RESETS = ['evm_reset', 'hardhat_reset']
export const TREE = [...RESETS, 'evm_snapshot', 'evm_revert', 'node_dropSnapshot']

/** Mining work: rare among all methods, and effective only in sequences. */
export const WORK = WRITES.filter(({ name }) => /Work$|_submitAuxBlock/.test(name))

/** The declared name of an alias. */
export const nameOf = (alias: string): string => allMethods.find(alias)!.name
