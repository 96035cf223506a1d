/** The colours of reports in a terminal. */

import { expect, test } from '@jest/globals'
import { Chalk } from 'chalk'
import { paintedReports } from '../../lib/cli/io.ts'

const TABLE = `-----------|---------|-------------------
File       | % Stmts | Uncovered Line #s 
 A.sol     |     100 | 
 B.sol     |    62.5 | 15-16
 C.sol     |      12 | 3-9`

test('a row of coverage is green, yellow or red; other lines of reports have no colour', () => {
  const gas = '| increment(uint256) |     2 |'
  const [rule, head, ...rows] = paintedReports(`${TABLE}\n${gas}`, new Chalk({ level: 1 })).split('\n')
  expect([rule, head, rows.at(-1)]).toEqual([...TABLE.split('\n').slice(0, 2), gas])
  expect(rows.slice(0, -1).map((row) => row.slice(0, 5))).toEqual(['\u001b[32m', '\u001b[33m', '\u001b[31m'])
})

test('without colours the text stays', () => {
  expect(paintedReports(TABLE, new Chalk({ level: 0 }))).toBe(TABLE)
})
