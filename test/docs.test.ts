/** The generated parts of the documents are current. */

import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { format } from 'oxfmt'
import { GENERATED, renewed } from '../scripts/docs.ts'
import { NOT_COVERED, OUTSIDE } from '../scripts/eip-facts.ts'
import { llmsText } from '../scripts/llms-text.ts'
import { ACCOUNTED, testsByEip } from '../scripts/eip-tests.ts'

test.each(Object.keys(GENERATED))('%s has the table that `npm run docs` writes', async (file) => {
  const formatted = async (text: string) =>
    (await format(file, text, { semi: false, singleQuote: true, printWidth: 110 })).code
  expect(await formatted(renewed(file))).toBe(await formatted(readFileSync(file, 'utf8')))
})

test('llms.txt is what `npm run docs` writes', () => {
  expect(readFileSync('llms.txt', 'utf8')).toBe(llmsText())
})

test('a test covers the EIPs that its titles name; comments do not count', () => {
  const text =
    "// EIP-1\n/** EIP-2 */\ntest('EIP-7002, 7251 and 6110 make requests')\ntest('EIP-7623: 10 a token')"
  expect([...testsByEip(new Map([['one', text]]))].map(([eip]) => eip)).toEqual([7002, 7251, 6110, 7623])
})

test('an EIP has either tests or a reason why it has no effect', () => {
  const outside = OUTSIDE.flatMap(([, eips]) => eips)
  const notCovered = Object.keys(NOT_COVERED).map(Number)
  const all = [...ACCOUNTED.map(({ eip }) => eip), ...notCovered, ...outside]
  expect(new Set(all).size).toBe(all.length)
})
