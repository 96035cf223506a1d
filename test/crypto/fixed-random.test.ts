import { describe, expect, test } from '@jest/globals'
import { toHex } from '../../lib/base/hex.ts'
import { fixedRandom } from '../../lib/crypto/fixed-random.ts'

describe('fixed random bytes', () => {
  test('are the same on every machine', () => {
    const random = fixedRandom('default')
    expect(toHex(random(4))).toBe('0x90ff5b7a')
    expect(toHex(random(40))).toBe(
      '0x0a66185a3cb028d1c8ef649667e8d14062601758774db87bc0963e61489e2b250c6b5034ffa69f85',
    )
  })

  test('differ for every draw and every label', () => {
    const [one, other] = [fixedRandom('one'), fixedRandom('other')]
    const drawn = [one(32), one(32), other(32), other(32)].map(toHex)
    expect(new Set(drawn).size).toBe(4)
  })
})
