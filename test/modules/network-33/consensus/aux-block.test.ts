/** Blocks of the auxiliary chain in each form of submission. Their proof of work is tested in proof.test.ts. */

import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { NodeError } from '../../../../lib/base/errors.ts'
import { asHash, fromHex, toHex } from '../../../../lib/base/hex.ts'
import { doubleSha256 } from '../../../../lib/crypto/sha256.ts'
import {
  coinbaseId,
  compressCoinbase,
  encodeCoinbase,
  foldMerkleProof,
  auxBlockOfBranch,
  auxBlockOfIds,
  proofOf,
  readAuxBlock,
  sealHashIn,
} from '../../../../lib/modules/network-33/consensus/aux-block.ts'
import { coinbaseFor } from '../support/aux-blocks.ts'
import { branchOf, findBlock } from '../support/pool.ts'

const WORK = `0x${'ab'.repeat(32)}`
const COINBASE = coinbaseFor(WORK)
const internal = (bytes: Uint8Array) => asHash(toHex(bytes))

describe('an auxiliary block', () => {
  test('is the same in each form, and its proof leads to its Merkle root', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 40 }), (others) => {
        const found = findBlock(COINBASE, others)
        const ids = found.transactions.map(doubleSha256)
        const count = Uint8Array.of(ids.length)
        const whole = readAuxBlock(Buffer.concat([found.header, count, ...found.transactions]))
        const displayed = ids.map((id) => internal(id.toReversed()))
        const branch = [ids[0]!, ...branchOf(found)].map(internal)
        const proofs = [
          whole,
          auxBlockOfIds(found.header, COINBASE, displayed),
          auxBlockOfBranch(found.header, COINBASE, branch),
        ].map(proofOf)
        for (const { header, coinbase, merkleProof } of proofs) {
          expect(toHex(header)).toBe(toHex(found.header))
          expect(toHex(coinbase)).toBe(toHex(encodeCoinbase(compressCoinbase(COINBASE))))
          const root = foldMerkleProof(coinbaseId(compressCoinbase(COINBASE)), merkleProof)
          expect(toHex(root)).toBe(toHex(found.header.subarray(36, 68)))
        }
      }),
      { numRuns: 30 },
    )
  })

  test.each([
    ['no tag', '51', undefined],
    ['a tag at the very end', `${'00'.repeat(20)}52534b424c4f434b3a`, undefined],
    [
      'two tags',
      `52534b424c4f434b3a${'12'.repeat(32)}52534b424c4f434b3a${'34'.repeat(32)}`,
      `0x${'34'.repeat(32)}`,
    ],
  ])('with %s names %s', (_case, script, expected) => {
    const coinbase = fromHex(`0x${script}`)
    expect(sealHashIn({ header: new Uint8Array(80), coinbase, branch: [] })).toBe(expected)
  })

  test('of random bytes is refused as a wrong param', () => {
    const any = fc.uint8Array({ maxLength: 300 })
    const readers: readonly ((bytes: Uint8Array) => unknown)[] = [
      readAuxBlock,
      (bytes) => auxBlockOfIds(new Uint8Array(80), bytes, [internal(new Uint8Array(32))]),
      (bytes) => auxBlockOfBranch(bytes, COINBASE, [internal(new Uint8Array(32))]),
    ]
    fc.assert(
      fc.property(any, fc.constantFrom(...readers), (bytes, read) => {
        try {
          read(bytes)
        } catch (error) {
          expect(error).toMatchObject({ kind: 'invalidParams' })
          expect(error).toBeInstanceOf(NodeError)
        }
      }),
      { numRuns: 500 },
    )
  })

  test.each([
    ['fd0300', 3],
    ['fe03000000', 3],
    ['ff0300000000000000', 3],
  ])('may write the number of its transactions as %s', (count, transactions) => {
    const found = findBlock(COINBASE, transactions - 1)
    const block = Buffer.concat([found.header, fromHex(`0x${count}`), ...found.transactions])
    expect(readAuxBlock(block).branch).toHaveLength(2)
  })
})
