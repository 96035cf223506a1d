/** The native contracts of Ethereum's hard forks (Yellow Paper, appendix E, and the EIPs named). */

import type { Address } from '../../base/hex.ts'
import { blake2f } from './blake2f.ts'
import { bn254Add } from './bn254-add.ts'
import { bn254Multiply } from './bn254-multiply.ts'
import { bn254Pairing } from './bn254-pairing.ts'
import { ecrecover } from './ecrecover.ts'
import { identity } from './identity.ts'
import { modexp } from './modexp.ts'
import type { NativeContract } from './native-contract.ts'
import { ripemd160 } from './ripemd160.ts'
import { sha256 } from './sha256.ts'

const contracts: readonly NativeContract[] = [
  ...[ecrecover, sha256, ripemd160, identity, modexp],
  ...[bn254Add, bn254Multiply, bn254Pairing, blake2f],
]

/** The contracts by address. */
export const ethereumContracts: ReadonlyMap<Address, NativeContract> = new Map(
  contracts.map((contract) => [contract.address, contract]),
)
