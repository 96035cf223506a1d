/** A selection of the blockchain tests of Amsterdam (fixtures/vectors/README.md): each block that is made again has the same hash. */

import { describe, expect, test } from '@jest/globals'
import { blockchainFault } from './blockchain-tests.ts'
import type { BlockchainTest } from './blockchain-tests.ts'
import { rulesOfFork } from './vector-forks.ts'
import { readVectorFile, vectorFiles } from '../support/vectors.ts'

/** The node makes its blocks itself: a list of accesses that is too long for the gas limit is not refused. */
const SKIPPED = /BLOCK_ACCESS_LIST_GAS_LIMIT_EXCEEDED/

describe('blockchain tests', () => {
  test.each(vectorFiles('BlockchainTests'))(
    '%s',
    (file) => {
      const tests = readVectorFile<BlockchainTest>(file).filter(
        ([, { blocks }]) => !blocks.some(({ expectException = '' }) => SKIPPED.test(expectException)),
      )
      const known = tests.flatMap(([name, one]) => {
        const fork = rulesOfFork(one.network)
        return fork === undefined ? [] : [[name, blockchainFault(one, fork)] as const]
      })
      expect(known.length).toBeGreaterThan(0)
      expect(known.filter(([, fault]) => fault !== undefined)).toEqual([])
    },
    600_000,
  )
})
