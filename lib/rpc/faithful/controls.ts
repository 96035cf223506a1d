/** Time, mining and snapshots as the reference node has them (node-rpc 5.11). */

import { toQuantity } from '../../base/hex.ts'
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

/** The later snapshots are gone. */
export function revert({ run, params: [id] }: FaithfulCall, { snapshots }: Node): unknown {
  const snapshot = snapshots.all[Number(id) - 1]
  return snapshot === undefined ? false : run([toQuantity(snapshot.id)])
}
