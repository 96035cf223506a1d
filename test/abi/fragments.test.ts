import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { encodeErrorResult, getAddress, parseAbi, toFunctionSelector } from 'viem'
import { errorText, errorsOf } from '../../lib/abi/fragments.ts'
import { cpuMs } from '../support/cpu-time.ts'

/** The text of an error that another library encoded. */
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
    [['error E(string, string[])'], ['\0a', ['\0\0']], 'E("\0a", ["\0\0"])'],
    [
      ['error E(uint48, int40, uint56)'],
      [2 ** 48 - 1, -7, 2n ** 56n - 1n],
      `E(${2 ** 48 - 1}, -7, ${2n ** 56n - 1n})`,
    ],
    [['error E(P)', 'struct P { uint8 length; string name; }'], [{ length: 3, name: 'n' }], 'E((3, "n"))'],
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

test('a function is shown as its address and selector', () => {
  const [error] = errorsOf([{ type: 'error', name: 'E', inputs: [{ type: 'function' }] }])
  expect(error!.selector).toBe(toFunctionSelector('E(function)'))
  const text = errorText(error!, `${error!.selector}${'12'.repeat(24).padEnd(64, '0')}`)
  expect(text).toBe(`E(0x${'12'.repeat(24)})`)
})

test('any data has a text or undefined', () => {
  const [error] = errorsOf(
    parseAbi(['error E(P[2] p, string[][] s, bytes b)', 'struct P { bytes x; uint8[] y; }']),
  )
  // Words that are mostly small: offsets and lengths that lead somewhere.
  const words = fc.array(fc.oneof({ weight: 9, arbitrary: fc.nat(40) }, fc.maxSafeNat()), { maxLength: 60 })
  fc.assert(
    fc.property(words, fc.nat(31), (values, cut) => {
      const body = values.map((value) => value.toString(16).padStart(64, '0')).join('')
      const text = errorText(error!, `${error!.selector}${body.slice(0, body.length - 2 * cut)}`)
      expect(text ?? 'E(').toMatch(/^E\(/)
    }),
  )
})

describe('invalid error entries', () => {
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
  ])('is ignored: %s', (_case, abi) => {
    expect(errorsOf(abi)).toEqual([])
  })
})

describe('hostile data', () => {
  const [lists] = errorsOf(parseAbi(['error E(string[][][] lists)']))
  const word = (value: number) => value.toString(16).padStart(64, '0')

  test('that points to the same place a million times has no text', () => {
    // A list of a hundred items, each of which points to the data after the list.
    const level = `${word(100)}${word(100 * 32).repeat(100)}`
    const start = cpuMs()
    const data = `${lists!.selector}${word(32)}${level.repeat(3)}${word(0)}`
    expect(errorText(lists!, data)).toBeUndefined()
    expect(cpuMs() - start).toBeLessThan(5000)
  })

  test.each(['', '00', word(32), `${word(32)}${'ff'.repeat(32)}`])(
    'that is too short has no text: %s',
    (rest) => {
      expect(errorText(lists!, `${lists!.selector}${rest}`)).toBeUndefined()
    },
  )

  test('with a list of offsets to the same long bytes has no text, and does not fill the memory', () => {
    const [blobs] = errorsOf(parseAbi(['error E(bytes[] blobs)']))
    const [count, length] = [2000, 200_000]
    const items = `${word(count)}${word(count * 32).repeat(count)}`
    const data = `${blobs!.selector}${word(32)}${items}${word(length)}${'ab'.repeat(length)}`
    const start = cpuMs()
    expect(errorText(blobs!, data)).toBeUndefined()
    expect(cpuMs() - start).toBeLessThan(5000)
  })

  test('whose offsets point back to themselves has no text', () => {
    const start = cpuMs()
    expect(errorText(lists!, `${lists!.selector}${word(0).repeat(100)}`)).toBe('E([])')
    expect(errorText(lists!, `${lists!.selector}${word(32)}${word(5)}${word(0).repeat(3)}`)).toBeUndefined()
    expect(errorText(lists!, `${lists!.selector}${word(32).repeat(40_000)}`)).toBeUndefined()
    expect(cpuMs() - start).toBeLessThan(5000)
  })

  test('of a megabyte that is honest is decoded in seconds', () => {
    const [numbers] = errorsOf(parseAbi(['error E(uint256[] numbers, address[] owners)']))
    const count = 9000
    const list = `${word(count)}${word(7).repeat(count)}`
    const data = `${numbers!.selector}${word(64)}${word(64 + 32 * (count + 1))}${list}${list}`
    const start = cpuMs()
    expect(errorText(numbers!, data)).toMatch(
      /^E\(\[7, 7, .*, 0x0000000000000000000000000000000000000007\]\)$/,
    )
    expect(cpuMs() - start).toBeLessThan(40_000)
  })

  test('of more than half a megabyte has no text', () => {
    const [text] = errorsOf(parseAbi(['error E(string text)']))
    const encode = (length: number) =>
      `${text!.selector}${word(32)}${word(length)}${'61'.repeat(length)}${'0'.repeat(64)}`
    expect(errorText(text!, encode(600_000))).toHaveLength(600_005)
    expect(errorText(text!, encode(640_000))).toBeUndefined()
  })

  test('of a list of nothing has an end', () => {
    const inputs = [{ type: 'tuple[99999999999]', components: [] }]
    const [endless] = errorsOf([{ type: 'error', name: 'E', inputs }])
    expect(errorText(endless!, endless!.selector)).toBeUndefined()
    expect(errorText(endless!, `${endless!.selector}${word(0)}`)).toBeUndefined()
  })
})

test('as Hardhat writes it: addresses and bytes in quotation marks, tuples in square brackets', () => {
  // Hardhat 2.29 prints this of these arguments.
  const abi = parseAbi([
    'error Bad(address, bytes, uint8[], bool, P, bytes4)',
    'struct P { address who; int8 n; }',
  ])
  const [error] = errorsOf(abi)
  const args = [ADDRESS, '0x0102', [0, 5], true, { who: ADDRESS, n: -3 }, '0x01020304'] as const
  expect(errorText(error!, encodeErrorResult({ abi, args }), true)).toBe(
    `Bad("${ADDRESS}", "0x0102", [0, 5], true, ["${ADDRESS}", -3], "0x01020304")`,
  )
})
