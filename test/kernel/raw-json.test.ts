import { expect, test } from '@jest/globals'
import { resultText } from '../../lib/rpc/envelope.ts'
import { RawJson, rawArray } from '../../lib/kernel/raw-json.ts'

test('raw text is sent unchanged', () => {
  expect(resultText(1, new RawJson('{"a": 1}'))).toBe('{"jsonrpc":"2.0","id":1,"result":{"a": 1}}')
})

test('raw texts become an array', () => {
  expect([rawArray([]).text, rawArray(['1', '"two"']).text]).toEqual(['[]', '[1,"two"]'])
})

test('raw text inside an object is serialized as its value', () => {
  expect(JSON.parse(JSON.stringify({ result: rawArray(['{"a":1}']) }))).toEqual({ result: [{ a: 1 }] })
})
