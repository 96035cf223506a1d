import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { JsonValues } from '../../lib/server/ipc.ts'

/** The values of a text that comes in chunks of a length. */
function valuesOf(text: string, chunkLength: number): string[] {
  const values = new JsonValues()
  const bytes = Buffer.from(text)
  const found: string[] = []
  for (let start = 0; start < bytes.length; start += chunkLength) {
    found.push(...values.take(bytes.subarray(start, start + chunkLength)))
  }
  return found
}

describe('JSON values in a stream', () => {
  test('are found however they are separated and cut', () => {
    const value = fc.oneof(fc.object({ withUnicodeString: true } as object), fc.array(fc.jsonValue()))
    const separator = fc.constantFrom('', '\n', ' ', '\r\n\t')
    const written = fc.array(fc.tuple(value, separator, fc.boolean()))
    fc.assert(
      fc.property(written, fc.integer({ min: 1, max: 40 }), (items, chunkLength) => {
        const texts = items.map(([content, , isIndented]) =>
          JSON.stringify(content, undefined, isIndented ? 2 : 0),
        )
        const stream = items.map(([, after], index) => `${texts[index]!}${after}`).join('')
        expect(valuesOf(stream, chunkLength)).toEqual(texts)
      }),
    )
  })

  test.each([
    ['a word', 'hello\n{"a":1}', ['hello', '{"a":1}']],
    ['a bracket too many', '}\n[1]', ['}', '[1]']],
    ['a text without an end', '{"a\n{"b":1}', ['{"a', '{"b":1}']],
  ])('continue after an invalid value: %s', (_case, text, values) => {
    expect(valuesOf(text, 3)).toEqual(values)
  })

  test('have the length of an incomplete value', () => {
    const values = new JsonValues()
    values.take(Buffer.from('{"a":1}{"b"'))
    expect(values.incompleteLength).toBe(4)
    values.take(Buffer.from(':[1'))
    expect(values.incompleteLength).toBe(7)
    values.take(Buffer.from(']}'))
    expect(values.incompleteLength).toBe(0)
  })
})
