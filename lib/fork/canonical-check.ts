/** Checks that a remote still has a block, because a number means another block after a reorganization. */

import { NodeError } from '../base/errors.ts'
import { toQuantity } from '../base/hex.ts'
import type { Hash } from '../base/hex.ts'
import { HASH, RemoteObject } from '../base/remote-object.ts'
import type { RemoteClient } from './remote-client.ts'
import { RemoteError } from './remote-error.ts'

/** Number and hash of a block. */
export interface BlockId {
  readonly number: bigint
  readonly hash: Hash
}

/** Throws if the block with the number of a block is not that block. @throws NodeError 'remoteFailed' */
export async function checkCanonical(client: RemoteClient, { number, hash }: BlockId): Promise<void> {
  const json = await client.request('eth_getBlockByNumber', [toQuantity(number), false])
  const found = json === null ? undefined : RemoteObject.of(json, `block ${number}`).get('hash', HASH)
  if (found === hash) return
  const now = found === undefined ? `it has no block ${number}` : `its block ${number} is ${found}`
  throw new NodeError(
    'remoteFailed',
    `the remote ${client.shownUrl} no longer has block ${number} ${hash}: ${now}`,
  )
}

/**
 * The answer to a request whose meaning depends on the chain of the remote. The block is checked in the same message.
 * @throws NodeError 'remoteFailed', also if the remote answers an error because it no longer has the block
 */
export async function requestOnChain(
  client: RemoteClient,
  block: BlockId,
  { method, params }: { readonly method: string; readonly params: readonly unknown[] },
): Promise<unknown> {
  const [answer, check] = await Promise.allSettled([
    client.request(method, params),
    checkCanonical(client, block),
  ])
  if (answer.status === 'rejected' && !(answer.reason instanceof RemoteError)) throw answer.reason
  if (check.status === 'rejected') throw check.reason
  if (answer.status === 'rejected') throw answer.reason
  return answer.value
}
