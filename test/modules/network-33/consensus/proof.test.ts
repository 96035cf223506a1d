import { describe, expect, test } from '@jest/globals'
import { asHash, fromHex, toHex } from '../../../../lib/base/hex.ts'
import type { Hash } from '../../../../lib/base/hex.ts'
import {
  MERGED_MINING_TAG,
  coinbaseId,
  compressCoinbase,
  encodeCoinbase,
  checkProof,
  foldMerkleProof,
  type CompressedCoinbase,
  type AuxProof,
} from '../../../../lib/modules/network-33/consensus/aux-block.ts'
import { doubleSha256 } from '../../../../lib/crypto/sha256.ts'
import { EASY_TARGET } from '../support/merged-mining.ts'
import { auxHeader, isSolved } from '../support/aux-blocks.ts'

const WORK = asHash(`0x${'ab'.repeat(32)}`)
const NAMED = Buffer.concat([MERGED_MINING_TAG, fromHex(WORK)])

/** Siblings in display order, from the leaf up. */
const SIBLINGS = [1, 2, 3].map((byte) => new Uint8Array(32).fill(byte).fill(byte + 100, 16))

function solved(merkleRoot: Uint8Array): Uint8Array {
  for (let nonce = 0; ; nonce++) {
    const header = auxHeader(merkleRoot, nonce)
    if (isSolved(header)) return header
  }
}

function proofOf(coinbase: CompressedCoinbase, siblings: readonly Uint8Array[] = []): AuxProof {
  const merkleProof = new Uint8Array(Buffer.concat(siblings))
  const header = solved(foldMerkleProof(coinbaseId(coinbase), merkleProof))
  return { header, merkleProof, coinbase: encodeCoinbase(coinbase) }
}

/** A proof by a coinbase of these parts. */
const proofBy = (...parts: readonly Uint8Array[]) => proofOf(compressCoinbase(Buffer.concat(parts)))

const GOOD = proofBy(new Uint8Array(70), NAMED, new Uint8Array(4))

const check = (proof: AuxProof, target: Hash = EASY_TARGET) => checkProof(proof, target, WORK)

describe('a proof of work', () => {
  test.each([
    ['of a coinbase alone', GOOD],
    ['with siblings', proofOf(compressCoinbase(Buffer.concat([new Uint8Array(70), NAMED])), SIBLINGS)],
    ['with the most bytes behind the hash', proofBy(new Uint8Array(70), NAMED, new Uint8Array(128))],
    ['whose tag ends a block', proofBy(new Uint8Array(127), NAMED)],
    ['of just 65 bytes', proofBy(new Uint8Array(24), NAMED)],
    [
      'of the longest Merkle proof',
      proofOf(
        compressCoinbase(Buffer.concat([new Uint8Array(70), NAMED])),
        Array.from({ length: 30 }, () => SIBLINGS[0]!),
      ),
    ],
    [
      'that names other work before',
      proofBy(new Uint8Array(3), MERGED_MINING_TAG, new Uint8Array(100), NAMED),
    ],
  ])('%s is good', (_case, proof) => {
    expect(check(proof)).toBeUndefined()
  })

  test.each([
    ['half a hash', new Uint8Array(16)],
    ['31 hashes', new Uint8Array(31 * 32)],
  ])('has no Merkle proof of %s', (_case, merkleProof) => {
    expect(check({ ...GOOD, merkleProof })).toBe('the Merkle proof is not a list of up to 30 hashes')
  })

  test('has a coinbase', () => {
    expect(check({ ...GOOD, coinbase: new Uint8Array(1) })).toBe('there is no compressed coinbase')
  })

  test.each([0, 79, 81])('has no header of %d bytes', (length) => {
    expect(check({ ...GOOD, header: new Uint8Array(length) })).toBe('the header does not have 80 bytes')
  })

  test('has a header whose hash reaches the target', () => {
    const hash = asHash(toHex(doubleSha256(GOOD.header).reverse()))
    expect(check(GOOD, hash)).toBeUndefined()
    expect(check(GOOD, asHash(`0x${'00'.repeat(32)}`))).toBe('the hash of the header is above the target')
  })

  test('names the work behind the tag', () => {
    const fault = 'the coinbase does not name the block'
    expect(check(proofBy(new Uint8Array(70), fromHex(WORK)))).toBe(fault)
    expect(check(proofBy(new Uint8Array(70), MERGED_MINING_TAG, new Uint8Array(32)))).toBe(fault)
    expect(check(proofBy(new Uint8Array(70), NAMED.subarray(0, 40)))).toBe(fault)
  })

  test('has its tag in the first block of the tail', () => {
    const late = (before: number) => {
      const tail = Buffer.concat([new Uint8Array(before), NAMED])
      return proofOf({ ...compressCoinbase(new Uint8Array(0)), tail })
    }
    expect(check(late(63))).toBeUndefined()
    expect(check(late(64))).toBe('the tag is not in the first 64 bytes of the tail')
  })

  test('has no other tag after it', () => {
    const tail = Buffer.concat([NAMED, MERGED_MINING_TAG, new Uint8Array(32)])
    expect(check(proofOf({ ...compressCoinbase(new Uint8Array(0)), tail }))).toBe(
      'the tag is not the last one',
    )
  })

  test('ends soon behind the hash', () => {
    expect(check(proofBy(new Uint8Array(70), NAMED, new Uint8Array(129)))).toBe(
      'more than 128 bytes follow the hash',
    )
  })

  test('is of a coinbase longer than a block', () => {
    expect(check(proofBy(new Uint8Array(23), NAMED))).toBe('the coinbase has no more than 64 bytes')
  })

  test('leads to the Merkle root of the header', () => {
    const fault = 'the Merkle root does not match'
    expect(check({ ...GOOD, merkleProof: SIBLINGS[0]! })).toBe(fault)
    const { count, ...rest } = compressCoinbase(Buffer.concat([new Uint8Array(70), NAMED]))
    const forged = encodeCoinbase({ ...rest, count: count + 64 })
    expect(check({ ...proofBy(new Uint8Array(70), NAMED), coinbase: forged })).toBe(fault)
  })
})

test('a Merkle proof is folded to the right, in internal order', () => {
  const leaf = new Uint8Array(32).fill(9)
  const [first, second] = SIBLINGS.map((sibling) => new Uint8Array(sibling).reverse())
  const root = doubleSha256(Buffer.concat([doubleSha256(Buffer.concat([leaf, first!])), second!]))
  const proof = new Uint8Array(Buffer.concat(SIBLINGS.slice(0, 2)))
  expect(toHex(foldMerkleProof(leaf, proof))).toBe(toHex(root))
  expect(toHex(foldMerkleProof(leaf, new Uint8Array(0)))).toBe(toHex(leaf))
})
