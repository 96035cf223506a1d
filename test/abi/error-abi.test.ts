import { describe, expect, test } from '@jest/globals'
import { encodeErrorResult, getAddress, parseAbi } from 'viem'
import { errorText, errorsOf } from '../../lib/abi/error-abi.ts'

/** The text of an error that another encoder made. */
function textOf(declaration: readonly string[], args: readonly unknown[]): string | undefined {
  const abi = parseAbi(declaration) as never
  const [error] = errorsOf(abi)
  return errorText(error!, encodeErrorResult({ abi, args } as never))
}

const ADDRESS = getAddress(`0x${'ab'.repeat(20)}`)

describe('arguments', () => {
  test.each<readonly [readonly string[], readonly unknown[], string]>([
    [['error Empty()'], [], 'Empty()'],
    [['error E(uint8, int128, bool)'], [5, -6n, true], 'E(5, -6, true)'],
    [['error E(address, bytes4, bytes)'], [ADDRESS, '0x01020304', '0xc0'], `E(${ADDRESS}, 0x01020304, 0xc0)`],
    [['error E(string)'], ['say "no"'], 'E("say "no"")'],
    [['error E(uint256[])'], [[1n, 2n]], 'E([1, 2])'],
    [['error E(string[2][])'], [[['a', 'b']]], 'E([["a", "b"]])'],
    [
      ['error E(uint8[2][3], bool)'],
      [
        [
          [1, 2],
          [3, 4],
          [5, 6],
        ],
        true,
      ],
      'E([[1, 2], [3, 4], [5, 6]], true)',
    ],
    [
      ['error E(P p, P[] rest)', 'struct P { uint256 x; Q q; }', 'struct Q { string name; bool[1] flags; }'],
      [{ x: 1n, q: { name: 'n', flags: [true] } }, [{ x: 2n, q: { name: 'm', flags: [false] } }]],
      'E((1, ("n", [true])), [(2, ("m", [false]))])',
    ],
  ])('%j', (declaration, args, text) => {
    expect(textOf(declaration, args)).toBe(text)
  })
})

describe('what is no error', () => {
  const error = { type: 'error', name: 'E', inputs: [] }
  test.each<readonly [string, unknown]>([
    ['no list', { type: 'error' }],
    ['a function', [{ ...error, type: 'function' }]],
    ['no name', [{ ...error, name: 5 }]],
    ['no inputs', [{ type: 'error', name: 'E' }]],
    ['an unknown type', [{ ...error, inputs: [{ type: 'uint7' }] }]],
    ['a broken type', [{ ...error, inputs: [{ type: 'uint256[' }] }]],
    ['a tuple of nothing known', [{ ...error, inputs: [{ type: 'tuple' }] }]],
    ['null', [null]],
  ])('is passed over: %s', (_case, abi) => {
    expect(errorsOf(abi)).toEqual([])
  })
})

describe('hostile data', () => {
  const [lists] = errorsOf(parseAbi(['error E(string[][][] lists)']))
  const word = (value: number) => value.toString(16).padStart(64, '0')

  test('that points to the same place a million times has no text', () => {
    // A list of a hundred items, each of which is what follows the list.
    const level = `${word(100)}${word(100 * 32).repeat(100)}`
    const start = Date.now()
    const data = `${lists!.selector}${word(32)}${level.repeat(3)}${word(0)}`
    expect(errorText(lists!, data)).toBeUndefined()
    expect(Date.now() - start).toBeLessThan(1000)
  })

  test.each(['', '00', word(32), `${word(32)}${'ff'.repeat(32)}`])(
    'that is too short has no text: %s',
    (rest) => {
      expect(errorText(lists!, `${lists!.selector}${rest}`)).toBeUndefined()
    },
  )

  test('of a list of nothing has an end', () => {
    const inputs = [{ type: 'tuple[99999999999]', components: [] }]
    const [endless] = errorsOf([{ type: 'error', name: 'E', inputs }])
    expect(errorText(endless!, endless!.selector)).toBeUndefined()
  })
})
