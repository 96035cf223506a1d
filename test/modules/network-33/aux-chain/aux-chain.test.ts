import { describe, expect, test } from '@jest/globals'
import { toHash } from '../../../../lib/base/hex.ts'
import { doubleSha256 } from '../../../../lib/crypto/sha256.ts'
import {
  EMPTY_AUX_CHAIN,
  confirmationsOf,
  findAuxTransaction,
  withAuxBlocks,
  withTransaction,
  mineAuxBlock,
  type AuxChain,
  type PlacedHeader,
} from '../../../../lib/modules/network-33/aux-chain/aux-chain.ts'
import { merkleRoot } from '../../../../lib/modules/network-33/bridge/merkle.ts'
import { coinbaseArguments } from '../../../../lib/modules/network-33/aux-chain/registration.ts'
import { writeAuxTransaction } from '../../../../lib/modules/network-33/bridge/aux-transaction.ts'
import { hasValidWork, readAuxHeader } from '../../../../lib/modules/network-33/bridge/aux-header.ts'
import { readAuxBlock } from '../../../../lib/modules/network-33/consensus/aux-block.ts'
import { AUX_GENESIS_HEADER, shownHash } from '../support/aux-chain.ts'

const GENESIS: PlacedHeader = { ...readAuxHeader(AUX_GENESIS_HEADER), height: 0n }

const OUTPUT = { sat: 1_000n, script: Uint8Array.of(0x51) }
const inputOf = (previousIndex: number, previousId: Uint8Array = new Uint8Array(32).fill(9)) => ({
  previousId,
  previousIndex,
  script: new Uint8Array(0),
  sequence: 0xffff_ffff,
})

/** A transaction that spends an output outside, or of a given transaction. */
const spending = (index: number, previousId?: Uint8Array): Uint8Array =>
  writeAuxTransaction([inputOf(index, previousId)], [OUTPUT])

/** The same with a witness. */
const witnessed = (index: number): Uint8Array =>
  writeAuxTransaction([inputOf(index)], [OUTPUT], [[Uint8Array.of(1, 2), Uint8Array.of(3)]])

const chainWith = (...raws: readonly Uint8Array[]): AuxChain =>
  raws.reduce((chain, raw) => withTransaction(chain, raw).chain, EMPTY_AUX_CHAIN)

describe('a block', () => {
  const plain = spending(0)
  const signed = witnessed(1)
  const chain = withAuxBlocks(chainWith(plain, signed), GENESIS, 2)
  const [first, second] = chain.blocks as [(typeof chain.blocks)[0], (typeof chain.blocks)[0]]

  test('has work, follows its parent and has the coinbase and the transactions that waited', () => {
    expect(hasValidWork(first.header)).toBe(true)
    expect(first.header).toMatchObject({ height: 1n, previousHash: GENESIS.hash })
    expect(first.transactions.slice(1).map(({ raw }) => raw)).toEqual([plain, signed])
    expect(second.transactions).toHaveLength(1)
    expect(second.header.previousHash).toBe(first.header.hash)
    expect(chain.pool).toEqual([])
  })

  test('is read by the parser of merged mining, with the Merkle root of its header', () => {
    const raws = first.transactions.map(({ raw }) => raw)
    const read = readAuxBlock(Buffer.concat([first.header.bytes, Uint8Array.of(raws.length), ...raws]))
    expect(read.coinbase).toEqual(first.transactions[0]!.withoutWitness)
    const root = read.branch.reduce(
      (left, right) => doubleSha256(Buffer.concat([left, right])),
      doubleSha256(read.coinbase),
    )
    expect(root).toEqual(first.header.merkleRoot)
  })

  test('commits to the ids of its transactions with their witnesses (BIP-141)', () => {
    const ids = [new Uint8Array(32), doubleSha256(plain), doubleSha256(signed)]
    const commitment = doubleSha256(Buffer.concat([merkleRoot(ids), new Uint8Array(32)]))
    const [coinbase] = first.transactions
    expect(coinbase!.outputs.at(-1)!.script).toEqual(
      Uint8Array.of(0x6a, 0x24, 0xaa, 0x21, 0xa9, 0xed, ...commitment),
    )
    expect(coinbase!.witnesses).toEqual([[new Uint8Array(32)]])
  })

  test('without witnesses needs no registration of its coinbase', () => {
    expect(coinbaseArguments(first)).toBeDefined()
    expect(coinbaseArguments(second)).toBeUndefined()
    expect(coinbaseArguments(mineAuxBlock(GENESIS, chainWith(plain).pool))).toBeUndefined()
  })
})

describe('a sent transaction', () => {
  test('is found while it waits, and in its block', () => {
    const raw = spending(0)
    const { chain, txid } = withTransaction(EMPTY_AUX_CHAIN, raw)
    expect(txid).toBe(shownHash(raw))
    expect(findAuxTransaction(chain, txid)).toEqual({ transaction: chain.pool[0] })
    const mined = withAuxBlocks(chain, GENESIS, 3)
    const found = findAuxTransaction(mined, txid)
    expect(found?.block).toBe(mined.blocks[0])
    expect(confirmationsOf(mined, mined.blocks[0]!.header)).toBe(3n)
    expect(findAuxTransaction(mined, toHash(new Uint8Array(32)))).toBeUndefined()
  })

  const raw = spending(0)
  const mined = withAuxBlocks(chainWith(raw), GENESIS, 1)
  const twice = writeAuxTransaction([inputOf(3), inputOf(3)], [OUTPUT])
  const withoutOutputs = writeAuxTransaction([inputOf(3)], [])

  test.each([
    ['is cut off', EMPTY_AUX_CHAIN, raw.subarray(0, 30), 'transactionRejected', 'ends after 30 bytes'],
    [
      'has bytes too many',
      EMPTY_AUX_CHAIN,
      Uint8Array.of(...raw, 0),
      'transactionRejected',
      '1 bytes too many',
    ],
    ['has no outputs', EMPTY_AUX_CHAIN, withoutOutputs, 'transactionRejected', '1 inputs and 0 outputs'],
    ['waits already', chainWith(raw), raw, 'transactionRejected', 'is known'],
    ['is mined already', mined, raw, 'transactionRejected', 'is known'],
    ['spends what a waiting one spends', chainWith(raw), witnessed(0), 'transactionRejected', 'is known'],
    ['spends what a mined one spends', mined, changed(raw), 'transactionRejected', 'is spent already'],
    ['spends an output twice', EMPTY_AUX_CHAIN, twice, 'transactionRejected', 'is spent already'],
  ])('that %s is refused', (_case, chain, bytes, kind, message) => {
    expect(() => withTransaction(chain, bytes)).toThrow(
      expect.objectContaining({ kind, message: expect.stringContaining(message) }),
    )
  })

  test('may spend an output of the chain, and another output of the same transaction', () => {
    const child = spending(0, doubleSha256(raw))
    expect(withTransaction(withTransaction(mined, child).chain, spending(1)).chain.pool).toHaveLength(2)
  })
})

/** The same transaction with another amount. */
function changed(raw: Uint8Array): Uint8Array {
  const copy = raw.slice()
  copy[copy.length - 14] = 7
  return copy
}

test('the chain begins anew on a header that it has not made, and keeps what waits', () => {
  const mined = withAuxBlocks(chainWith(spending(0)), GENESIS, 2)
  const { chain } = withTransaction(mined, spending(1))
  const foreign = mineAuxBlock({ ...GENESIS, height: 6n }, []).header
  const anew = withAuxBlocks(chain, foreign, 1)
  expect(anew.blocks.map(({ header }) => [header.height, header.previousHash])).toEqual([[8n, foreign.hash]])
  expect(anew.blocks[0]!.transactions).toHaveLength(2)
  // Its own headers, also older ones, and that below the first are not foreign.
  for (const known of [GENESIS, ...mined.blocks.map(({ header }) => header)]) {
    expect(withAuxBlocks(mined, known, 1).blocks).toHaveLength(3)
  }
})
