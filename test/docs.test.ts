/** The generated parts of the documents are current. */

import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { format } from 'prettier'
import { TYPES_FILE, renewed, renewedTypes } from '../scripts/docs.ts'

test('README.md has the tables that `npm run docs` writes', async () => {
  const readme = readFileSync('README.md', 'utf8')
  const options = { parser: 'markdown', semi: false, singleQuote: true, printWidth: 110 }
  expect(await format(renewed(readme), options)).toBe(await format(readme, options))
})

test('the types of params and results are those that `npm run docs` writes', async () => {
  expect(readFileSync(TYPES_FILE, 'utf8')).toBe(await renewedTypes())
})
