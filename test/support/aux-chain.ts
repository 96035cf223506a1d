/** Builds an auxiliary chain: headers with work, blocks with transactions, and Merkle proofs. */

import { fromHex, stripZeros, toHex } from '../../lib/base/hex.ts'
import type { Hex } from '../../lib/base/hex.ts'
import { hash160 } from '../../lib/crypto/ripemd160.ts'
import type { Signature } from '../../lib/crypto/curve.ts'
import { curve } from '../../lib/crypto/secp256k1.ts'
import { doubleSha256 } from '../../lib/crypto/sha256.ts'
import { AUX_GENESIS_HEADER } from '../../lib/networks/network-33/bridge/aux-header.ts'
import { encodeCount, littleEndian } from '../../lib/networks/network-33/bridge/aux-encoding.ts'
import { federationOutputScript, genesisFederation } from '../../lib/networks/network-33/bridge/federation.ts'

const EASIEST = 0x7fffffn << 232n

export { AUX_GENESIS_HEADER }

const internalHash = (header: Uint8Array) => doubleSha256(header)
/** The hash of a header or a transaction in display byte order. */
export const shownHash = (bytes: Uint8Array) => toHex(doubleSha256(bytes).reverse())

const isSolved = (header: Uint8Array) => BigInt(shownHash(header)) <= EASIEST

/** A header on top of another, with work; `salt` makes siblings differ. */
export function mineHeader(
  parent: Uint8Array,
  merkleRoot: Uint8Array = new Uint8Array(32),
  salt = 0,
): Uint8Array {
  const header = Buffer.concat([
    littleEndian(1, 4),
    internalHash(parent),
    merkleRoot,
    littleEndian(1_296_688_700 + salt, 4),
    fromHex('0xffff7f20'),
    new Uint8Array(4),
  ])
  for (let nonce = 0; ; nonce++) {
    header.writeUInt32LE(nonce, 76)
    if (isSolved(header)) return new Uint8Array(header)
  }
}

/** The same header with a nonce that does not solve it. */
export function unsolved(header: Uint8Array): Uint8Array {
  const spoilt = Buffer.from(header)
  for (let nonce = 0; isSolved(spoilt); nonce++) spoilt.writeUInt32LE(nonce, 76)
  return new Uint8Array(spoilt)
}

/** A number of headers on top of another. */
export function mineHeaders(parent: Uint8Array, count: number, salt = 0): Uint8Array[] {
  const headers: Uint8Array[] = []
  for (let tip = parent; headers.length < count;) headers.push((tip = mineHeader(tip, undefined, salt)))
  return headers
}

/** An input of a transaction. */
export interface Spent {
  readonly script: Uint8Array
  readonly witness?: readonly Uint8Array[]
}

/** An output of a transaction. */
export interface Paid {
  readonly sat: bigint
  readonly script: Uint8Array
}

const counted = (bytes: Uint8Array) => Buffer.concat([encodeCount(bytes.length), bytes])

/** The bytes of a transaction; the witness is in it if an input has one. */
export function auxTransaction(inputs: readonly Spent[], outputs: readonly Paid[]): Uint8Array {
  const hasWitness = inputs.some(({ witness }) => witness !== undefined)
  const witness = ({ witness: items = [] }: Spent) =>
    Buffer.concat([encodeCount(items.length), ...items.map(counted)])
  return new Uint8Array(
    Buffer.concat([
      littleEndian(1, 4),
      Buffer.from(hasWitness ? [0, 1] : []),
      encodeCount(inputs.length),
      ...inputs.map(({ script }) =>
        Buffer.concat([Buffer.alloc(36, 7), counted(script), Buffer.alloc(4, 255)]),
      ),
      encodeCount(outputs.length),
      ...outputs.map(({ sat, script }) => Buffer.concat([littleEndian(sat, 8), counted(script)])),
      ...(hasWitness ? inputs.map(witness) : []),
      Buffer.alloc(4),
    ]),
  )
}

const pair = (left: Uint8Array, right: Uint8Array) => doubleSha256(Buffer.concat([left, right]))

/** A block of two transactions, the coinbase and one more, and the proof of the second. Ids in internal order. */
export function blockOfTwo(coinbaseId: Uint8Array, id: Uint8Array) {
  // Flags from the lowest bit: the root is followed, the left leaf is not matched, the right one is.
  const tree = Buffer.concat([littleEndian(2, 4), encodeCount(2), coinbaseId, id, Buffer.from([1, 0b101])])
  return { root: pair(coinbaseId, id), tree: new Uint8Array(tree) }
}

/** A block with a single transaction, and its proof. */
export function blockOfOne(id: Uint8Array) {
  return {
    root: id,
    tree: new Uint8Array(Buffer.concat([littleEndian(1, 4), encodeCount(1), id, Buffer.from([1, 1])])),
  }
}

/** The script that spends an output to a key hash. */
export function keyScript(privateKey: Uint8Array): Uint8Array {
  const key = curve.encodePoint(curve.publicKey(privateKey))
  return Uint8Array.from([71, ...new Uint8Array(71).fill(0x30), key.length, ...key])
}

/** The same for a key hash inside a script hash. */
export function witnessKeyInput(privateKey: Uint8Array): Spent {
  const key = curve.encodePoint(curve.publicKey(privateKey))
  return {
    script: Uint8Array.from([22, 0, 20, ...hash160(key)]),
    witness: [new Uint8Array(71).fill(0x30), key],
  }
}

/** A signature in DER, without the byte for the type of its hash. */
export function derOf({ r, s }: Pick<Signature, 'r' | 's'>): Hex {
  const integer = (bytes: Uint8Array) => {
    const digits = stripZeros(bytes)
    const value = (digits[0] ?? 0) < 0x80 ? digits : Uint8Array.of(0, ...digits)
    return [2, value.length, ...value]
  }
  const body = [...integer(r), ...integer(s)]
  return toHex(Uint8Array.of(0x30, body.length, ...body))
}

/** The federation of a node without options. */
const DEFAULT_FEDERATION = genesisFederation('9.0.3')

/** A payment to a federation with two blocks on top, as params of `receiveHeaders` and `registerAuxTransaction`. */
export function minedPegIn(privateKey: Uint8Array, sat: bigint, federation = DEFAULT_FEDERATION) {
  const script = federationOutputScript(federation)
  const raw = auxTransaction([{ script: keyScript(privateKey) }], [{ sat, script }])
  const { root, tree } = blockOfOne(doubleSha256(raw))
  const header = mineHeader(AUX_GENESIS_HEADER, root)
  const headers = [header, ...mineHeaders(header, 2)].map(toHex)
  return { raw, headers: [headers], registration: [toHex(raw), 1n, toHex(tree)] } as const
}
