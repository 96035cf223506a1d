/** Merkle trees over the transactions of a block of the auxiliary chain. Ids and roots are in internal byte order. */

import { present } from '../../../base/invariant.ts'
import { siblingsHash } from '../../../crypto/sha256.ts'
import { encodeCount, littleEndian } from '../bridge/aux-encoding.ts'
import { withLength } from '../bridge/aux-transaction.ts'

/** The levels of the tree, the leaves first. The last node of an odd level is its own sibling. */
export function merkleLevels(leaves: readonly Uint8Array[]): readonly (readonly Uint8Array[])[] {
  const levels = [leaves]
  for (let level = leaves; level.length > 1; levels.push(level)) {
    level = level.flatMap((left, index, all) =>
      index % 2 === 0 ? [siblingsHash(left, all[index + 1] ?? left)] : [],
    )
  }
  return levels
}

/** Merkle root of at least one id. */
export const merkleRoot = (ids: readonly Uint8Array[]): Uint8Array =>
  present(merkleLevels(ids).at(-1)?.[0], 'Merkle root')

/** The partial Merkle tree (BIP-37) that proves the id at an index; `bridge/merkle.ts` reads it. */
export function partialTree(ids: readonly Uint8Array[], index: number): Uint8Array {
  const levels = merkleLevels(ids)
  const hashes: Uint8Array[] = []
  const flags: boolean[] = []
  const visit = (height: number, position: number): void => {
    const node = levels[height]?.[position]
    if (node === undefined) return
    const isOnPath = index >> height === position
    flags.push(isOnPath)
    if (height === 0 || !isOnPath) return void hashes.push(node)
    visit(height - 1, position * 2)
    visit(height - 1, position * 2 + 1)
  }
  visit(levels.length - 1, 0)
  const bits = flags.reduce((sum, flag, bit) => (flag ? sum | (1n << BigInt(bit)) : sum), 0n)
  const flagBytes = littleEndian(bits, Math.ceil(flags.length / 8))
  const head = [littleEndian(ids.length, 4), encodeCount(hashes.length)]
  return new Uint8Array(Buffer.concat([...head, ...hashes, withLength(flagBytes)]))
}
