import { describe, expect, test } from '@jest/globals'
import { SourceLines } from '../../../lib/insight/artifacts/source-unit.ts'

describe('SourceLines', () => {
  const lines = new SourceLines('é = 1;\r\n  ö😀 = 2;\n\nend')

  test.each([
    ['the first byte', 0, 1, 1],
    ['behind a letter of two bytes', 3, 1, 3],
    ['the second line', 9, 2, 1],
    ['behind letters of two and four bytes', 17, 2, 6],
    ['an empty line', 23, 3, 1],
    ['the last line', 25, 4, 2],
    ['the end', 27, 4, 4],
  ])('finds %s', (_case, offset, line, column) => {
    expect(lines.positionOf(offset)).toEqual({ line, column })
  })

  test('a line has no line break', () => {
    expect([1, 2, 3, 4, 5].map((line) => lines.textOf(line))).toEqual(['é = 1;', '  ö😀 = 2;', '', 'end', ''])
  })

  test('an excerpt is counted in bytes', () => {
    expect(lines.excerpt(11, 17)).toBe('ö😀')
  })
})
