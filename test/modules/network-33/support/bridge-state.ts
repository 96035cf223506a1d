/** Decodes the result of the Bridge's `getStateForDebugging` (node-chain 10.10) with the RLP of ethereumjs. */

import { RLP } from '@ethereumjs/rlp'
import type { NestedUint8Array } from '@ethereumjs/rlp'

/** An unspent output of the federation. */
export interface ReadOutput {
  readonly sat: bigint
  readonly script: string
  readonly transactionHash: string
  readonly index: number
  readonly height: number
  readonly isCoinbase: boolean
}

/** The six items. Bytes are hex digits without prefix. */
export interface ReadBridgeState {
  readonly bestHeight: bigint
  readonly outputs: readonly ReadOutput[]
  readonly signing: readonly { readonly transactionHash: string; readonly raw: string }[]
  readonly queue: readonly {
    readonly destination: string
    readonly sat: bigint
    readonly transactionHash: string
  }[]
  readonly confirming: readonly {
    readonly raw: string
    readonly createdIn: bigint
    readonly transactionHash: string
  }[]
  readonly nextBatch: bigint
}

type Item = Uint8Array | NestedUint8Array

function bytesOf(item: Item | undefined): Uint8Array {
  if (item instanceof Uint8Array) return item
  throw new Error(`expected a byte string, got ${item === undefined ? 'nothing' : 'a list'}`)
}

const hexOf = (item: Item | undefined): string => Buffer.from(bytesOf(item)).toString('hex')
const numberOf = (item: Item | undefined): bigint => BigInt(`0x0${hexOf(item)}`)

/** Groups of a size from the encoded list in a byte string. */
function groupsIn(item: Item | undefined, size: number): Item[][] {
  const list = RLP.decode(bytesOf(item))
  if (list instanceof Uint8Array) throw new Error('expected a list')
  if (list.length % size !== 0) throw new Error(`${list.length} items are not groups of ${size}`)
  return Array.from({ length: list.length / size }, (_, index) =>
    list.slice(index * size, (index + 1) * size),
  )
}

function readOutput(item: Item | undefined): ReadOutput {
  const bytes = Buffer.from(bytesOf(item))
  const length = bytes.readUInt32LE(8)
  const rest = bytes.subarray(12 + length)
  if (rest.length !== 41) throw new Error(`${rest.length} bytes follow the script, expected 41`)
  return {
    sat: bytes.readBigUInt64LE(0),
    script: bytes.subarray(12, 12 + length).toString('hex'),
    transactionHash: rest.subarray(0, 32).toString('hex'),
    index: rest.readUInt32LE(32),
    height: rest.readUInt32LE(36),
    isCoinbase: rest[40] === 1,
  }
}

/** Reads the result. @throws Error when it is not as described */
export function readBridgeState(encoded: string): ReadBridgeState {
  const items = RLP.decode(encoded)
  if (items instanceof Uint8Array || items.length !== 6) throw new Error('expected a list of six items')
  const [height, outputs, signing, queue, confirming, next] = items
  return {
    bestHeight: numberOf(height),
    outputs: groupsIn(outputs, 1).map(([output]) => readOutput(output)),
    signing: groupsIn(signing, 2).map(([hash, raw]) => ({ transactionHash: hexOf(hash), raw: hexOf(raw) })),
    queue: groupsIn(queue, 3).map(([destination, sat, hash]) => ({
      destination: hexOf(destination),
      sat: numberOf(sat),
      transactionHash: hexOf(hash),
    })),
    confirming: groupsIn(confirming, 3).map(([raw, createdIn, hash]) => ({
      raw: hexOf(raw),
      createdIn: numberOf(createdIn),
      transactionHash: hexOf(hash),
    })),
    nextBatch: numberOf(RLP.decode(bytesOf(next))),
  }
}
