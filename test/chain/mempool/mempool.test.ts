import { describe, expect, test } from '@jest/globals'
import { Mempool } from '../../../lib/chain/mempool/mempool.ts'
import { ChainInstance } from '../../../lib/chain/instance/chain-instance.ts'
import { addressOf, transactionOf } from '../../support/transactions.ts'

const ALICE = addressOf(1)
const BOB = addressOf(2)

const newPool = () => new Mempool(new ChainInstance(), () => 0)

function poolOf(nonces: readonly bigint[]): Mempool {
  const pool = newPool()
  for (const nonce of nonces) pool.add(transactionOf({ sender: ALICE, nonce }), 0n)
  return pool
}

const noncesOf = (pool: Mempool, from: bigint) =>
  pool.pending(ALICE, from).map(({ transaction }) => transaction.nonce)

/** The readable contents of a pool, as comparable values. */
function contentOf(pool: Mempool) {
  return {
    size: pool.size,
    senders: [...pool.senders()].sort(),
    all: [...pool.all()].map(({ transaction, arrival }) => `${transaction.hash} ${arrival}`).sort(),
    ready: [...pool.senders()].map((sender) => pool.pending(sender, 0n).length),
  }
}

describe('mempool', () => {
  test.each([
    ['nothing', [], 0n, [], 0n],
    ['a row', [0n, 1n, 2n], 0n, [0n, 1n, 2n], 3n],
    ['a row with used nonces', [0n, 1n, 2n], 1n, [1n, 2n], 3n],
    ['a gap', [0n, 2n], 0n, [0n], 1n],
    ['a gap at the start', [1n, 2n], 0n, [], 0n],
    ['no order of arrival', [2n, 0n, 1n], 0n, [0n, 1n, 2n], 3n],
  ])('ready transactions with %s', (_case, nonces, accountNonce, ready, next) => {
    const pool = poolOf(nonces)
    expect(noncesOf(pool, accountNonce)).toEqual(ready)
    expect(pool.nextNonce(ALICE, accountNonce)).toBe(next)
  })

  test('keeps the nonces of senders apart', () => {
    const pool = poolOf([0n, 1n])
    pool.add(transactionOf({ sender: BOB, nonce: 0n }), 0n)
    expect([pool.nextNonce(ALICE, 0n), pool.nextNonce(BOB, 0n)]).toEqual([2n, 1n])
    expect([...pool.senders()]).toEqual([ALICE, BOB])
  })

  test('replaces a transaction with the same nonce, which is then unknown', () => {
    const pool = poolOf([0n])
    const replaced = pool.find(ALICE, 0n)!.transaction
    const replacement = transactionOf({ sender: ALICE, nonce: 0n })
    pool.add(replacement, 0n)
    expect(pool.get(replaced.hash)).toBeUndefined()
    expect(pool.find(ALICE, 0n)?.transaction).toBe(replacement)
    expect(pool.size).toBe(1)
  })

  test('removes a sender with its last transaction, and ignores unknown transactions', () => {
    const pool = poolOf([0n])
    const { hash } = pool.find(ALICE, 0n)!.transaction
    pool.remove([hash, hash])
    pool.remove([hash])
    expect(contentOf(pool)).toEqual(contentOf(newPool()))
  })

  test('has a new version after every change only', () => {
    const pool = poolOf([0n])
    const versions = new Set([pool.version])
    const captured = pool.capture()
    pool.remove([])
    expect(pool.version).toBe([...versions][0])
    pool.add(transactionOf({ nonce: 1n }), 0n)
    versions.add(pool.version)
    pool.remove([pool.find(ALICE, 1n)!.transaction.hash])
    versions.add(pool.version)
    pool.restore(captured)
    versions.add(pool.version)
    expect(versions.size).toBe(4)
  })

  test('copies nothing for a capture without later changes', () => {
    const pool = poolOf([0n])
    expect(pool.capture()).toBe(pool.capture())
  })
})

test('drops only transactions below the nonce of their account', () => {
  const pool = poolOf([0n, 1n, 2n, 5n])
  pool.add(transactionOf({ sender: BOB, nonce: 0n }), 0n)
  pool.removeBelowNonce(ALICE, 2n)
  expect(pool.from(ALICE).map(({ transaction }) => transaction.nonce)).toEqual([2n, 5n])
  expect(pool.from(BOB)).toHaveLength(1)
  pool.removeBelowNonce(ALICE, 9n)
  expect([...pool.senders()]).toEqual([BOB])
})
