/** The generated parts of the documents are current. */

import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { format } from 'prettier'
import { renewed } from '../scripts/docs.ts'

test('README.md has the tables that `npm run docs` writes', async () => {
  const readme = readFileSync('README.md', 'utf8')
  const options = { parser: 'markdown', semi: false, singleQuote: true, printWidth: 110 }
  expect(await format(renewed(readme), options)).toBe(await format(readme, options))
})
