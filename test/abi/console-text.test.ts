import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { encodeFunctionData, getAddress, parseAbi } from 'viem'
import { fromHex } from '../../lib/base/hex.ts'
import { consoleText, consoleTexts } from '../../lib/abi/console-text.ts'

const textOf = (data: string): string => consoleText(fromHex(data))

/** The text of a console.log call with these values. */
const logged = (types: string, ...args: readonly unknown[]): string =>
  textOf(
    encodeFunctionData({
      abi: parseAbi([`function log(${types})`] as readonly string[]) as never,
      args,
    } as never),
  )

const ADDRESS = getAddress(`0x${'ab'.repeat(20)}`)

describe('values', () => {
  test.each<readonly [string, readonly unknown[], string]>([
    ['', [], ''],
    ['string', ['plain'], 'plain'],
    ['uint256', [2n ** 256n - 1n], String(2n ** 256n - 1n)],
    ['int256', [-(2n ** 255n)], String(-(2n ** 255n))],
    ['bool', [false], 'false'],
    ['address', [ADDRESS], ADDRESS],
    ['bytes', ['0x'], '0x'],
    ['bytes1', ['0xff'], '0xff'],
    ['bytes32', [`0x${'12'.repeat(32)}`], `0x${'12'.repeat(32)}`],
    ['string, string, string, string', ['a', 'b', 'c', 'd'], 'a b c d'],
    ['address, uint256, bool, string', [ADDRESS, 1n, true, 'x'], `${ADDRESS} 1 true x`],
    ['bytes, int256, string, bytes', ['0x01', -1n, 'x', '0x02'], '0x01 -1 x 0x02'],
  ])('log(%s)', (types, args, text) => {
    expect(logged(types, ...args)).toBe(text)
  })

  // Selector of log(uint), as early libraries call it, with 7.
  test('under the short name of a number', () => {
    expect(textOf(`0xf5b1bba9${'7'.padStart(64, '0')}`)).toBe('7')
  })
})

describe('placeholders', () => {
  test.each<readonly [string, readonly unknown[], string]>([
    ['string, uint256', ['%d apples', 3n], '3 apples'],
    ['string, string, uint256', ['%s has %i', 'Eve', 3n], 'Eve has 3'],
    ['string, uint256', ['%x', 255n], '0xff'],
    ['string, string', ['%x', 'ff'], 'ff'],
    ['string, uint256', ['100%% of', 3n], '100% of 3'],
    ['string', ['100%'], '100%'],
    ['string', ['%d and %%'], '%d and %%'],
    ['string, uint256', ['%d and %d', 3n], '3 and %d'],
    ['string, string, uint256', ['%s', '%d', 3n], '%d 3'],
    ['uint256, string', [3n, '%d'], '3 %d'],
  ])('log(%s) of %p', (types, args, text) => {
    expect(logged(types, ...args)).toBe(text)
  })
})

describe('console calls that cannot be decoded', () => {
  const LOG_STRING = '0x41304fac'
  const word = (value: bigint | number) => value.toString(16).padStart(64, '0')

  test.each([
    ['nothing', '0x'],
    ['half a selector', '0x4130'],
    ['an unknown selector', '0xdeadbeef00'],
    ['no arguments', LOG_STRING],
    ['an offset beyond the end', `${LOG_STRING}${word(2n ** 256n - 1n)}`],
    ['a huge length', `${LOG_STRING}${word(32)}${word(2n ** 255n)}`],
    ['a length beyond the end', `${LOG_STRING}${word(32)}${word(33)}${word(0)}`],
  ])('is shown as it came: %s', (_case, data) => {
    expect(textOf(data)).toBe(`(unknown console call) ${data}`)
  })

  test('is cut short', () => {
    const text = textOf(`0x${'ee'.repeat(100_000)}`)
    expect(text.length).toBeLessThan(600)
    expect(text).toContain('(100000 bytes)')
  })

  test('never throws', () => {
    const selectors = ['41304fac', 'f82c50f1', '51973ec9', '3a9cbe20', '', '0be77f56']
    fc.assert(
      fc.property(fc.constantFrom(...selectors), fc.uint8Array({ maxLength: 300 }), (selector, rest) => {
        expect(typeof textOf(`0x${selector}${Buffer.from(rest).toString('hex')}`)).toBe('string')
      }),
    )
  })

  test('is a string that is not UTF-8, whose valid characters are shown', () => {
    expect(textOf(`${LOG_STRING}${word(32)}${word(3)}${'61ff62'.padEnd(64, '0')}`)).toBe('a\uFFFDb')
  })
})

test('dropped calls are counted', () => {
  expect(consoleTexts({ inputs: [fromHex('0x51973ec9')], omitted: 3 })).toEqual(['', '(3 more not kept)'])
})
