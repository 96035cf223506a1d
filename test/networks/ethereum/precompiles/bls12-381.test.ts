import { Mainnet, createCustomCommon } from '@ethereumjs/common'
import { NobleBLS, createEVM } from '@ethereumjs/evm'
import { Address as LibraryAddress } from '@ethereumjs/util'
import { expect, test } from '@jest/globals'
import { fromHex, toHex } from '../../../../lib/base/hex.ts'
import { blsPrecompiles } from '../../../../lib/networks/ethereum/precompiles/bls12-381.ts'
import type { PrecompileCall } from '../../../../lib/evm/precompile.ts'

const common = createCustomCommon({ chainId: 1, name: 'reference' }, Mainnet, { hardfork: 'prague' })
const evm = await createEVM({ common })
const curve = new NobleBLS()

const element = (n: number): Uint8Array => new Uint8Array(64).fill(n, 63)
const join = (...parts: Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts))
const g1 = (n: number): Uint8Array => curve.mapFPtoG1(element(n))
const g2 = (n: number): Uint8Array => curve.mapFP2toG2(join(element(n), element(n)))
const scalar = (n: number): Uint8Array => new Uint8Array(32).fill(n, 31)
const terms = (point: (n: number) => Uint8Array, count: number): Uint8Array =>
  join(...Array.from({ length: count }, (_, index) => join(point(index + 1), scalar(index + 2))))

/** Inputs of each precompile in the order of addresses. */
const INPUTS: readonly (readonly Uint8Array[])[] = [
  [join(g1(1), g1(2))],
  [terms(g1, 1), terms(g1, 3)],
  [join(g2(1), g2(2))],
  [terms(g2, 1), terms(g2, 2)],
  [join(g1(1), g2(1)), join(g1(1), g2(1), g1(2), g2(2))],
  [element(5)],
  [join(element(5), element(6))],
]

const cases = blsPrecompiles.flatMap((contract, index) =>
  INPUTS[index]!.flatMap((input) => {
    const outOfRange = input.slice()
    outOfRange[0] = 1
    return [input, input.subarray(1), new Uint8Array(0), outOfRange].map(
      (variant) => [contract.name, variant.length, contract, variant] as const,
    )
  }),
)

test.each(cases)('EIP-2537: %s with %d bytes equals the library', async (_name, _length, contract, input) => {
  const expected = await evm.getPrecompile(new LibraryAddress(fromHex(contract.address)))!({
    data: input,
    gasLimit: 10_000_000n,
    common,
    _EVM: evm,
  })
  const call = { input } as PrecompileCall
  if (expected.exceptionError !== undefined) {
    expect(() => contract.run(call)).toThrow()
    return
  }
  expect(BigInt(contract.gas(call))).toBe(expected.executionGasUsed)
  expect(toHex(contract.run(call))).toBe(toHex(expected.returnValue))
})
