/** The worked example of node-chain 4.3, calculated from the rules and not compared with a live node. */

import { describe, expect, test } from '@jest/globals'
import { asHash, fromHex, toHex } from '../../../../lib/base/hex.ts'
import { targetOf } from '../../../../lib/networks/consensus/target.ts'
import { doubleSha256 } from '../../../../lib/crypto/sha256.ts'
import {
  checkProof,
  auxBlockOfBranch,
  auxBlockOfIds,
  proofOf,
  readAuxBlock,
  sealHashIn,
} from '../../../../lib/modules/network-33/consensus/aux-block.ts'

const WORK = '0xf7d4a9a389bf1132dd2cd4be1ee2638c839da224f05755ad194598dd2a055967'
const COINBASE =
  '01000000010000000000000000000000000000000000000000000000000000000000000000ffffffff00ffffffff' +
  '0200f2052a01000000015100000000000000002952534b424c4f434b3a' +
  'f7d4a9a389bf1132dd2cd4be1ee2638c839da224f05755ad194598dd2a05596700000000'
const ID = '0a777ca15a5ecd6fca921751a229a6b76490cc950c9e824b6903f1a08b164b25'
const DISPLAYED_ID = '254b168ba0f103694b829e0c95cc9064b7a629a2511792ca6fcd5e5aa17c770a'
const HEADER = `01000000${'00'.repeat(32)}${ID}00f15365ffff7f2000000000`
const COMPRESSED =
  '00000000000000403951049e70877a2e929d978855e4d96808a475985efd8013d09633d5a1497e4c0029' +
  '52534b424c4f434b3af7d4a9a389bf1132dd2cd4be1ee2638c839da224f05755ad194598dd2a05596700000000'

const bytes = (hex: string) => fromHex(`0x${hex}`)
const hash = (hex: string) => asHash(`0x${hex}`)

describe('unconfirmed: the example of a submission', () => {
  test.each([
    ['whole', () => readAuxBlock(bytes(`${HEADER}01${COINBASE}`))],
    ['by ids', () => auxBlockOfIds(bytes(HEADER), bytes(COINBASE), [hash(DISPLAYED_ID)])],
    ['by a branch', () => auxBlockOfBranch(bytes(HEADER), bytes(COINBASE), [hash(ID)])],
  ])('%s proves the work on block 1', (_form, read) => {
    const block = read()
    const proof = proofOf(block)
    expect(sealHashIn(block)).toBe(WORK)
    expect(toHex(proof.coinbase)).toBe(`0x${COMPRESSED}`)
    expect([toHex(proof.header), proof.merkleProof.length]).toEqual([`0x${HEADER}`, 0])
    expect(checkProof(proof, targetOf(1n), asHash(WORK))).toBeUndefined()
  })

  test('has ids and hashes that are computed from it', () => {
    expect(toHex(doubleSha256(bytes(COINBASE)))).toBe(`0x${ID}`)
    expect(toHex(bytes(ID).reverse())).toBe(`0x${DISPLAYED_ID}`)
    expect(toHex(doubleSha256(bytes(HEADER)).reverse())).toBe(
      '0x15bb40ceb1d6d9172dcb0c0f6fbeed20288fb6011e82239f522ba7b16697fef1',
    )
  })
})
