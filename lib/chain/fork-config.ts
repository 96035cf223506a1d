/** The configuration of a network's hard fork as eth_config returns it (EIP-7910). */

import { crc32 } from 'node:zlib'
import { fromHex, toHex, type Address, type Hash, type Hex } from '../base/hex.ts'
import { activeEips } from '../config/active-eips.ts'
import type { Network } from '../config/network.ts'
import { requestContracts, systemContracts } from '../evm/system-contracts.ts'
import type { Precompile } from '../evm/precompile.ts'

/** Limits of the blobs of a block, and how fast their price changes (EIP-7840); absent if the hard fork has no blobs. */
export function blobConfigOf(network: Network) {
  const schedule = activeEips(network).blobs
  if (schedule === undefined) return undefined
  const { baseFeeUpdateFraction, max, target } = schedule
  return { baseFeeUpdateFraction: Number(baseFeeUpdateFraction), max, target }
}

/** Fork id (EIP-6122): the checksum of the genesis hash alone, because the hard fork is active from block 0 on. */
export function forkId(genesisHash: Hash): Hex {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, crc32(fromHex(genesisHash)))
  return toHex(bytes)
}

/** Names of precompiles in EIP-7910. */
const PRECOMPILE_NAMES: ReadonlyMap<string, string> = new Map([
  ['ecrecover', 'ECREC'],
  ['sha256', 'SHA256'],
  ['ripemd160', 'RIPEMD160'],
  ['identity', 'ID'],
  ['modexp', 'MODEXP'],
  ['bn254Add', 'BN254_ADD'],
  ['bn254Multiply', 'BN254_MUL'],
  ['bn254Pairing', 'BN254_PAIRING'],
  ['blake2f', 'BLAKE2F'],
  ['pointEvaluation', 'KZG_POINT_EVALUATION'],
  ['blsG1Add', 'BLS12_G1ADD'],
  ['blsG1MultiplyAll', 'BLS12_G1MSM'],
  ['blsG2Add', 'BLS12_G2ADD'],
  ['blsG2MultiplyAll', 'BLS12_G2MSM'],
  ['blsPairing', 'BLS12_PAIRING_CHECK'],
  ['blsMapToG1', 'BLS12_MAP_FP_TO_G1'],
  ['blsMapToG2', 'BLS12_MAP_FP2_TO_G2'],
  ['p256Verify', 'P256VERIFY'],
])

/** Addresses of the precompiles by name. Names of precompiles that EIP-7910 does not list are written in the same style. */
export function precompilesByName(
  precompiles: ReadonlyMap<Address, Precompile>,
): Readonly<Record<string, Address>> {
  return sorted([...precompiles.values()].map(({ name, address }) => [nameOf(name), address]))
}

/** The name in the style of EIP-7910: `GET_CODE` for `getCode`. */
const nameOf = (name: string): string =>
  PRECOMPILE_NAMES.get(name) ?? name.replaceAll(/([A-Z])/g, '_$1').toUpperCase()

export function systemContractAddresses(network: Network): Readonly<Record<string, Address>> {
  const contracts = [...systemContracts(network), ...requestContracts(network)]
  const named = contracts.map(({ name, address }): [string, Address] => [name, address])
  const takesDeposits = activeEips(network).systemContracts.has('DEPOSIT_CONTRACT_ADDRESS')
  return sorted(takesDeposits ? [...named, ['DEPOSIT_CONTRACT_ADDRESS', network.depositContract]] : named)
}

const sorted = (entries: readonly (readonly [string, Address])[]): Readonly<Record<string, Address>> =>
  Object.fromEntries(entries.toSorted(([left], [right]) => (left < right ? -1 : 1)))
