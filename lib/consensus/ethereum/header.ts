/** Encodes the block headers of Ethereum. */

import { EMPTY_BYTES, bigIntToBytes, fromHex, toHash } from '../../base/hex.ts'
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

/** The items that EIPs appended, up to the last one that the header has. An absent item before that is empty, as in geth. */
function appended(header: Header): readonly Uint8Array[] {
  const { baseFeePerGas, withdrawalsRoot, blobGasUsed, excessBlobGas } = header
  const items = [
    baseFeePerGas === undefined ? undefined : bigIntToBytes(baseFeePerGas),
    withdrawalsRoot === undefined ? undefined : fromHex(withdrawalsRoot),
    blobGasUsed === undefined ? undefined : bigIntToBytes(blobGasUsed),
    excessBlobGas === undefined ? undefined : bigIntToBytes(excessBlobGas),
    header.parentBeaconBlockRoot === undefined ? undefined : fromHex(header.parentBeaconBlockRoot),
    header.requestsHash === undefined ? undefined : fromHex(header.requestsHash),
  ]
  const last = items.findLastIndex((item) => item !== undefined)
  return items.slice(0, last + 1).map((item) => item ?? EMPTY_BYTES)
}

/** Positions of mix hash and nonce, which proof of work finds. */
const SEAL = { mixHash: 13, nonce: 14 }

/** Hash of the header without mix hash and nonce (Yellow Paper, 11.5). */
export function hashWithoutSeal(header: Header): Hash {
  const isSealed = (position: number) => position !== SEAL.mixHash && position !== SEAL.nonce
  return toHash(keccak256(encodeRlp(ethereumItems(header).filter((_, position) => isSealed(position)))))
}
