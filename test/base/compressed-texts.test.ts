import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { CompressibleText } from '../../lib/base/compressed-texts.ts'

const anyText = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes).toString('latin1'))

test('texts are equal after they are compressed together', () => {
  fc.assert(
    fc.property(fc.array(anyText, { maxLength: 70 }), (texts) => {
      const all = texts.map((text) => new CompressibleText(text))
      CompressibleText.compress(all)
      expect(all.map(({ text }) => text)).toEqual(texts)
      expect(all.every(({ isCompressed }) => isCompressed)).toBe(true)
    }),
  )
})

test('similar texts take a fraction of their length', () => {
  const texts = Array.from({ length: 64 }, (_, number) => `${'the same beginning '.repeat(10)}${number}`)
  const all = texts.map((text) => new CompressibleText(text))
  const before = all.reduce((sum, { size }) => sum + size, 0)
  CompressibleText.compress(all)
  expect(all.reduce((sum, { size }) => sum + size, 0)).toBeLessThan(before / 10)
})

test('a text that is compressed already stays with those that it was compressed with', () => {
  const [first, second] = [new CompressibleText('one'), new CompressibleText('two')]
  CompressibleText.compress([first])
  const { size } = first
  CompressibleText.compress([first, second])
  expect([first.text, second.text, first.size]).toEqual(['one', 'two', size])
})
