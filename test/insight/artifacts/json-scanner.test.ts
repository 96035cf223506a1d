import { describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { JsonScanner } from '../../../lib/insight/artifacts/json-scanner.ts'
import type { JsonPattern, JsonPlace } from '../../../lib/insight/artifacts/json-scanner.ts'

/** Whether this V8 reads the key `"` as a backslash after an object with that one, as 13.6 does (docs/runtimes.md). */
const CONFUSES_KEYS = [String.raw`{"b":0,"\\":0}`, String.raw`{"b":0,"\"":0}`].some((text) => {
  const [, name = ''] = Object.keys(JSON.parse(text) as object)
  return JSON.stringify({ b: 0, [name]: 0 }) !== text
})

/** Scans a text in chunks of some bytes, which are read into the same memory. */
function scan(text: string, pattern: JsonPattern, chunkBytes = 7): JsonPlace {
  const bytes = Buffer.from(text)
  const scanner = new JsonScanner(pattern)
  const chunk = Buffer.alloc(chunkBytes)
  for (let at = 0; at < bytes.length; at += chunkBytes)
    scanner.write(chunk.subarray(0, bytes.copy(chunk, 0, at, at + chunkBytes)))
  return scanner.end()
}

/** The parsed values at the found places. */
function valuesIn(text: string, { start, end, members }: JsonPlace): unknown {
  if (members === undefined) return JSON.parse(Buffer.from(text).subarray(start, end).toString())
  return Object.fromEntries([...members].map(([name, place]) => [name, valuesIn(text, place)]))
}

/** What remains of a value when only the parts that a pattern names are kept. */
function selected(value: unknown, pattern: JsonPattern | true): unknown {
  if (pattern === true || typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const kept = Object.entries(value).flatMap(([name, member]) => {
    const wanted = Object.hasOwn(pattern, name) ? pattern[name] : pattern['*']
    return wanted === undefined ? [] : [[name, selected(member, wanted)] as const]
  })
  return Object.fromEntries(kept)
}

describe('places of values', () => {
  test('are those of the members that the pattern names', () => {
    const text = '{ "a": {"b": [1, {"}": "\\"]"}], "c": 2}, "d" : "x", "e\\u0066": null }'
    const place = scan(text, { a: { b: true }, ef: true })
    expect(valuesIn(text, place)).toEqual({ a: { b: [1, { '}': '"]' }] }, ef: null })
  })

  test('do not depend on the chunks, for any value and any layout', () => {
    const pattern: JsonPattern = { a: { '*': { b: true } }, '\\': true, '*': { a: true, b: { a: true } } }
    const name = fc.oneof(fc.constantFrom('a', 'b', '\\', '"', 'toString'), fc.string({ unit: 'binary' }))
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'medium' },
        fc.jsonValue(),
        // Long strings are searched in another way.
        fc.string({ unit: fc.constantFrom('"', '\\', 'a', 'b'.repeat(9)), size: '+1' }),
        fc.array(tie('value'), { maxLength: 3 }),
        fc
          .array(fc.tuple(name, tie('value')), { maxLength: 4 })
          .map((entries) => Object.fromEntries(entries)),
      ),
    }))
    fc.assert(
      fc.property(value, fc.integer({ min: 1, max: 300 }), fc.nat(2), (content, chunkBytes, indent) => {
        const text = JSON.stringify(content, undefined, indent)
        fc.pre(!CONFUSES_KEYS || !text.includes(String.raw`"\"":`))
        const expected = selected(JSON.parse(text), pattern)
        expect(valuesIn(text, scan(text, pattern, chunkBytes))).toEqual(expected)
      }),
      { numRuns: 2000 },
    )
  })
})

describe('a text that is not JSON', () => {
  test.each([
    ['an empty file', '', 'it is empty'],
    ['a file that ends too early', '{"abi": [{"type"', 'it ends after 16 bytes in the middle of a value'],
    ['marks of a merge', '<<<<<<< HEAD\n{}', 'it has "<" at byte 0, which is not JSON'],
    ['a missing colon', '{"abi" []}', 'it has "[" at byte 7, which is not JSON'],
    ['text after the end', '{} {}', 'it has "{" at byte 3, which is not JSON'],
  ])('is refused: %s', (_case, text, message) => {
    expect(() => scan(text, { abi: true })).toThrow(
      expect.objectContaining({ name: 'JsonSyntaxError', message }),
    )
  })
})
