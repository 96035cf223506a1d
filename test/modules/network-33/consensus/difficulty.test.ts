import { describe, expect, test } from '@jest/globals'
import { childDifficulty, nextDifficulty } from '../../../../lib/modules/network-33/consensus/difficulty.ts'
import { asHash } from '../../../../lib/base/hex.ts'
import { variant } from '../support/merged-mining.ts'

describe('difficulty', () => {
  test.each<readonly [string, bigint, bigint, number, bigint]>([
    // node-chain 6.6, row by row.
    ['rises after a short time', 1_000_000n, 9n, 0, 1_000_488n],
    ['stays after ten seconds', 1_000_000n, 10n, 0, 1_000_000n],
    ['falls after a long time', 1_000_000n, 11n, 0, 999_512n],
    ['falls until ten minutes have passed', 1_000_000n, 599n, 0, 999_512n],
    ['is the least after ten minutes', 1_000_000n, 600n, 0, 1n],
    ['stays when time goes back', 1_000_000n, -1n, 0, 1_000_000n],
    ['rises later where uncles are named', 1_000_000n, 29n, 2, 1_000_488n],
    ['stays later where uncles are named', 1_000_000n, 30n, 2, 1_000_000n],
    ['falls later where uncles are named', 1_000_000n, 31n, 2, 999_512n],
    ['of one does not rise', 1n, 0n, 0, 1n],
    ['of one does not fall', 1n, 100n, 0, 1n],
    ['moves from 2048 on', 2048n, 1n, 0, 2049n],
    ['does not move below', 2047n, 1n, 0, 2047n],
  ])('%s', (_case, difficulty, elapsed, uncles, expected) => {
    expect(nextDifficulty({ difficulty, timestamp: 1_000n }, 1_000n + elapsed, uncles)).toBe(expected)
  })
})

describe('difficulty of a local block of a fork', () => {
  const remoteHash = `0x${'12'.repeat(32)}` as const
  test.each([
    ['that the node can prove is that of the network', 1_024n, remoteHash, 1_024n],
    ['that the node cannot prove is the minimum', 1_025n, remoteHash, 1n],
    ['after a local block is that of the network', 1_025n, undefined, 1_025n],
  ])('%s', (_case, difficulty, hash, expected) => {
    const parent = variant(
      { difficulty, timestamp: 1_000n },
      { remoteHash: hash === undefined ? undefined : asHash(hash) },
    )
    expect(childDifficulty(parent, 1_010n, 0)).toBe(expected)
  })
})
