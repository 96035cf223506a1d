/** Simulates a mining pool of the auxiliary chain: builds blocks for work, finds nonces and submits them in each form. */

import { fromHex, toHex } from '../../../../lib/base/hex.ts'
import { doubleSha256 } from '../../../../lib/crypto/sha256.ts'
import type { Node } from '../../../../lib/node/node.ts'
import { auxHeader, coinbaseFor, isSolved } from './aux-blocks.ts'
import { call } from '../../../support/node.ts'

/** A solved block: its header and its transactions, the coinbase first. */
export interface FoundBlock {
  readonly header: Uint8Array
  readonly transactions: readonly Uint8Array[]
}

/** A transaction of the auxiliary chain, different for each number. */
export function auxTransaction(number: number): Uint8Array {
  const spent = toHex(doubleSha256(Uint8Array.of(number))).slice(2)
  return fromHex(`0x0200000001${spent}0000000002aabbffffffff01e803000000000000015100000000`)
}

/** A block with the coinbase, a number of others, and the first nonce, from the given one on, that solves it. */
export function findBlock(coinbase: Uint8Array, others = 0, firstNonce = 0): FoundBlock {
  const transactions = [coinbase, ...Array.from({ length: others }, (_, index) => auxTransaction(index))]
  const root = merkleRoot(transactions.map(doubleSha256))
  for (let nonce = firstNonce; ; nonce++) {
    const header = auxHeader(root, nonce)
    if (isSolved(header)) return { header, transactions }
  }
}

/** Root of a Merkle tree as the auxiliary chain defines it: the last of an odd level is paired with itself. */
function merkleRoot(level: readonly Uint8Array[]): Uint8Array {
  if (level.length === 1) return level[0]!
  const even = level.length % 2 === 0 ? level : [...level, level.at(-1)!]
  const above = even.flatMap((left, index) => (index % 2 === 0 ? [pairHash(left, even[index + 1]!)] : []))
  return merkleRoot(above)
}

const pairHash = (left: Uint8Array, right: Uint8Array) => doubleSha256(Buffer.concat([left, right]))

/** Siblings of the coinbase on the way up, in internal order. */
export function branchOf({ transactions }: FoundBlock): readonly Uint8Array[] {
  const branch: Uint8Array[] = []
  for (let width = 1; width < transactions.length; width *= 2) {
    // The sibling is the root of the next subtree of this width, whose missing leaves repeat the last.
    const leaves = transactions.slice(width, 2 * width).map(doubleSha256)
    branch.push(subtreeRoot(leaves, width))
  }
  return branch
}

function subtreeRoot(leaves: readonly Uint8Array[], width: number): Uint8Array {
  if (width === 1) return leaves[0]!
  const left = subtreeRoot(leaves.slice(0, width / 2), width / 2)
  const right = leaves.length > width / 2 ? subtreeRoot(leaves.slice(width / 2), width / 2) : left
  return pairHash(left, right)
}

/** Hex without a prefix, as pools write it. */
export const plain = (bytes: Uint8Array): string => toHex(bytes).slice(2)

const displayed = (hash: Uint8Array): string => plain(hash.toReversed())

/** The params of each method that takes a block. */
export const FORMS: Readonly<Record<string, (found: FoundBlock) => readonly string[]>> = {
  mnr_submitAuxBlock: ({ header, transactions }) => [
    plain(Buffer.concat([header, Uint8Array.of(transactions.length), ...transactions])),
  ],
  mnr_submitAuxBlockTransactions: ({ header, transactions }) => [
    displayed(doubleSha256(header)),
    plain(header),
    plain(transactions[0]!),
    transactions.map((transaction) => displayed(doubleSha256(transaction))).join(' '),
  ],
  mnr_submitAuxBlockPartialMerkle: (found) => [
    displayed(doubleSha256(found.header)),
    plain(found.header),
    plain(found.transactions[0]!),
    [doubleSha256(found.transactions[0]!), ...branchOf(found)].map(plain).join(' '),
    found.transactions.length.toString(16),
  ],
}

/** Requests work; returns the hash that a coinbase has to contain. */
export async function takeWork(node: Node): Promise<string> {
  return (await call(node, 'mnr_getWork')).blockHashForMergedMining
}

/** Solves work and submits the whole block; returns the result. */
export async function solve(node: Node, work: string, firstNonce = 100) {
  // Not the lowest nonce, which the node tries first when it mines the block itself.
  const answer = await call(
    node,
    'mnr_submitAuxBlock',
    FORMS['mnr_submitAuxBlock']!(findBlock(coinbaseFor(work), 1, firstNonce)),
  )
  return {
    hash: answer.blockHash as string,
    number: answer.blockIncludedHeight as string,
    result: Buffer.from(fromHex(answer.blockImportedResult)).toString(),
  }
}
