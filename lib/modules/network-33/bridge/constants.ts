/** Constants of the Bridge: addresses, keys and limits (node-chain 10.5, 10.6, 11.3). */

import { asAddress, fromHex, type Address } from '../../../base/hex.ts'

/** Address of the Bridge (node-chain 10.1). */
export const BRIDGE_ADDRESS = asAddress('0x0000000000000000000000000000000001000006')

/** Wei of the smallest unit of the auxiliary chain. */
export const WEI_PER_SAT = 10_000_000_000n

/** Total supply in sat: the Bridge's balance in the genesis. Coins that it no longer holds are in circulation. */
export const TOTAL_SUPPLY_SAT = 21_000_000n * 100_000_000n

export const MINIMUM_PEGIN_SAT = 500_000n
export const MINIMUM_PEGOUT_SAT = 250_000n

/** Initial fee per 1,000 bytes, in sat, and the maximum that a vote can set. */
export const INITIAL_FEE_PER_KB = 100_000n
export const MAX_FEE_PER_KB = 5_000_000n

/** Confirmations that a transaction of the auxiliary chain needs, including its own block. */
export const AUX_CONFIRMATIONS = 3n
export const PEGOUT_CONFIRMATIONS = 3n
/** Blocks of this chain between batches of peg-outs. */
export const BLOCKS_BETWEEN_BATCHES = 50n

/** Initial maximum amount of coins that may be in circulation outside of the Bridge, in sat. */
export const INITIAL_LOCKING_CAP = 100_000_000_000n

/** The Bridge looks up headers by height from this height or this depth below the best header on, whichever is lower (node-chain 10.5). */
export const LOWEST_INDEXED_HEIGHT = 10n
export const MAX_UNINDEXED_DEPTH = 5n

/** Maximum depth of the block in a query for confirmations, about a month; the notes (node-chain) do not give the number. */
export const MAX_BLOCK_DEPTH = 4_320n

/** Limits of `receiveHeader`: seconds between two headers, and maximum depth of the header below the best one. */
export const SECONDS_BETWEEN_HEADERS = 300n
export const MAX_SINGLE_HEADER_DEPTH = 25n

/** Blocks in which a proposed federation has to prove that it can sign (node-next 4.8). */
export const VALIDATION_BLOCKS = 125n

/** Value in sat of each of the two coins that prove it. */
export const VALIDATION_COIN_SAT = 500_000n

/** Hash of the second coin, which is a flyover deposit's. */
export const VALIDATION_FLYOVER_HASH = fromHex(`0x${'00'.repeat(31)}01`)

/** Blocks from the vote for a federation until it is active. */
export const ACTIVATION_BLOCKS = 150n

/** Coins are moved between these two numbers of blocks after the activation. At the second the former federation retires. */
export const MIGRATION_BLOCKS = { after: 15n, end: 150n } as const

/** Maximum number of coins that one transaction moves. */
export const MAX_MIGRATED_COINS = 10

/** Seconds since the epoch. */
export const FEDERATION_CREATION_TIME = 1_451_606_400n

/** Blocks of the auxiliary chain after which the emergency keys can spend. */
export const EMERGENCY_DELAY = 500

/** Initial locking cap of the union contract, in wei. */
export const INITIAL_UNION_CAP = 10n ** 18n

/** Maximum bytes of the base event in a header (node-chain 6.1). */
export const MAX_BASE_EVENT = 128

/** Compressed keys of the federation, in their order. */
export const FEDERATION_KEYS: readonly Uint8Array[] = [
  '0x02cd53fc53a07f211641a677d250f6de99caf620e8e77071e811a28b3bcddf0be1',
  '0x0362634ab57dae9cb373a5d536e66a8c4f67468bbcfb063809bab643072d78a124',
  '0x03c5946b3fbae03a654237da863c9ed534e0878657175b132b8ca630f245df04db',
].map(fromHex)

/** Compressed emergency keys, which can spend after the delay. */
export const EMERGENCY_KEYS: readonly Uint8Array[] = [
  '0x029cecea902067992d52c38b28bf0bb2345bda9b21eca76b16a17c477a64e43301',
  '0x03284178e5fbcc63c54c3b38e3ef88adf2da6c526313650041b0ef955763634ebd',
  '0x03ab0e2cd7ed158687fc13b88019990860cdb72b1f5777b58513312550ea1584bc',
  '0x03b9fc46657cf72a1afa007ecf431de1cd27ff5cc8829fa625b66ca47b967e6b24',
].map(fromHex)

/** Accounts of the federators, in the order of their public keys. */
export const FEDERATORS = addresses(
  '0x6b045752f4d650a510a353bbf7e52988331e7f5b',
  '0x85845342b0d5260d516d6da5280a7df9a96d1925',
  '0x138161cda86b55c0de1bc3a0adef974633c85fbe',
)

/** Voters by subject; more than half of them have to agree. */
export const AUTHORIZERS = {
  federation: addresses(
    '0x5252403bca6ac3c104abdd320a736fa38282045d',
    '0x0d8c44bd578a4e7148d1758b3332b529e93e48c1',
    '0x566bca18df14ed75efcc1a8a4f3947e81132dbbc',
    '0x2e7c9159614ddc0185e335d3343e92700c3e5a2d',
    '0xf0652637df184eca87e6bde29893825721dfb79f',
  ),
  feePerKb: addresses('0x53f8f6dabd612b6137215ddd7758bb5cdd638922'),
  whitelist: addresses('0x87d2a0f33744929da08b65fd62b627ea52b25f8e'),
  lockingCap: addresses('0x6913bd4715eff3b25501f3212f15df38296d1f21'),
  unionAddress: addresses('0x6c9dfd950bf748bb26f893f7e5f693c7f60a8f85'),
  /** The first contract of the deployer's account. */
  unionChange: addresses('0xff6f4ff09c54561e1476203e56fcfc834911aa64'),
} as const

function addresses(...texts: readonly string[]): ReadonlySet<Address> {
  return new Set(texts.map(asAddress))
}
