/** The grammar of expressions. */

import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { parseExpression, type Expression } from '../../../../lib/modules/debug/expressions/evaluate.ts'

/** An expression with parentheses around every operation. */
function grouped(expression: Expression): string {
  switch (expression.kind) {
    case 'literal':
      return expression.value.text
    case 'name':
      return expression.name
    case 'member':
      return `${grouped(expression.object)}.${expression.name}`
    case 'index':
      return `${grouped(expression.object)}[${grouped(expression.key)}]`
    case 'call':
      return `${grouped(expression.called)}(${expression.args.map(grouped).join(', ')})`
    case 'list':
      return `[${expression.items.map(grouped).join(', ')}]`
    case 'unary':
      return `(${expression.operator}${grouped(expression.operand)})`
    case 'binary':
      return `(${grouped(expression.left)} ${expression.operator} ${grouped(expression.right)})`
    case 'choice':
      return `(${[expression.condition, expression.yes, expression.no].map(grouped).join(' ? ')})`
  }
}

describe('operators bind as in Solidity', () => {
  test.each([
    ['a + b * c ** d ** e', '(a + (b * (c ** (d ** e))))'],
    ['-a ** 2', '((-a) ** 2)'],
    ['a - b - c', '((a - b) - c)'],
    ['a & b == c | d', '((a & b) == (c | d))'],
    ['a << 2 + 1 & b', '((a << (2 + 1)) & b)'],
    ['a || b && !c == d < e', '(a || (b && ((!c) == (d < e))))'],
    ['a ? b : c ? d : e', '(a ? b ? (c ? d ? e))'],
    ['~a.b[c + 1].d(e, f)[0]', '(~a.b[(c + 1)].d(e, f)[0])'],
    ['(a + b)*c', '((a + b) * c)'],
    ['a>=b', '(a >= b)'],
    ['a - -b', '(a - (-b))'],
    ['f()', 'f()'],
  ])('%s', (text, expected) => {
    expect(grouped(parseExpression(text))).toBe(expected)
  })
})

describe('literals', () => {
  test.each([
    ['1_000', '1000'],
    ['0xff', '255'],
    ['1 ether', '1000000000000000000'],
    ['0.5 ether', '500000000000000000'],
    ['1.5e3', '1500'],
    ['2 days', '172800'],
    ['3 gwei', '3000000000'],
    [`0x${'Ab'.repeat(20)}`, `0x${'ab'.repeat(20)}`],
    ['"a\\"b\\n"', '"a\\"b\\n"'],
    [`'it is "x", isn\\'t it'`, '"it is \\"x\\", isn\'t it"'],
    ['unicode"grüße"', '"grüße"'],
    ['hex"00_ff"', '0x00ff'],
    ['true', 'true'],
  ])('%s', (text, expected) => {
    expect(grouped(parseExpression(text))).toBe(expected)
  })
})

describe('a refusal names the position', () => {
  test.each([
    ['', 'unexpected end at position 1'],
    ['a +', 'unexpected end at position 4'],
    ['a + )', 'unexpected ")" at position 5'],
    ['a b', 'unexpected "b" at position 3'],
    ['a[1', 'unexpected end at position 4'],
    ['a = 1', 'unexpected "=" at position 3'],
    ['a.1', 'unexpected "1" at position 3'],
    ['x # y', 'unexpected "#" at position 3'],
    ['0.5', 'unexpected "0.5" at position 1'],
    ['1e999', 'unexpected "1e999" at position 1'],
    ['0x', 'unexpected "x" at position 2'],
    ['"a', 'unexpected """ at position 1'],
    ['"\\q"', 'unexpected ""\\q"" at position 1'],
    ['hex"0"', 'unexpected "hex"0"" at position 1'],
    ['1(', 'unexpected end at position 3'],
  ])('%s', (text, message) => {
    expect(() => parseExpression(text)).toThrow(
      expect.objectContaining({ kind: 'invalidParams', message: expect.stringContaining(message) }),
    )
  })

  test('whatever the text is', () => {
    const piece = fc.constantFrom(
      'a',
      '1',
      '"x"',
      '(',
      ')',
      '[',
      ']',
      '.',
      ',',
      '+',
      '-',
      '**',
      '?',
      ':',
      ' ',
      '0x',
      '!',
      '\\',
      '"',
      'ether',
    )
    const text = fc.oneof(
      fc.string(),
      fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join('')),
    )
    fc.assert(
      fc.property(text, (one) => {
        try {
          parseExpression(one)
        } catch (error) {
          expect(error).toMatchObject({ kind: 'invalidParams' })
        }
      }),
      { numRuns: 1000 },
    )
  })
})
