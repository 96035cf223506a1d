/** Headers of merged-mining networks. Block 1 is the worked example of node-chain 4.3 and 6.8. */

import { asAddress, asHash, fromHex, toWord } from '../../../../lib/base/hex.ts'
import type { Hash } from '../../../../lib/base/hex.ts'
import {
  NO_ANCESTRY,
  type MergedMiningHeader,
  type MergedMiningFields,
} from '../../../../lib/modules/network-33/consensus/header.ts'
import { NO_UNCLES_HASH, ZERO_HASH } from '../../../../lib/chain/header.ts'
import { mergedMining } from '../../../../lib/modules/network-33/consensus/merged-mining.ts'

const hash = (digits: string): Hash => asHash(`0x${digits}`)

/** The aux members of a block without work. */
export const NO_WORK = {
  header: new Uint8Array(0),
  merkleProof: new Uint8Array(0),
  coinbase: new Uint8Array(0),
}

/** Block 1 without work. */
export const BLOCK_1: MergedMiningHeader = {
  consensus: mergedMining,
  parentHash: hash('8ea789fabef0dd4946ed53f001e7b6f8a8d0c22a612a6099fc7f93c990af68fe'),
  unclesHash: NO_UNCLES_HASH,
  coinbase: asAddress('0xec4ddeb4380ad69b3e509baad9f158cdf4e4681d'),
  stateRoot: hash('f276a3a8c9c4eb4dcbbfb9bf6965f36dc611b815614c0d7cd06e15b8890c272c'),
  transactionsRoot: hash('8c9664a30670ddc67aa13992fdd8751b7b797bbe172506ffd5cda10ebbf97952'),
  receiptsRoot: hash('66cfdb731f620cd96e2c2cb0f7d3c3a2879c29b40014aa27efbbf3cf9cd3b0f6'),
  logsBloom: new Uint8Array(256),
  difficulty: 1n,
  number: 1n,
  gasLimit: 9_990_235n,
  gasUsed: 0n,
  timestamp: 1_700_000_000n,
  extraData: new Uint8Array(0),
  mixHash: ZERO_HASH,
  nonce: new Uint8Array(8),
  paidFees: 0n,
  minimumGasPrice: 0n,
  own: {
    version: 2,
    uncleCount: 0,
    ummRoot: new Uint8Array(0),
    edges: [],
    baseEvent: new Uint8Array(0),
    aux: NO_WORK,
    ancestry: NO_ANCESTRY,
  },
}

/** Block 1 with other fields. */
export function variant(
  header: Partial<MergedMiningHeader>,
  fields: Partial<MergedMiningFields> = {},
): MergedMiningHeader {
  return { ...BLOCK_1, ...header, own: { ...BLOCK_1.own, ...fields } }
}

/** Target of the minimum difficulty. */
export const EASY_TARGET: Hash = toWord(BigInt(`0x${'55'.repeat(32)}`))

/** The aux block of the example: the coinbase names the work on block 1. */
export const EXAMPLE = {
  work: hash('f7d4a9a389bf1132dd2cd4be1ee2638c839da224f05755ad194598dd2a055967'),
  header: fromHex(
    '0x0100000000000000000000000000000000000000000000000000000000000000000000000a777ca15a5ecd6fca921751a229a6b76490cc950c9e824b6903f1a08b164b2500f15365ffff7f2000000000',
  ),
  transaction: fromHex(
    '0x01000000010000000000000000000000000000000000000000000000000000000000000000ffffffff00ffffffff0200f2052a01000000015100000000000000002952534b424c4f434b3af7d4a9a389bf1132dd2cd4be1ee2638c839da224f05755ad194598dd2a05596700000000',
  ),
  compressed: fromHex(
    '0x00000000000000403951049e70877a2e929d978855e4d96808a475985efd8013d09633d5a1497e4c002952534b424c4f434b3af7d4a9a389bf1132dd2cd4be1ee2638c839da224f05755ad194598dd2a05596700000000',
  ),
}
