import { describe, expect, test } from '@jest/globals'
import { SigningKey, computeAddress } from 'ethers'
import { bigIntToBytes32, fromHex, toHex } from '../../../../lib/base/hex.ts'
import { ecrecover, impersonateSignature } from '../../../../lib/networks/ethereum/precompiles/ecrecover.ts'
import { StateRoot } from '../../../../lib/state/state-root.ts'
import { State } from '../../../../lib/state/state.ts'
import { gasOf, runPrecompile } from '../../../support/precompile-calls.ts'
import { addressOf } from '../../../support/transactions.ts'

/** A 32-byte word, without prefix. */
const word = (value: bigint | number) => toHex(bigIntToBytes32(BigInt(value))).slice(2)
const zeros = (bytes: number) => '00'.repeat(bytes)

describe('ecrecover', () => {
  const key = new SigningKey(`0x${'46'.repeat(32)}`)
  const hash = `0x${'ab'.repeat(32)}`
  const { r, s, v } = key.sign(hash)
  const input = (fields: { hash?: string; v?: string; r?: string; s?: string } = {}) =>
    [fields.hash ?? hash, fields.v ?? `0x${word(v)}`, fields.r ?? r, fields.s ?? s]
      .map((each) => each.slice(2))
      .join('')
  const signer = `0x${zeros(12)}${computeAddress(key.publicKey).slice(2).toLowerCase()}`
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

  test('returns the impersonated signer of a signature for any hash', () => {
    const state = new State(StateRoot.empty)
    const signature = { r: fromHex(r), s: fromHex(s), v }
    impersonateSignature(state, signature, addressOf(7))
    const expected = `0x${zeros(12)}${addressOf(7).slice(2)}`
    expect(runPrecompile(ecrecover, `0x${input()}`, { state })).toBe(expected)
    expect(runPrecompile(ecrecover, `0x${input({ hash: `0x${zeros(32)}` })}`, { state })).toBe(expected)
    expect(
      runPrecompile(ecrecover, `0x${input({ v: `0x${word(v === 27 ? 28 : 27)}` })}`, { state }),
    ).not.toBe(expected)
    impersonateSignature(state, signature, addressOf(0))
    expect(runPrecompile(ecrecover, `0x${input()}`, { state })).toBe(signer)
  })

  test('ignores all of v but its last byte', () => {
    expect(runPrecompile(ecrecover, `0x${input({ v: `0x${'ff'.repeat(31)}${v.toString(16)}` })}`)).toBe(
      signer,
    )
  })

  test('accepts a high s, which flips the parity', () => {
    const high = { s: `0x${word(order - BigInt(s))}`, v: `0x${word(v === 27 ? 28 : 27)}` }
    expect(runPrecompile(ecrecover, `0x${input(high)}`)).toBe(signer)
  })

  test.each([
    ['nothing', ''],
    ['96 bytes', input().slice(0, 192)],
    ['v of 26', input({ v: `0x${word(26)}` })],
    ['v of 29', input({ v: `0x${word(29)}` })],
    ['v of 0', input({ v: `0x${word(0)}` })],
    ['r of zero', input({ r: `0x${word(0)}` })],
    ['s of zero', input({ s: `0x${word(0)}` })],
    ['r of the order', input({ r: `0x${word(order)}` })],
    ['s of the order', input({ s: `0x${word(order)}` })],
    ['r without a point', input({ r: `0x${word(5)}` })],
  ])('returns no data for %s', (_case, given) => {
    expect(runPrecompile(ecrecover, `0x${given}`)).toBe('0x')
    expect(gasOf(ecrecover, `0x${given}`)).toBe(3000)
  })
})
