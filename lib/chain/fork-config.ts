/** The configuration of a network's hard fork, in the words of EIP-7910. */

import { asAddress, fromHex, toHex } from '../base/hex.ts'
import type { Address, Hash, Hex } from '../base/hex.ts'
import type { Hardfork } from '../config/hardfork.ts'
import type { Network } from '../config/network.ts'
import { crc32 } from '../crypto/crc32.ts'
import type { NativeContract } from '../evm/precompiles/native-contract.ts'
import { systemContracts } from '../evm/system-contracts.ts'

/** How many blobs blocks have, and how fast their fee moves (EIP-7840). */
export interface BlobSchedule {
  readonly baseFeeUpdateFraction: number
  readonly max: number
  readonly target: number
}

/** Blobs by hard fork: EIP-4844 and EIP-7691. Osaka itself changes nothing; later forks of parameters do (EIP-7892). */
const BLOB_SCHEDULES: Readonly<Record<Hardfork, BlobSchedule | undefined>> = {
  london: undefined,
  paris: undefined,
  shanghai: undefined,
  cancun: { baseFeeUpdateFraction: 3_338_477, max: 6, target: 3 },
  prague: { baseFeeUpdateFraction: 5_007_716, max: 9, target: 6 },
  osaka: { baseFeeUpdateFraction: 5_007_716, max: 9, target: 6 },
}

/** The blobs of a network's blocks; absent where its hard fork has none. */
export const blobScheduleOf = ({ kind, hardfork }: Network): BlobSchedule | undefined =>
  kind === 'ethereum' ? BLOB_SCHEDULES[hardfork] : undefined

/** Identifies the fork by its genesis (EIP-6122): every hard fork is active from block 0 on, so that nothing follows. */
export function forkId(genesisHash: Hash): Hex {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, crc32(fromHex(genesisHash)))
  return toHex(bytes)
}

/** Names that EIP-7910 gives to precompiles. */
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

/** Addresses of the precompiles by name; those that are a network's own have their names in the same spelling. */
export function precompileAddresses(
  precompiles: ReadonlyMap<Address, NativeContract>,
): Readonly<Record<string, Address>> {
  return sorted([...precompiles.values()].map(({ name, address }) => [nameOf(name), address]))
}

/** `getCode` is spelled `GET_CODE`. */
const nameOf = (name: string): string =>
  PRECOMPILE_NAMES.get(name) ?? name.replaceAll(/([A-Z])/g, '_$1').toUpperCase()

/** Names that EIP-7910 gives to system contracts: those of EIP-4788, EIP-2935, EIP-6110, EIP-7002 and EIP-7251. */
const SYSTEM_CONTRACT_NAMES: ReadonlyMap<Address, string> = new Map([
  [asAddress('0x000f3df6d732807ef1319fb7b8bb8522d0beac02'), 'BEACON_ROOTS_ADDRESS'],
  [asAddress('0x0000f90827f1c53a10cb7a02335b175320002935'), 'HISTORY_STORAGE_ADDRESS'],
  [asAddress('0x00000000219ab540356cbb839cbe05303d7705fa'), 'DEPOSIT_CONTRACT_ADDRESS'],
  [asAddress('0x00000961ef480eb55e80d19ad83579a64c007002'), 'WITHDRAWAL_REQUEST_PREDEPLOY_ADDRESS'],
  [asAddress('0x0000bbddc7ce488642fb579f8b00f3a590007251'), 'CONSOLIDATION_REQUEST_PREDEPLOY_ADDRESS'],
])

/** Addresses of the system contracts that this node has, by name. */
export function systemContractAddresses(network: Network): Readonly<Record<string, Address>> {
  return sorted(
    systemContracts(network).map(({ address }) => [SYSTEM_CONTRACT_NAMES.get(address) ?? address, address]),
  )
}

const sorted = (entries: readonly (readonly [string, Address])[]): Readonly<Record<string, Address>> =>
  Object.fromEntries(entries.toSorted(([left], [right]) => (left < right ? -1 : 1)))
