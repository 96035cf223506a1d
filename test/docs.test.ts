/** The generated parts of the documents are current. */

import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { format } from 'prettier'
import { GENERATED, TYPES_FILE, renewed, renewedTypes } from '../scripts/docs.ts'

test.each(Object.keys(GENERATED))('%s has the table that `npm run docs` writes', async (file) => {
  const options = { parser: 'markdown', semi: false, singleQuote: true, printWidth: 110 }
  expect(await format(renewed(file), options)).toBe(await format(readFileSync(file, 'utf8'), options))
})

test('the types of params and results are those that `npm run docs` writes', async () => {
  expect(readFileSync(TYPES_FILE, 'utf8')).toBe(await renewedTypes())
})
