/** Builds blocks of the auxiliary chain that solve mining work. */

import { fromHex, toHex } from '../../../../lib/base/hex.ts'
import { doubleSha256 } from '../../../../lib/crypto/sha256.ts'

/** A coinbase transaction that names the work: the example of node-chain 4.3 with another hash in it. */
export function coinbaseFor(work: string): Uint8Array {
  const before =
    '01000000010000000000000000000000000000000000000000000000000000000000000000ffffffff00ffffffff' +
    '0200f2052a0100000001510000000000000000' +
    '2952534b424c4f434b3a'
  return fromHex(`0x${before}${work.slice(2)}00000000`)
}

/** A header over a Merkle root in internal byte order, with a nonce. */
export function auxHeader(merkleRoot: Uint8Array, nonce: number): Uint8Array {
  const header = new Uint8Array(80)
  header.set([1], 0)
  header.set(merkleRoot, 36)
  header.set(fromHex('0x00f15365ffff7f20'), 68)
  new DataView(header.buffer).setUint32(76, nonce, true)
  return header
}

/** Whether the header's hash is at most the target of the least difficulty, 0x55...55. */
export function isSolved(header: Uint8Array): boolean {
  return BigInt(toHex(doubleSha256(header).reverse())) <= BigInt(`0x${'55'.repeat(32)}`)
}

/** A block with only the coinbase and the first nonce, from the given one on, that solves it. */
export function auxBlockFor(work: string, firstNonce = 0): Uint8Array {
  const coinbase = coinbaseFor(work)
  for (let nonce = firstNonce; ; nonce++) {
    const header = auxHeader(doubleSha256(coinbase), nonce)
    if (isSolved(header)) return Uint8Array.from([...header, 1, ...coinbase])
  }
}

/** Header, coinbase and the coinbase's id in internal order, as plain hex. */
export function partsOf(block: Uint8Array): { header: string; coinbase: string; id: string } {
  const coinbase = block.subarray(81)
  const plain = (bytes: Uint8Array) => toHex(bytes).slice(2)
  return {
    header: plain(block.subarray(0, 80)),
    coinbase: plain(coinbase),
    id: plain(doubleSha256(coinbase)),
  }
}
