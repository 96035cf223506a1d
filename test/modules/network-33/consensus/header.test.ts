import { describe, expect, test } from '@jest/globals'
import { bigIntToSignedBytes, toHex } from '../../../../lib/base/hex.ts'
import { InvariantError } from '../../../../lib/base/invariant.ts'
import { decodeRlp, encodeRlp } from '../../../../lib/base/rlp.ts'
import { encodeHeader, headerHash, headerItems, unclesHashOf } from '../../../../lib/chain/header.ts'
import {
  compressedItems,
  extensionHash,
  fullItems,
  hashForMergedMining,
  type MergedMiningFields,
} from '../../../../lib/modules/network-33/consensus/header.ts'
import { keccak256 } from '../../../../lib/crypto/keccak.ts'
import { BLOCK_1, EXAMPLE, variant } from '../support/merged-mining.ts'

const WORKED = variant(
  {},
  { aux: { header: EXAMPLE.header, merkleProof: new Uint8Array(32), coinbase: EXAMPLE.compressed } },
)

const hex = (items: readonly unknown[]): string[] => items.map((item) => toHex(item as Uint8Array))
const keccak = (...parts: readonly Uint8Array[]): string => toHex(keccak256(Buffer.concat(parts)))

describe('a header of a merged-mining network', () => {
  test('has its own encoding of each use', () => {
    const compressed = compressedItems(WORKED)
    const { aux } = WORKED.own
    expect(compressed).toHaveLength(17)
    expect(headerHash(WORKED)).toBe(keccak(encodeRlp([...compressed, aux.header])))
    expect(WORKED.consensus.sealHash(WORKED)).toBe(keccak(encodeRlp(compressed)))
    expect(hex(decodeRlp(encodeHeader(WORKED)) as Uint8Array[])).toEqual(hex(fullItems(WORKED)))
    expect(hex(headerItems(WORKED))).toEqual(hex([...fullItems(WORKED), aux.merkleProof, aux.coinbase]))
    expect(unclesHashOf([WORKED, BLOCK_1])).toBe(
      keccak(encodeRlp([headerItems(WORKED), headerItems(BLOCK_1)])),
    )
  })

  test('hashes the aux header, and neither proof nor coinbase', () => {
    const { aux } = WORKED.own
    const other = new Uint8Array(5)
    const hashWith = (changed: object) => headerHash(variant({}, { aux: { ...aux, ...changed } }))
    expect(hashWith({ merkleProof: other, coinbase: other })).toBe(headerHash(WORKED))
    expect(hashWith({ header: other })).not.toBe(headerHash(WORKED))
  })

  test('has version, edges and base event in the full form only, which lengthen with the version', () => {
    const fields = { edges: [1, 258], baseEvent: Uint8Array.of(7) }
    const behind = (version: 0 | 1 | 2) => hex(fullItems(variant({}, { ...fields, version })).slice(17, -1))
    expect(behind(2)).toEqual(['0x02', '0x01000201', '0x07'])
    expect(behind(1)).toEqual(['0x01', '0x01000201'])
    expect(behind(0)).toEqual([])
  })

  test('hashes bloom, base event and edges as its extension, in that order', () => {
    const logsBloom = new Uint8Array(256).fill(3)
    const baseEvent = Uint8Array.of(8, 9)
    const of = (version: 1 | 2, edges?: readonly number[]) => {
      const fields = { version, baseEvent, edges } as Partial<MergedMiningFields>
      return toHex(extensionHash(variant({ logsBloom }, fields)))
    }
    const bloom = keccak256(logsBloom)
    expect(of(1, [2])).toBe(keccak(encodeRlp([bloom, Uint8Array.of(2, 0)])))
    expect(of(2, [2])).toBe(keccak(encodeRlp([bloom, baseEvent, Uint8Array.of(2, 0)])))
    expect(of(2, [])).toBe(keccak(encodeRlp([bloom, baseEvent, new Uint8Array(0)])))
    expect(of(2)).toBe(keccak(encodeRlp([bloom, baseEvent])))
    const compressed = compressedItems(variant({ logsBloom }, { version: 1, edges: [2] }))[6]!
    expect(hex(decodeRlp(compressed) as Uint8Array[])).toEqual(['0x01', of(1, [2])])
  })

  test('mixes a second root into the hash for merged mining', () => {
    const ummRoot = new Uint8Array(20).fill(6)
    const header = variant({}, { ummRoot })
    const own = keccak256(encodeRlp(compressedItems(header)))
    expect(hashForMergedMining(header)).toBe(keccak(own.subarray(0, 20), ummRoot))
    expect(() => hashForMergedMining(variant({}, { ummRoot: new Uint8Array(19) }))).toThrow(InvariantError)
  })

  test('ends the hash for merged mining in fork detection data from block 449 on', () => {
    const ancestry = { checkpoints: [1, 2, 3, 4, 5, 6, 7], withUncles: [] }
    const mined = (number: bigint) => hashForMergedMining(variant({ number }, { ancestry }))
    const own = (number: bigint) => keccak(encodeRlp(compressedItems(variant({ number }))))
    expect(mined(448n)).toBe(own(448n))
    expect(mined(449n)).toBe(`${own(449n).slice(0, 42)}0102030405060700000001c1`)
  })
})

describe('numbers of a header', () => {
  const difficultyAndLimit = (version: 0 | 2, difficulty: bigint, gasLimit: bigint) => {
    const items = hex(compressedItems(variant({ difficulty, gasLimit }, { version })))
    return [items[7], items[9]]
  }

  test('are signed, but as the file has them at genesis', () => {
    expect(difficultyAndLimit(2, 1n, 10_000_000n)).toEqual(['0x01', '0x00989680'])
    expect(difficultyAndLimit(2, 0x80n, 0x7fffffn)).toEqual(['0x0080', '0x7fffff'])
    expect(difficultyAndLimit(0, 1n, 10_000_000n)).toEqual(['0x0000000001', '0x989680'])
    expect(difficultyAndLimit(0, 0x123_4567_89abn, 1n)).toEqual(['0x0123456789ab', '0x01'])
  })

  test('are one zero byte for no minimum price, and nothing for no fees, gas or uncles', () => {
    expect(hex(compressedItems(BLOCK_1)).slice(10)).toEqual([
      '0x',
      '0x6553f100',
      '0x',
      '0x',
      '0x00',
      '0x',
      '0x',
    ])
    const priced = variant({ minimumGasPrice: 0xffn, paidFees: 0xffn }, { uncleCount: 2 })
    expect(hex(compressedItems(priced)).slice(13, 16)).toEqual(['0xff', '0x00ff', '0x02'])
  })

  test.each([
    [0n, '0x00'],
    [1n, '0x01'],
    [0x7fn, '0x7f'],
    [0x80n, '0x0080'],
    [0x100n, '0x0100'],
    [0x8000n, '0x008000'],
  ])('%d is %s as signed bytes', (value, bytes) => {
    expect(toHex(bigIntToSignedBytes(value))).toBe(bytes)
  })
})
