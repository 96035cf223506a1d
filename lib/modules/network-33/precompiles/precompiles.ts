/** Lists the precompiles of network 33 (node-chain 10.1). */

import type { Address } from '../../../base/hex.ts'
import type { NetworkNames } from '../../../config/names.ts'
import { blockHeader } from './block-header.ts'
import { bn254Add, bn254Multiply, bn254Pairing } from '../../../networks/ethereum/precompiles/bn254.ts'
import { bridge, bridgeOf } from '../bridge/bridge.ts'
import { ecrecover } from '../../../networks/ethereum/precompiles/ecrecover.ts'
import { environment } from './environment.ts'
import { feeContract } from './fee-contract.ts'
import { genesisFederation } from '../bridge/federation.ts'
import { hdWalletUtils } from './hd-wallet-utils.ts'
import { blake2f, identity, ripemd160, sha256 } from '../../../networks/ethereum/precompiles/hashes.ts'
import { modexp } from '../../../networks/ethereum/precompiles/modexp.ts'
import type { Precompile } from '../../../evm/precompile.ts'
import { secp256k1Add, secp256k1Multiply } from './secp256k1.ts'

const contracts: readonly Precompile[] = [
  ecrecover,
  sha256,
  ripemd160,
  identity,
  modexp,
  bn254Add,
  bn254Multiply,
  bn254Pairing,
  blake2f,
  bridge,
  hdWalletUtils,
  blockHeader,
  environment,
  feeContract,
  secp256k1Add,
  secp256k1Multiply,
]

export const network33Precompiles: ReadonlyMap<Address, Precompile> = new Map(
  contracts.map((contract) => [contract.address, contract]),
)

/** The precompiles by address. Failures of the Bridge name its methods as the network does; its federation is that of a release. */
export const precompilesOf = (names: NetworkNames, release: string): ReadonlyMap<Address, Precompile> =>
  new Map([...network33Precompiles, [bridge.address, bridgeOf(names, genesisFederation(release))]])
