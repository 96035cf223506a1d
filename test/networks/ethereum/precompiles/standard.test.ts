import { Common, Mainnet } from '@ethereumjs/common'
import { createEVM } from '@ethereumjs/evm'
import { Address as LibraryAddress } from '@ethereumjs/util'
import { describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { bigIntToBytes32, fromHex, toHex } from '../../../../lib/base/hex.ts'
import { bn254Add, bn254Multiply } from '../../../../lib/networks/ethereum/precompiles/bn254.ts'
import { blake2f, identity, ripemd160, sha256 } from '../../../../lib/networks/ethereum/precompiles/hashes.ts'
import { modexp } from '../../../../lib/networks/ethereum/precompiles/modexp.ts'
import type { Precompile } from '../../../../lib/evm/precompile.ts'
import { gasOf, runPrecompile } from '../../../support/precompile-calls.ts'

/** A 32-byte word, without prefix. */
const word = (value: bigint | number) => toHex(bigIntToBytes32(BigInt(value))).slice(2)
const zeros = (bytes: number) => '00'.repeat(bytes)
const refused = expect.objectContaining({ name: 'PrecompileFailure' })

/** The library's precompiles at Istanbul, which have the prices of network 33. */
const library = await createEVM({ common: new Common({ chain: Mainnet, hardfork: 'istanbul' }) })

async function byLibrary({ address }: Precompile, input: string) {
  const { execResult } = await library.runCall({
    to: new LibraryAddress(fromHex(address)),
    data: fromHex(input),
    gasLimit: 100_000_000n,
  })
  const { exceptionError, executionGasUsed, returnValue } = execResult
  return exceptionError === undefined
    ? { gas: Number(executionGasUsed), output: toHex(returnValue) }
    : undefined
}

/** Expects the library's output and gas, or a failure. */
async function expectAsLibrary(contract: Precompile, input: string): Promise<void> {
  const expected = await byLibrary(contract, input)
  if (expected === undefined) return expect(() => runPrecompile(contract, input)).toThrow(refused)
  expect({ gas: gasOf(contract, input), output: runPrecompile(contract, input) }).toEqual(expected)
}

const bytes = fc.uint8Array({ maxLength: 300 }).map(toHex)

describe('hashes', () => {
  test.each([
    [0, 60, 600, 15],
    [1, 72, 720, 18],
    [32, 72, 720, 18],
    [33, 84, 840, 21],
    [64, 84, 840, 21],
  ])('%i bytes cost %i, %i and %i gas', (length, ...gas) => {
    const input = `0x${zeros(length)}`
    expect([sha256, ripemd160, identity].map((contract) => gasOf(contract, input))).toEqual(gas)
  })
})

describe('equals the library for any input', () => {
  test.each([sha256, ripemd160, identity, bn254Add, bn254Multiply, blake2f])('$name', async (contract) => {
    await fc.assert(
      fc.asyncProperty(bytes, (input) => expectAsLibrary(contract, input)),
      { numRuns: 30 },
    )
  })

  test('modexp', async () => {
    const operands = fc.tuple(...[0, 1, 2].map(() => fc.uint8Array({ maxLength: 80 })))
    await fc.assert(
      fc.asyncProperty(operands, fc.nat({ max: 40 }), async (given, missing) => {
        const lengths = given.map(({ length }) => word(length)).join('')
        const data = given.map((each) => toHex(each).slice(2)).join('')
        await expectAsLibrary(
          modexp,
          `0x${(lengths + data).slice(0, Math.max(192, 192 + data.length - 2 * missing))}`,
        )
      }),
      { numRuns: 60 },
    )
  })

  test('blake2f of 213 bytes', async () => {
    const input = fc.uint8Array({ minLength: 209, maxLength: 209 }).map((each) => {
      return `0x${zeros(3)}${toHex(each.fill((each[208] ?? 0) & 1, 208))
        .slice(2)
        .replace(/^../, '0e')}`.padEnd(428, '0')
    })
    await fc.assert(
      fc.asyncProperty(input, (each) => expectAsLibrary(blake2f, each)),
      { numRuns: 30 },
    )
  })
})
