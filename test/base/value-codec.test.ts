import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { ValueCodec } from '../../lib/base/value-codec.ts'

/** Bytes with runs of zeros. */
const sparseBytes = fc
  .array(fc.tuple(fc.nat(40), fc.uint8Array({ maxLength: 5 })), { maxLength: 5 })
  .map((runs) => Uint8Array.from(runs.flatMap(([zeros, bytes]) => [...new Uint8Array(zeros), ...bytes])))

/** Values of every kind, those with runs of zeros and with texts like hex among them. */
const anyValue = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<unknown>(undefined, null, true, false, '0x', '0x0A', '0x0', '0xabc', ''),
    fc.double(),
    fc.integer(),
    fc.maxSafeInteger(),
    fc.bigInt(),
    fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
    fc.string({ unit: 'binary' }),
    sparseBytes.map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`),
    sparseBytes,
    fc.uint8Array({ maxLength: 300 }),
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'hash', 'number'), tie('value'), { noNullPrototype: true }),
  ),
}))

describe('encoded values', () => {
  test('are equal after they are decoded', () => {
    const codec = new ValueCodec()
    fc.assert(
      fc.property(anyValue.value, (value) => {
        expect(codec.decode(codec.encode(value))).toStrictEqual(value)
      }),
      { numRuns: 1000 },
    )
  })

  test('have one character per byte', () => {
    const text = new ValueCodec().encode([255, 2n ** 255n, '\u{1f600}', new Uint8Array([255, 128])])
    expect(Buffer.from(text, 'latin1').toString('latin1')).toBe(text)
  })

  test('take two bytes for a constant, for a text that the reader knows, and for a text that occurs again', () => {
    const [constant, known, repeated] = ['1', '2', '3'].map((digit) => `0x${digit.repeat(64)}`)
    const value = [constant, known, repeated, repeated, constant]
    const codec = new ValueCodec([constant])
    const text = codec.encode(value, [known!])
    expect(text).toHaveLength(2 + 2 + 2 + 34 + 2 + 2)
    expect(codec.decode(text, [known!])).toStrictEqual(value)
  })

  test('decode a constant as the same object', () => {
    const zeros = new Uint8Array(256)
    const codec = new ValueCodec([zeros])
    expect(codec.decode(codec.encode({ zeros }))).toStrictEqual({ zeros })
    expect((codec.decode(codec.encode([zeros])) as unknown[])[0]).toBe(zeros)
  })

  test('take few bytes for zeros', () => {
    const bloom = new Uint8Array(256)
    bloom[100] = 1
    expect(new ValueCodec().encode(bloom).length).toBeLessThan(12)
    expect(new ValueCodec().encode(`0x${'00'.repeat(31)}07`).length).toBeLessThan(8)
  })

  test('are decoded from an index on', () => {
    const codec = new ValueCodec()
    expect(codec.decode(`ab${codec.encode('text')}`, [], 2)).toBe('text')
  })
})
