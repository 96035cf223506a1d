import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { bigIntToBytes, fromHex, toHex } from '../../lib/base/hex.ts'
import type { RlpInput } from '../../lib/base/rlp.ts'
import { RlpError, decodeRlp, encodeRlp } from '../../lib/base/rlp.ts'
import { readVectors } from '../support/vectors.ts'

const unprefixed = (hex: string) => fromHex(hex.startsWith('0x') ? hex : `0x${hex}`)

/** A value as the vectors write it: text, number, `#` and a decimal number, or a list. */
function inputOf(value: unknown): RlpInput {
  if (Array.isArray(value)) return value.map(inputOf)
  if (typeof value === 'number') return bigIntToBytes(BigInt(value))
  const text = String(value)
  return text.startsWith('#') ? bigIntToBytes(BigInt(text.slice(1))) : new Uint8Array(Buffer.from(text))
}

const { item } = fc.letrec<{ item: RlpInput }>((tie) => ({
  item: fc.oneof(
    { maxDepth: 5 },
    fc.uint8Array({ maxLength: 80 }),
    fc.uint8Array({ minLength: 1, maxLength: 1 }),
    fc.array(tie('item'), { maxLength: 8 }),
  ),
}))

describe('encodeRlp', () => {
  test.each(readVectors('RLPTests/rlptest.json'))('gives the bytes of vector %s', (_name, vector) => {
    expect(toHex(encodeRlp(inputOf(vector.in)))).toBe(vector.out)
  })
})

describe('decodeRlp', () => {
  test.each([
    ...readVectors('RLPTests/rlptest.json'),
    ...readVectors('RLPTests/RandomRLPTests/example.json'),
  ])('reads vector %s', (_name, vector) => {
    expect(toHex(encodeRlp(decodeRlp(fromHex(vector.out))))).toBe(vector.out)
  })

  test.each(readVectors('RLPTests/invalidRLPTest.json'))('refuses vector %s', (_name, vector) => {
    expect(() => decodeRlp(unprefixed(vector.out))).toThrow(RlpError)
  })

  test('decodes to the encoded value', () => {
    fc.assert(fc.property(item, (input) => expect(decodeRlp(encodeRlp(input))).toEqual(input)))
  })

  test('reads only what encodeRlp writes', () => {
    const near = fc.tuple(item, fc.nat(), fc.nat(255)).map(([input, at, byte]) => {
      const bytes = encodeRlp(input)
      bytes[at % bytes.length] = byte
      return bytes
    })
    fc.assert(
      fc.property(fc.oneof(near, fc.uint8Array({ maxLength: 20 })), (bytes) => {
        let decoded: RlpInput
        try {
          decoded = decodeRlp(bytes)
        } catch (error) {
          expect(error).toBeInstanceOf(RlpError)
          return
        }
        expect(toHex(encodeRlp(decoded))).toBe(toHex(bytes))
      }),
      { numRuns: 2000 },
    )
  })

  test.each([
    ['no bytes', '0x', 'input ends at byte 0 where more is expected'],
    ['a byte too many', '0xc0c0', '1 bytes follow the item at byte 1'],
    ['a missing byte', '0xc2820102', 'length 2 at byte 1 exceeds the 1 bytes that are left'],
    ['a needless prefix', '0xc28101', 'single byte with a needless prefix at byte 1'],
    ['a needless long form', '0xc3b80105', 'length 1 in long form at byte 1'],
    ['the longest that needs no long form', `0xb837${'11'.repeat(55)}`, 'length 55 in long form at byte 0'],
    ['a leading zero', '0xb90001', 'length with a leading zero at byte 0'],
  ])('names the position of the fault: %s', (_case, hex, message) => {
    expect(() => decodeRlp(fromHex(hex))).toThrow(message)
  })

  test('refuses lists nested too deep for the stack', () => {
    let bytes = encodeRlp([])
    for (let depth = 0; depth < 300; depth++) bytes = encodeRlp([decodeRaw(bytes)])
    expect(() => decodeRlp(bytes)).toThrow('more than 256 nested lists')
  })

  test('gives plain byte arrays when the input is a Buffer', () => {
    const [first] = decodeRlp(Buffer.from('c3820102', 'hex')) as Uint8Array[]
    expect(Buffer.isBuffer(first)).toBe(false)
  })
})

/** The lists inside the encoding, read without a bound. */
function decodeRaw(bytes: Uint8Array): RlpInput {
  let nested: RlpInput = []
  for (let rest = bytes; rest.length > 1;) {
    const prefix = rest[0]! <= 0xf7 ? 1 : 1 + rest[0]! - 0xf7
    rest = rest.subarray(prefix)
    nested = [nested]
  }
  return nested
}
