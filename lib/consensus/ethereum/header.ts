/** Encodes the block headers of Ethereum. */

import { bigIntToBytes, fromHex, toHash } from '../../base/hex.ts'
import type { Hash } from '../../base/hex.ts'
import { encodeRlp } from '../../base/rlp.ts'
import type { RlpInput } from '../../base/rlp.ts'
import { keccak256 } from '../../crypto/keccak.ts'
import type { Header } from '../header-fields.ts'
import { leadingItems } from '../leading-items.ts'

/** RLP items of the header, in the order of the Yellow Paper and of the EIPs that append to it. */
export function ethereumItems(header: Header): readonly RlpInput[] {
  return [
    ...leadingItems(header),
    header.logsBloom,
    bigIntToBytes(header.difficulty),
    bigIntToBytes(header.number),
    bigIntToBytes(header.gasLimit),
    bigIntToBytes(header.gasUsed),
    bigIntToBytes(header.timestamp),
    header.extraData,
    fromHex(header.mixHash),
    header.nonce,
    ...appended(header),
  ]
}

function appended(header: Header): readonly Uint8Array[] {
  const items: Uint8Array[] = []
  if (header.baseFeePerGas !== undefined) items.push(bigIntToBytes(header.baseFeePerGas))
  if (header.withdrawalsRoot !== undefined) items.push(fromHex(header.withdrawalsRoot))
  if (header.blobGasUsed !== undefined) items.push(bigIntToBytes(header.blobGasUsed))
  if (header.excessBlobGas !== undefined) items.push(bigIntToBytes(header.excessBlobGas))
  if (header.parentBeaconBlockRoot !== undefined) items.push(fromHex(header.parentBeaconBlockRoot))
  if (header.requestsHash !== undefined) items.push(fromHex(header.requestsHash))
  return items
}

/** Positions of mix hash and nonce, which proof of work finds. */
const SEAL = { mixHash: 13, nonce: 14 }

/** Hash of the header without mix hash and nonce (Yellow Paper, 11.5). */
export function hashWithoutSeal(header: Header): Hash {
  const isSealed = (position: number) => position !== SEAL.mixHash && position !== SEAL.nonce
  return toHash(keccak256(encodeRlp(ethereumItems(header).filter((_, position) => isSealed(position)))))
}
