/** The TransactionTests of the Ethereum Foundation; results of hard forks without rules here are left out. */

import { expect, test } from '@jest/globals'
import { expectedOf, runTransactionTest } from './transaction-tests.ts'
import type { TransactionTest } from './transaction-tests.ts'
import { rulesOfFork } from './vector-forks.ts'
import { readVectorFile, vectorFiles } from '../support/vectors.ts'

test.each(vectorFiles('TransactionTests'))('%s', (file) => {
  const expected: unknown[] = []
  const results: unknown[] = []
  for (const [name, transactionTest] of readVectorFile<TransactionTest>(file)) {
    for (const [forkName, result] of Object.entries(transactionTest.result)) {
      const fork = rulesOfFork(forkName)
      if (fork === undefined) continue
      const id = `${name} ${forkName}`
      expected.push({ id, ...expectedOf(result) })
      results.push({ id, ...runTransactionTest(transactionTest, result, fork) })
    }
  }
  expect(results).toEqual(expected)
})
