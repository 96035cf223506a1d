import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { cached } from '../../lib/base/once.ts'

test('a cached function returns what the function returns, for arguments in any order', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 4 }), fc.array(fc.integer({ min: 0, max: 6 })), (limit, asked) => {
      const square = cached(limit, (value: number) => [value * value])
      expect(asked.map(square)).toEqual(asked.map((value) => [value * value]))
    }),
  )
})

test('a result is computed again only after the cache was full', () => {
  const computed: string[] = []
  const upperCase = cached(2, (text: string) => {
    computed.push(text)
    return text.toUpperCase()
  })
  for (const text of ['a', 'b', 'a', 'b']) upperCase(text)
  expect(computed).toEqual(['a', 'b'])
  for (const text of ['c', 'c', 'a']) upperCase(text)
  expect(computed).toEqual(['a', 'b', 'c', 'a'])
})
