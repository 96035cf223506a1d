/** Makes blocks of the auxiliary chain: headers with work, and coinbases that commit to the witnesses of their block. */

import { AUX_HEADER_BYTES } from '../../../base/aux-reader.ts'
import { doubleSha256 } from '../../../crypto/sha256.ts'
import { littleEndian } from '../bridge/aux-encoding.ts'
import { hasValidWork, readAuxHeader, type AuxHeader } from '../bridge/aux-header.ts'
import { COMMITMENT_PREFIX, readAuxTransaction, writeAuxTransaction } from '../bridge/aux-transaction.ts'
import type { AuxTransaction } from '../bridge/aux-transaction.ts'
import { merkleRoot } from '../bridge/merkle.ts'

export type PlacedHeader = AuxHeader & { readonly height: bigint }

/** A block; its coinbase is the first transaction. */
export interface AuxChainBlock {
  readonly header: PlacedHeader
  readonly transactions: readonly AuxTransaction[]
}

/** The only item of a coinbase's witness, and its witness id (BIP-141). */
export const ZEROS = new Uint8Array(32)

/** Witness ids of a coinbase and the other transactions of its block: the leaves of a Merkle tree. */
export const witnessIdsOf = (others: readonly AuxTransaction[]): readonly Uint8Array[] => [
  ZEROS,
  ...others.map(({ raw }) => doubleSha256(raw)),
]

/** Reward of a block: 50 coins, in sat. It is never halved. */
const REWARD = 5_000_000_000n
/** A script that anyone can spend: OP_1. */
const ANYONE = Uint8Array.of(0x51)
const MAX_UINT32 = 0xffff_ffff

/** The coinbase of a block. Its script has the height, so that every id is different (BIP-34). */
function coinbaseOf(height: bigint, witnessRoot: Uint8Array): AuxTransaction {
  const script = Uint8Array.of(4, ...littleEndian(height, 4))
  const commitment = doubleSha256(Buffer.concat([witnessRoot, ZEROS]))
  const input = { previousId: ZEROS, previousIndex: MAX_UINT32, script, sequence: MAX_UINT32 }
  const outputs = [
    { sat: REWARD, script: ANYONE },
    { sat: 0n, script: Uint8Array.of(...COMMITMENT_PREFIX, ...commitment) },
  ]
  return readAuxTransaction(writeAuxTransaction([input], outputs, [[ZEROS]]))
}

const TIME_OFFSET = 68
const NONCE_OFFSET = 76
const SECONDS_BETWEEN_BLOCKS = 600

/**
 * The block on top of another with a coinbase and these transactions. It is ten minutes later, whatever the clock says: the same
 * blocks have the same hashes on every node.
 */
export function mineAuxBlock(parent: PlacedHeader, others: readonly AuxTransaction[]): AuxChainBlock {
  const height = parent.height + 1n
  const transactions = [coinbaseOf(height, merkleRoot(witnessIdsOf(others))), ...others]
  const time = Buffer.from(parent.bytes).readUInt32LE(TIME_OFFSET) + SECONDS_BETWEEN_BLOCKS
  const bytes = mineAuxHeader(parent.bytes, merkleRoot(transactions.map(({ id }) => id)), time)
  return { header: { ...readAuxHeader(bytes), height }, transactions }
}

/** Version without signals of miners (BIP-9). */
const HEADER_VERSION = littleEndian(0x2000_0000, 4)
/** The maximum target in compact form, which every second nonce meets. */
const EASIEST_BITS = littleEndian(0x207f_ffff, 4)

/** The header on top of another, with the lowest nonce that meets the maximum target. `time` is in seconds since the epoch. */
export function mineAuxHeader(parent: Uint8Array, root: Uint8Array, time: number): Uint8Array {
  const parts = [HEADER_VERSION, doubleSha256(parent), root, littleEndian(time, 4), EASIEST_BITS]
  const header = Buffer.concat(parts, AUX_HEADER_BYTES)
  for (let nonce = 1; !hasValidWork(readAuxHeader(header)); nonce++) header.writeUInt32LE(nonce, NONCE_OFFSET)
  return new Uint8Array(header)
}
