/** Lists the precompiles of network 33 (node-chain 10.1), and contains those that add and multiply points of secp256k1. */

import type { Address } from '../../../base/hex.ts'
import type { NetworkNames } from '../../../config/names.ts'
import { curve } from '../../../crypto/secp256k1.ts'
import {
  PrecompileFailure,
  WORD,
  bytesAt,
  precompileAddress,
  type Precompile,
} from '../../../evm/precompile.ts'
import { bn254Add, bn254Multiply, bn254Pairing } from '../../../networks/ethereum/precompiles/bn254.ts'
import { ecrecover } from '../../../networks/ethereum/precompiles/ecrecover.ts'
import { blake2f, identity, ripemd160, sha256 } from '../../../networks/ethereum/precompiles/hashes.ts'
import { modexp } from '../../../networks/ethereum/precompiles/modexp.ts'
import { bridge, bridgeOf } from '../bridge/bridge.ts'
import { genesisFederation } from '../bridge/federation.ts'
import { blockHeader, environment } from './block-header.ts'
import { feeContract } from './fee-contract.ts'
import { hdWalletUtils } from './hd-wallet-utils.ts'

/** Length of a point in bytes: x and y. */
const POINT_BYTES = 2 * WORD

/** The sum of two points (IP-516). */
export const secp256k1Add: Precompile = {
  address: precompileAddress(0x01000016),
  name: 'secp256k1Add',
  maxInput: 4 * WORD,
  gas: () => 150,
  run: ({ input }) => {
    const [left, right] = [pointAt(input, 0), pointAt(input, 2 * WORD)]
    if (left === undefined || right === undefined) return pointOutput(left ?? right)
    return pointOutput(curve.addPoints(left, right))
  },
}

/** A point multiplied by a number. */
export const secp256k1Multiply: Precompile = {
  address: precompileAddress(0x01000017),
  name: 'secp256k1Multiply',
  maxInput: 3 * WORD,
  gas: () => 3000,
  run: ({ input }) => {
    const point = pointAt(input, 0)
    if (point === undefined) return pointOutput(undefined)
    return pointOutput(curve.multiply(point, bytesAt(input, 2 * WORD, WORD)))
  },
}

/** The point at a position of the input; undefined for the point at infinity (zeros). @throws PrecompileFailure */
function pointAt(input: Uint8Array, start: number): Uint8Array | undefined {
  const coordinates = bytesAt(input, start, POINT_BYTES)
  if (coordinates.every((byte) => byte === 0)) return undefined
  const point = curve.decodePoint(Uint8Array.of(4, ...coordinates))
  if (point === undefined) throw new PrecompileFailure('the coordinates are not a point of secp256k1')
  return point
}

const pointOutput = (point: Uint8Array | undefined): Uint8Array => point ?? new Uint8Array(POINT_BYTES)

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

/** The precompiles by address. Failures of the Bridge use the network's method names. The federation depends on the release. */
export const precompilesOf = (names: NetworkNames, release: string): ReadonlyMap<Address, Precompile> =>
  new Map([...network33Precompiles, [bridge.address, bridgeOf(names, genesisFederation(release))]])
