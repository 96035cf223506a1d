/** Checks that a state file of a fork is loaded where its remote blocks are. */

import { NodeError } from '../base/errors.ts'
import type { ForkOrigin } from '../chain/remote-history.ts'

/**
 * Checks that a file and the node continue the same remote block, or none.
 * @throws NodeError 'invalidState'
 */
export function checkOrigin(ofFile: ForkOrigin | undefined, ofNode: ForkOrigin | undefined): void {
  if (ofFile === undefined && ofNode === undefined) return
  if (ofFile === undefined)
    throw new NodeError(
      'invalidState',
      `the state file is not of a fork, this node continues ${described(ofNode)}: start it without --fork-url`,
    )
  const isSame = ofFile.chainId === ofNode?.chainId && ofFile.blockHash === ofNode.blockHash
  if (isSame) return
  throw new NodeError(
    'invalidState',
    `the state file is of a fork of ${described(ofFile)} of ${ofFile.url}, this node continues ${described(ofNode)}: start it with --fork-url and --fork-block-number ${ofFile.blockNumber}`,
  )
}

const described = (origin: ForkOrigin | undefined): string =>
  origin === undefined
    ? 'no remote block'
    : `block ${origin.blockNumber} (${origin.blockHash}) of chain ${origin.chainId}`
