/** Requests whose answers depend on the chain that a remote has: a block of that chain is checked with them. */

import * as z from 'zod'
import { toQuantity } from '../base/hex.ts'
import { quantity, hash as hashForm } from '../schema/wire.ts'
import type { ForkedBlock } from './cached-forks.ts'
import type { BlockId } from './question.ts'
import type { RemoteClient } from './remote-client.ts'
import { OtherChainError, RemoteError } from './remote-error.ts'
import { readRemote } from './remote-json.ts'

/**
 * The answer to a request whose meaning depends on the chain of the remote. The block is checked in the same message.
 * @throws NodeError 'remoteFailed', also if the remote answers an error because it no longer has the block
 */
export async function requestOnChain(
  client: RemoteClient,
  { method, params }: { readonly method: string; readonly params: readonly unknown[] },
  block: BlockId,
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

/**
 * Throws if the block with the number of a block is not that block: a number means another block after a reorganization.
 * @throws NodeError 'remoteFailed', OtherChainError
 */
export async function checkCanonical(client: RemoteClient, { number, hash }: BlockId): Promise<void> {
  const json = await client.request('eth_getBlockByNumber', [toQuantity(number), false])
  const found = readRemote(z.object({ hash: hashForm }).nullable(), json, `block ${number}`)
  if (found?.hash === hash) return
  const now = found === null ? `it has no block ${number}` : `its block ${number} is ${found.hash}`
  const message = `the remote ${client.shownUrl} no longer has block ${number} ${hash}: ${now}`
  throw new OtherChainError(message, found === null)
}

/** Throws unless the remote has the chain of a fork. Both requests are one message. @throws OtherChainError */
export async function checkChain(
  client: RemoteClient,
  { chainId, blockNumber: number, blockHash: hash }: ForkedBlock,
): Promise<void> {
  const checked = checkCanonical(client, { number, hash })
  // Of the two errors, that of the chain id says more.
  checked.catch(() => undefined)
  const id = readRemote(quantity, await client.request('eth_chainId', []), 'chain id')
  if (id !== chainId)
    throw new OtherChainError(`the remote ${client.shownUrl} has chain id ${id}, not ${chainId}`)
  await checked
}
