/** A node with a transfer in its first block. */

import type { Node } from '../../../lib/node/node.ts'
import { call, freshNode } from '../../support/node.ts'

/** The receiver. */
export const TO = `0x${'bb'.repeat(20)}`

/** A hash of no block and no transaction. */
export const UNKNOWN = `0x${'11'.repeat(32)}`

/** The block at the head. */
export const latest = (node: Node) => call(node, 'eth_getBlockByNumber', ['latest'])

/** Mines a transfer of five wei. */
export async function afterTransfer() {
  const node = await freshNode()
  const from = node.funded[0]!.address
  const hash = await call(node, 'eth_sendTransaction', [{ from, to: TO, value: '0x5' }])
  return { node, from, hash, block: await latest(node) }
}
