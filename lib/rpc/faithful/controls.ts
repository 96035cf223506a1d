/** Time, mining and snapshots as the reference node has them (node-rpc 5.11). */

import { toQuantity } from '../../base/hex.ts'
import { converted } from '../../base/routine.ts'
import type { Node } from '../../node/node.ts'
import type { FaithfulCall } from './results.ts'

/** Mining does not stop. */
export const nothing = (): unknown => null

export const isMining = (): unknown => true

/** The position of the snapshot in the list of those that are left. */
export function takeSnapshot(_: FaithfulCall, { snapshots }: Node): unknown {
  snapshots.take()
  return toQuantity(snapshots.count)
}

/** The later snapshots are gone, and so is the pool; keys and time stay as they are (node-rpc 5.11). */
export function revert({ run, params: [id] }: FaithfulCall, node: Node): unknown {
  const snapshot = node.snapshots.all[Number(id) - 1]
  return snapshot === undefined ? false : keepingKeys(node, () => run([toQuantity(snapshot.id)]))
}

export const reset = ({ run }: FaithfulCall, node: Node): unknown => keepingKeys(node, run)

function keepingKeys({ keystore, clock, mempool, chain }: Node, change: () => unknown): unknown {
  const [keys, time] = [keystore.capture(), clock.capture()]
  return converted(change(), (result) => {
    keystore.restore(keys)
    clock.restore(time)
    mempool.replace([], chain.head.block.header.number)
    return result
  })
}
