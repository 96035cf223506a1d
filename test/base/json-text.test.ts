/** JSON that is too long for a text. */

import { constants } from 'node:buffer'
import { expect, test } from '@jest/globals'
import { jsonText } from '../../lib/base/json-text.ts'

test('a value is written as JSON', () => {
  expect(jsonText({ a: [1, undefined], b: undefined })).toBe('{"a":[1,null]}')
})

test('a value whose JSON is longer than a text can be has an error that names the limit', () => {
  // The engine refuses the text before it takes memory for it.
  const long = { toJSON: () => 'x'.repeat(constants.MAX_STRING_LENGTH + 1) }
  expect(() => jsonText([long])).toThrow(
    expect.objectContaining({
      kind: 'limitExceeded',
      message: `response exceeds the limit of ${constants.MAX_STRING_LENGTH} characters`,
    }),
  )
})

test('other errors are thrown on', () => {
  expect(() => jsonText(1n)).toThrow(TypeError)
})
