import { describe, expect, test } from '@jest/globals'
import { fastestAllowed, withinLimit } from '../../lib/crypto/crypto-limit.ts'
import { chooseFirst } from '../../lib/crypto/candidates.ts'

const candidates = (['native', 'wasm', 'javascript'] as const).map((kind) => ({
  kind,
  name: kind,
  load: () => kind,
}))

describe('DEV_NODE_CRYPTO', () => {
  test.each([
    [undefined, 'native', []],
    ['native', 'native', []],
    ['wasm', 'wasm', ['native']],
    ['javascript', 'javascript', ['native', 'wasm']],
    ['anything', 'native', []],
  ])('%s chooses %s', (value, chosen, skipped) => {
    const choice = chooseFirst(withinLimit(candidates, fastestAllowed(value ?? '')), () => undefined)
    expect([choice.name, choice.skipped.map(({ name }) => name)]).toEqual([chosen, skipped])
    for (const { reason } of choice.skipped) expect(reason).toBe(`left out by DEV_NODE_CRYPTO=${value}`)
  })
})
