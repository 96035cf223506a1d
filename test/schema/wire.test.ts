/** Properties of the schemas of values in requests. */

import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import type * as z from 'zod'
import { toHex, toQuantity } from '../../lib/base/hex.ts'
import {
  address,
  boolean,
  data,
  hash,
  index,
  optional,
  optionalWith,
  quantity,
  quantity64,
  seconds,
  slot,
} from '../../lib/schema/wire.ts'
import { HOSTILE } from '../support/hostile.ts'

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })
const holds = <T>(property: fc.IProperty<T>): void => fc.assert(property, { seed: 33 })

/** Schemas of integers and their largest value. */
const INTEGERS: readonly (readonly [string, z.ZodType, bigint, (parsed: unknown) => bigint])[] = [
  ['quantity', quantity, 2n ** 256n - 1n, (parsed) => parsed as bigint],
  ['quantity64', quantity64, 2n ** 64n - 1n, (parsed) => parsed as bigint],
  ['seconds', seconds, 253_402_300_799n, (parsed) => parsed as bigint],
  ['index', index, 2n ** 31n - 1n, (parsed) => BigInt(parsed as number)],
  ['slot', slot, 2n ** 256n - 1n, (parsed) => BigInt(parsed as string)],
]

describe.each(INTEGERS)('%s', (_, schema, max, valueOf) => {
  const numbers = fc.bigInt({ min: 0n, max })

  test('reads hex of either case with any leading zeros, and decimal text', () => {
    holds(
      fc.property(numbers, fc.integer({ min: 0, max: 10 }), (value, zeros) => {
        const digits = value.toString(16)
        const forms = [
          toQuantity(value),
          `0x${digits.toUpperCase()}`,
          // A slot has no more than 64 digits.
          `0x${digits.padStart(Math.min(digits.length + zeros, 64), '0')}`,
          value.toString(),
        ]
        for (const form of forms) expect(valueOf(schema.parse(form))).toBe(value)
      }),
    )
  })

  test('reads JSON integers', () => {
    const most = max < BigInt(Number.MAX_SAFE_INTEGER) ? Number(max) : Number.MAX_SAFE_INTEGER
    holds(
      fc.property(fc.integer({ min: 0, max: most }), (value) => {
        expect(valueOf(schema.parse(value))).toBe(BigInt(value))
      }),
    )
  })

  test('reads its largest value and refuses the next', () => {
    expect(valueOf(schema.parse(toQuantity(max)))).toBe(max)
    expect(schema.safeParse(toQuantity(max + 1n)).success).toBe(false)
    expect(schema.safeParse((max + 1n).toString()).success).toBe(false)
  })

  test('refuses every text that is not a number, with its own message', () => {
    holds(
      fc.property(fc.string(), (text) => {
        fc.pre(!/^(0x[0-9a-fA-F]+|[0-9]+)$/.test(text))
        const { error } = schema.safeParse(text)
        expect(error!.issues[0]!.message).toMatch(/^expected /)
      }),
    )
  })
})

describe('data', () => {
  test('reads any bytes, in either case', () => {
    holds(
      fc.property(fc.uint8Array(), (given) => {
        expect(data.parse(toHex(given))).toEqual(given)
        expect(data.parse(`0x${toHex(given).slice(2).toUpperCase()}`)).toEqual(given)
      }),
    )
  })

  test('refuses half a byte', () => {
    holds(
      fc.property(fc.uint8Array(), (given) => {
        expect(data.safeParse(`${toHex(given)}0`).success).toBe(false)
      }),
    )
  })
})

describe.each([
  ['address', address, 20],
  ['hash', hash, 32],
])('%s', (_, schema, length) => {
  test('reads either case as lower case, so that it can be a key', () => {
    holds(
      fc.property(bytes(length), (given) => {
        const text = toHex(given)
        expect(schema.parse(text)).toBe(text)
        expect(schema.parse(`0x${text.slice(2).toUpperCase()}`)).toBe(text)
      }),
    )
  })

  test('refuses every other length', () => {
    holds(
      fc.property(fc.uint8Array({ maxLength: 64 }), (given) => {
        fc.pre(given.length !== length)
        expect(schema.safeParse(toHex(given)).success).toBe(false)
      }),
    )
  })

  test('refuses digits without their prefix', () => {
    holds(
      fc.property(bytes(length), (given) => {
        expect(schema.safeParse(toHex(given).slice(2)).success).toBe(false)
      }),
    )
  })
})

test('a slot is 32 bytes however it was written', () => {
  holds(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), (value) => {
      const word = `0x${value.toString(16).padStart(64, '0')}`
      for (const form of [toQuantity(value), word, value.toString()]) expect(slot.parse(form)).toBe(word)
    }),
  )
})

test('a slot of more than 32 bytes is refused, zeros in front included', () => {
  const word = 'f'.padStart(64, '0')
  expect(slot.parse(`0x${word}`)).toBe(`0x${word}`)
  for (const longer of [`0x0${word}`, `0x00${word}`, `0x${word}00`]) {
    expect(slot.safeParse(longer).error!.issues[0]!.message).toBe(
      'expected a storage position of up to 32 bytes',
    )
  }
})

test.each(HOSTILE)('only true and false are booleans: %s', (_, json) => {
  const value: unknown = JSON.parse(json)
  expect(boolean.safeParse(value).success).toBe(typeof value === 'boolean')
})

describe('a param that may be left out', () => {
  test.each([[undefined], [null]])('%s is absent', (value) => {
    expect(optional(quantity).parse(value)).toBeUndefined()
    expect(optionalWith(quantity, '0x7').parse(value)).toBe(7n)
  })

  test('present members are read', () => {
    expect(optional(quantity).parse('0x0')).toBe(0n)
    expect(optionalWith(boolean, true).parse(false)).toBe(false)
  })

  test.each([[''], [false], [{}]])('%j is not absent', (value) => {
    expect(optional(quantity).safeParse(value).success).toBe(false)
    expect(optionalWith(quantity, '0x7').safeParse(value).success).toBe(false)
  })
})
