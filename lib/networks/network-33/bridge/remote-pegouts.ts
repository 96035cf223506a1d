/** Decodes coins and peg-outs from the result of a remote's `getStateForDebugging` (node-chain 10.10). Terms: bridge.ts. */

import { AuxReader } from '../../../base/aux-reader.ts'
import { NodeError } from '../../../base/errors.ts'
import { EMPTY_BYTES, bigIntToBytes } from '../../../base/hex.ts'
import { RlpError, decodeRlp, encodeRlp } from '../../../base/rlp.ts'
import type { RlpInput, RlpItem } from '../../../base/rlp.ts'
import { toInternalOrder } from './aux-header.ts'
import { bytesOf, listOf } from './bridge-storage.ts'
import { KEY_ADDRESS_VERSION } from './federation.ts'

/** Values by their names in the storage of the Bridge. Lists without items are absent. */
export type PegoutValues = ReadonlyMap<string, Uint8Array>

/** Reads the values. @throws NodeError 'executionFailed' if the result is not of this form */
export function pegoutValues(state: Uint8Array): PegoutValues {
  try {
    return read(state)
  } catch (error) {
    if (!(error instanceof RlpError)) throw error
    throw unreadable(error.message)
  }
}

const unreadable = (fault: string): NodeError =>
  new NodeError('executionFailed', `the state of the Bridge of the remote cannot be read: ${fault}`)

function read(state: Uint8Array): PegoutValues {
  const [, coins, signing, queue, confirming, next] = listOf(decodeRlp(state))
  const lists: readonly (readonly [string, RlpInput[]])[] = [
    ['coins', itemsOf(coins).map(coinOf)],
    ['pegouts/queue', groupsOf(itemsOf(queue), 3).map(requestOf)],
    [
      'pegouts/confirming',
      groupsOf(itemsOf(confirming), 3).map(([raw, block, hash]) => batch(raw, hash, block)),
    ],
    // Batches that wait for signatures do not say when they were made, and nothing asks for it.
    ['pegouts/signing', groupsOf(itemsOf(signing), 2).map(([hash, raw]) => batch(raw, hash, EMPTY_BYTES))],
  ]
  return new Map([
    ...lists
      .filter(([, list]) => list.length > 0)
      .map(([name, list]): [string, Uint8Array] => [name, encodeRlp(list)]),
    ['pegouts/next', bytesOf(decodeRlp(bytesOf(next)))],
  ])
}

/** The byte strings of a list that is encoded in a byte string. */
const itemsOf = (item: RlpItem | undefined): readonly Uint8Array[] =>
  listOf(decodeRlp(bytesOf(item))).map(bytesOf)

function groupsOf(items: readonly Uint8Array[], size: number): readonly (readonly Uint8Array[])[] {
  if (items.length % size !== 0) throw unreadable(`${items.length} items are not groups of ${size}`)
  return Array.from({ length: items.length / size }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  )
}

const batch = (raw?: Uint8Array, hash?: Uint8Array, block?: Uint8Array): RlpInput => [
  raw ?? EMPTY_BYTES,
  hash ?? EMPTY_BYTES,
  block ?? EMPTY_BYTES,
]

/** A request: the state has the hash of the destination, which is always a key hash. */
const requestOf = ([
  destination = EMPTY_BYTES,
  sat = EMPTY_BYTES,
  hash = EMPTY_BYTES,
]: readonly Uint8Array[]): RlpInput => [Uint8Array.of(KEY_ADDRESS_VERSION, ...destination), sat, hash]

/** Bytes of a transaction id. */
const ID_BYTES = 32

/** An unspent output: value, script with its length, id of the transaction in display order, index. */
function coinOf(output: Uint8Array): RlpInput {
  const reader = new AuxReader(output, (fault) => unreadable(`an unspent output ${fault}`))
  const sat = reader.number(8)
  reader.take(Number(reader.number(4)))
  const id = toInternalOrder(reader.take(ID_BYTES))
  return [id, bigIntToBytes(reader.number(4)), bigIntToBytes(sat)]
}
