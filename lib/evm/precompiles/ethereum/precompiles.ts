/** Lists the precompiles of Ethereum (Yellow Paper, appendix E; the file of each precompile cites its EIP). */

import type { Address } from '../../../base/hex.ts'
import { EMPTY_BYTES } from '../../../base/hex.ts'
import type { ActiveEips } from '../../../config/active-eips.ts'
import { blake2f } from './blake2f.ts'
import { blsPrecompiles } from './bls12-381.ts'
import { bn254Add } from './bn254-add.ts'
import { bn254Multiply } from './bn254-multiply.ts'
import { bn254Pairing } from './bn254-pairing.ts'
import { ecrecover } from './ecrecover.ts'
import { identity } from './identity.ts'
import { ethereumModexp } from './modexp-ethereum.ts'
import type { Precompile } from '../precompile.ts'
import { p256Verify } from './p256-verify.ts'
import { pointEvaluation } from './point-evaluation.ts'
import { ripemd160 } from './ripemd160.ts'
import { sha256 } from './sha256.ts'

/** The bytes of v before the last one, which must be zero on Ethereum. */
const V_PADDING = { start: 32, end: 63 } as const

/** ecrecover with v as a whole word instead of its last byte. */
const strictEcrecover: Precompile = {
  ...ecrecover,
  run: (call) => {
    const padding = call.input.subarray(V_PADDING.start, V_PADDING.end)
    return padding.every((byte) => byte === 0) ? ecrecover.run(call) : EMPTY_BYTES
  },
}

/** The precompiles of a network with these EIPs, by address. */
export function ethereumPrecompiles({ precompiles, rules }: ActiveEips): ReadonlyMap<Address, Precompile> {
  const contracts: readonly Precompile[] = [
    strictEcrecover,
    sha256,
    ripemd160,
    identity,
    ethereumModexp(rules),
    bn254Add,
    bn254Multiply,
    bn254Pairing,
    blake2f,
    ...OPTIONAL.filter(({ name }) => isIn(precompiles, name)),
  ]
  return new Map(contracts.map((contract) => [contract.address, withoutMaxInput(contract)]))
}

/** Precompiles that EIPs added (config/eips.ts). */
const OPTIONAL: readonly Precompile[] = [pointEvaluation, ...blsPrecompiles, p256Verify]

const isIn = (names: ReadonlySet<string>, name: string): boolean => names.has(name)

/**
 * Removes the maximum length, to which only network 33 cuts the input. On Ethereum an input that is too long can be an error.
 */
function withoutMaxInput({ address, name, gas, run }: Precompile): Precompile {
  return { address, name, gas, run }
}
