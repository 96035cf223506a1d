/** Methods that random steps are made of, by what they do to the play. */

import { allMethods } from '../../lib/rpc/methods/all.ts'
import { LISTENERS } from './write-params.ts'

/** Every method that writes. */
export const WRITES = allMethods.methods.filter(({ access }) => access === 'write')

/** All but those after which somebody hears of every block, which keeps blocks from being reserved. */
export const SILENT_WRITES = WRITES.filter(({ name }) => !LISTENERS.includes(name))

/** Methods that may reserve blocks: no look at the world makes them before its next step. */
export const RESERVING = ['evm_mine', 'evm_mine_detailed', 'hardhat_mine']

/** Methods that wait for a block as long as their last param says: without it, until a clock moves that stands still. */
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

/** Methods that put the chain back to its beginning, and all that change the tree of snapshots. */
export const RESETS = ['evm_reset', 'hardhat_reset']
export const TREE = [...RESETS, 'evm_snapshot', 'evm_revert', 'node_dropSnapshot']

/** Work of miners: rare among all methods, and worth nothing unless several follow each other. */
export const WORK = WRITES.filter(({ name }) => /Work$|_submitAuxBlock/.test(name))

/** The name a method is declared by. */
export const nameOf = (alias: string): string => allMethods.find(alias)!.name
