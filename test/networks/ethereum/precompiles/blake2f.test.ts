import { createHash } from 'node:crypto'
import { Mainnet, createCustomCommon } from '@ethereumjs/common'
import { createEVM, getActivePrecompiles } from '@ethereumjs/evm'
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { fromHex, toHex } from '../../../../lib/base/hex.ts'
import { blake2f } from '../../../../lib/networks/ethereum/precompiles/hashes.ts'
import { gasOf, runPrecompile } from '../../../support/precompile-calls.ts'

const common = createCustomCommon({ chainId: 1, name: 'reference' }, Mainnet, { hardfork: 'cancun' })
const evm = await createEVM({ common })
const precompile09 = getActivePrecompiles(common).get(blake2f.address.slice(2))!

const zeros = (bytes: number) => '00'.repeat(bytes)
const refused = expect.objectContaining({ name: 'PrecompileFailure' })

describe('blake2f (EIP-152)', () => {
  const STATE =
    '48c9bdf267e6096a3ba7ca8485ae67bb2bf894fe72f36e3cf1361d5f3af54fa5' +
    'd182e6ad7f520e511f6c3e2b8c68059b6bbd41fbabd9831f79217e1319cde05b'
  const input = (rounds: number, last: string) =>
    `0x${rounds.toString(16).padStart(8, '0')}${STATE}616263${zeros(125)}03${zeros(15)}${last}`

  test.each([
    [
      4,
      0,
      '01',
      '08c9bcf367e6096a3ba7ca8485ae67bb2bf894fe72f36e3cf1361d5f3af54fa5d282e6ad7f520e511f6c3e2b8c68059b9442be0454267ce079217e1319cde05b',
    ],
    [
      5,
      12,
      '01',
      'ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d17d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923',
    ],
    [
      6,
      12,
      '00',
      '75ab69d3190a562c51aef8d88f1c2775876944407270c42c9844252c26d2875298743e7f6d5ea2f2d3e8d226039cd31b4e426ac4f2d3d666a610c2116fde4735',
    ],
    [
      7,
      1,
      '01',
      'b63a380cb2897d521994a85234ee2c181b5f844d2c624c002677e9703449d2fba551b3a8333bcdf5f2f7e08993d53923de3d64fcc68c034e717b9293fed7a421',
    ],
  ])('vector %i', (_number, rounds, last, output) => {
    expect(runPrecompile(blake2f, input(rounds, last))).toBe(`0x${output}`)
    expect(gasOf(blake2f, input(rounds, last))).toBe(rounds)
  })

  test('twelve rounds are the hash of BLAKE2b', () => {
    const expected = createHash('blake2b512').update('abc').digest('hex')
    expect(runPrecompile(blake2f, input(12, '01'))).toBe(`0x${expected}`)
  })

  test.each([
    ['nothing', '0x', 0],
    ['212 bytes', input(12, ''), 0],
    ['214 bytes', input(12, '0101'), 0],
    ['a flag of 2', input(12, '02'), 12],
  ])('rejects %s at its own price', (_case, given, gas) => {
    expect(() => runPrecompile(blake2f, given)).toThrow(refused)
    expect(gasOf(blake2f, given)).toBe(gas)
  })

  test('equals the library for any number of rounds', async () => {
    const bytes = fc.uint8Array({ minLength: 208, maxLength: 208 })
    const rounds = fc.oneof(fc.nat(64), fc.constantFrom(9999, 10_000, 10_001, 20_003))
    await fc.assert(
      fc.asyncProperty(rounds, bytes, fc.constantFrom('00', '01'), async (count, block, last) => {
        const given = fromHex(`0x${count.toString(16).padStart(8, '0')}${toHex(block).slice(2)}${last}`)
        const data = given.slice()
        const { returnValue } = await precompile09({ data, gasLimit: 100_000n, common, _EVM: evm })
        expect(runPrecompile(blake2f, toHex(given))).toBe(toHex(returnValue))
      }),
      { numRuns: 30 },
    )
  })

  test('the maximum of rounds costs one gas each', () => {
    expect(gasOf(blake2f, input(0xffffffff, '01'))).toBe(0xffffffff)
  })
})
