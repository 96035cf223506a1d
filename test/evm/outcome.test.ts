import { Bloom } from '@ethereumjs/vm'
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { asAddress, asHash, fromHex, toHex } from '../../lib/base/hex.ts'
import { bloomOf } from '../../lib/evm/outcome.ts'

const hexOf = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((value) => toHex(value))
const log = fc.record({
  address: hexOf(20).map(asAddress),
  topics: fc.array(hexOf(32).map(asHash), { maxLength: 4 }),
  data: fc.constant(new Uint8Array(0)),
})

test('the bloom of any logs is the one the library makes', () => {
  fc.assert(
    fc.property(fc.array(log, { maxLength: 5 }), (logs) => {
      const expected = new Bloom()
      for (const { address, topics } of logs) {
        for (const entry of [address, ...topics]) expected.add(fromHex(entry))
      }
      expect(toHex(bloomOf(logs))).toBe(toHex(expected.bitvector))
    }),
  )
})
