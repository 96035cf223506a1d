/** The generated parts of the documents are current. */

import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { format } from 'prettier'
import { PEERS_FILE, TYPES_FILE, renewed, renewedPeers, renewedTypes } from '../scripts/docs.ts'

test.each([
  ['README.md', renewed],
  [PEERS_FILE, renewedPeers],
])('%s has the tables that `npm run docs` writes', async (file, renew) => {
  const document = readFileSync(file, 'utf8')
  const options = { parser: 'markdown', semi: false, singleQuote: true, printWidth: 110 }
  expect(await format(renew(document), options)).toBe(await format(document, options))
})

test('the types of params and results are those that `npm run docs` writes', async () => {
  expect(readFileSync(TYPES_FILE, 'utf8')).toBe(await renewedTypes())
})
