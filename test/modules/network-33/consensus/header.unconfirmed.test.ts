/** Values of node-chain 6.3 and 6.8, calculated from the rules and not compared with a live node. State roots are given. */

import { describe, expect, test } from '@jest/globals'
import { asAddress, asHash, fromHex, toHex } from '../../../../lib/base/hex.ts'
import { encodeRlp } from '../../../../lib/base/rlp.ts'
import { blockSize } from '../../../../lib/chain/raw-forms.ts'
import { withProof } from '../../../../lib/modules/network-33/consensus/own-work.ts'
import type { Block, Receipt } from '../../../../lib/chain/block.ts'
import {
  EMPTY_TRIE_HASH,
  ZERO_HASH,
  encodeHeader,
  headerHash,
  headerItems,
} from '../../../../lib/chain/header.ts'
import {
  coinbaseId,
  compressCoinbase,
  encodeCoinbase,
  checkProof,
} from '../../../../lib/modules/network-33/consensus/aux-block.ts'
import {
  NO_ANCESTRY,
  compressedItems,
  extensionHash,
  hashForMergedMining,
  type MergedMiningHeader,
} from '../../../../lib/modules/network-33/consensus/header.ts'
import { keccak256 } from '../../../../lib/crypto/keccak.ts'
import { BLOCK_1, EASY_TARGET, EXAMPLE } from '../support/merged-mining.ts'
import { transactionOf } from '../../../support/transactions.ts'

const ZERO_BYTE = new Uint8Array(1)

const GENESIS: MergedMiningHeader = {
  ...BLOCK_1,
  parentHash: ZERO_HASH,
  coinbase: asAddress(`0x${'33'.repeat(20)}`),
  stateRoot: asHash('0x9c13f6bf26a9d1b13b708b5da083cb8f4e948bb7f903174081ad95810d52723f'),
  transactionsRoot: EMPTY_TRIE_HASH,
  receiptsRoot: EMPTY_TRIE_HASH,
  number: 0n,
  gasLimit: 10_000_000n,
  timestamp: 0n,
  extraData: Buffer.from('horse'),
  own: {
    version: 0,
    uncleCount: 0,
    baseEvent: new Uint8Array(0),
    aux: { header: ZERO_BYTE, merkleProof: ZERO_BYTE, coinbase: ZERO_BYTE },
    ancestry: NO_ANCESTRY,
  },
}

function blockOf(header: MergedMiningHeader, transactions: readonly string[] = []): Block {
  const receipts = transactions.map(
    (encoded) =>
      ({ transaction: { ...transactionOf(), type: 0, encoded: fromHex(encoded) } }) as unknown as Receipt,
  )
  return { header, hash: headerHash(header), receipts, uncles: [], totalDifficulty: 1n }
}

describe('genesis (unconfirmed)', () => {
  test('is hashed as 471 bytes', () => {
    expect(toHex(encodeHeader(GENESIS))).toBe(
      `0xf901d4a0${'00'.repeat(32)}a01dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347` +
        `94${'33'.repeat(20)}a09c13f6bf26a9d1b13b708b5da083cb8f4e948bb7f903174081ad95810d52723f` +
        `a0${EMPTY_TRIE_HASH.slice(2)}`.repeat(2) +
        `b90100${'00'.repeat(256)}850000000001808398968080` +
        '8085686f72736580008000',
    )
    expect(encodeHeader(GENESIS)).toHaveLength(471)
  })

  test('has its hash and size', () => {
    expect(headerHash(GENESIS)).toBe('0x8ea789fabef0dd4946ed53f001e7b6f8a8d0c22a612a6099fc7f93c990af68fe')
    expect(headerHash(GENESIS)).toBe(toHex(keccak256(encodeHeader(GENESIS))))
    expect(blockSize(blockOf(GENESIS))).toBe(478)
  })
})

/** Block 1 with the work of node-chain 4.3. */
const PROVED = withProof(BLOCK_1, {
  header: EXAMPLE.header,
  merkleProof: new Uint8Array(0),
  coinbase: EXAMPLE.compressed,
})

describe('block 1 (unconfirmed)', () => {
  test('has its extension data', () => {
    expect(toHex(keccak256(new Uint8Array(256)))).toBe(
      '0xd397b3b043d87fcd6fad1291ff0bfd16401c274896d8c63a923727f077b8e0b5',
    )
    const hash = '9aca8469839f117b1a26abbdea244a32cb0833e387cf6af9dc13eb336094d3c2'
    expect(toHex(extensionHash(BLOCK_1))).toBe(`0x${hash}`)
    expect(toHex(compressedItems(BLOCK_1)[6]!)).toBe(`0xe202a0${hash}`)
  })

  test('has its compressed form and the hash for merged mining', () => {
    expect(toHex(encodeRlp(compressedItems(BLOCK_1)))).toBe(
      '0xf8f0' +
        'a08ea789fabef0dd4946ed53f001e7b6f8a8d0c22a612a6099fc7f93c990af68fe' +
        'a01dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347' +
        '94ec4ddeb4380ad69b3e509baad9f158cdf4e4681d' +
        'a0f276a3a8c9c4eb4dcbbfb9bf6965f36dc611b815614c0d7cd06e15b8890c272c' +
        'a08c9664a30670ddc67aa13992fdd8751b7b797bbe172506ffd5cda10ebbf97952' +
        'a066cfdb731f620cd96e2c2cb0f7d3c3a2879c29b40014aa27efbbf3cf9cd3b0f6' +
        'a3e202a09aca8469839f117b1a26abbdea244a32cb0833e387cf6af9dc13eb336094d3c2' +
        '0101840098705b80846553f1008080008080',
    )
    expect(hashForMergedMining(BLOCK_1)).toBe(EXAMPLE.work)
  })

  test('has a coinbase that compresses, and an id', () => {
    const compressed = compressCoinbase(EXAMPLE.transaction)
    expect(compressed.count).toBe(64)
    expect(toHex(encodeCoinbase(compressed))).toBe(toHex(EXAMPLE.compressed))
    expect(toHex(coinbaseId(compressed))).toBe(
      '0x0a777ca15a5ecd6fca921751a229a6b76490cc950c9e824b6903f1a08b164b25',
    )
  })

  test('has a good proof, its hash, its encodings and its size', () => {
    const { header } = PROVED
    expect(checkProof(header.own.aux, EASY_TARGET, EXAMPLE.work)).toBeUndefined()
    expect(PROVED.hash).toBe('0x4f7f1c3990f70ff212aee2640f1f6d85e3c7ff3ddb28535e8db7def11535a1b3')
    const raw = toHex(encodeHeader(header))
    expect(raw).toMatch(/^0xf90224a08ea789fa/)
    expect(
      raw.endsWith(`0101840098705b80846553f1008080008080028080b850${toHex(EXAMPLE.header).slice(2)}`),
    ).toBe(true)
    expect(encodeHeader(header)).toHaveLength(551)
    const stored = encodeRlp(headerItems(header))
    expect([toHex(stored.subarray(0, 4)), stored.length]).toEqual(['0xf9027ea0', 641])
    expect(
      blockSize(blockOf(PROVED.header, ['0xdd8000009400000000000000000000000000000000010000088080808080'])),
    ).toBe(676)
  })

  test('has a preimage of 325 bytes', () => {
    const preimage = encodeRlp([...compressedItems(BLOCK_1), EXAMPLE.header])
    expect([toHex(preimage.subarray(0, 4)), preimage.length]).toEqual(['0xf90142a0', 325])
    expect(toHex(keccak256(preimage))).toBe(PROVED.hash)
  })
})
