import { expect, test } from '@jest/globals'
import { resultText } from '../../lib/rpc/envelope.ts'
import { RawJson, rawArray } from '../../lib/rpc/raw-json.ts'

test('text is sent as it is', () => {
  expect(resultText(1, new RawJson('{"a": 1}'))).toBe('{"jsonrpc":"2.0","id":1,"result":{"a": 1}}')
})

test('texts become an array', () => {
  expect([rawArray([]).text, rawArray(['1', '"two"']).text]).toEqual(['[]', '[1,"two"]'])
})

test('text is its value to whoever makes JSON of what it is in', () => {
  expect(JSON.parse(JSON.stringify({ result: rawArray(['{"a":1}']) }))).toEqual({ result: [{ a: 1 }] })
})
