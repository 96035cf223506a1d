/** Operations on secp256k1, with the input checks for both implementations. */

import { NodeError, invalidParams } from '../base/errors.ts'
import { bigIntToBytes32, bytesToBigInt, equalBytes, plainView } from '../base/hex.ts'
import { InvariantError } from '../base/invariant.ts'

/** Order of the group of points of secp256k1 (SEC 2, section 2.4.1). */
export const SECP256K1_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

export type Recovery = 0 | 1

/** An ECDSA signature from which the signer can be recovered. */
export interface Signature {
  /** 32 bytes. */
  readonly r: Uint8Array
  /** 32 bytes; signatures made here have s in the lower half of the order. */
  readonly s: Uint8Array
  readonly recovery: Recovery
}

/** What an implementation provides. Its callers have checked the input. Points have 65 bytes with prefix. */
export interface RawCurve {
  readonly name: string
  sign(hash: Uint8Array, privateKey: Uint8Array): { readonly rs: Uint8Array; readonly recovery: number }
  /** Public key, 65 bytes with prefix; throws or returns undefined if no key can have signed. */
  recover(hash: Uint8Array, rs: Uint8Array, recovery: Recovery): Uint8Array | undefined
  /** Whether a key made a signature with low s. */
  verify(hash: Uint8Array, rs: Uint8Array, publicKey: Uint8Array): boolean
  /** Public key, 65 bytes with prefix. */
  publicKey(privateKey: Uint8Array): Uint8Array
  /** Throws if the encoding is invalid. */
  decompress(encoded: Uint8Array): Uint8Array
  add(left: Uint8Array, right: Uint8Array): Uint8Array
  /** The scalar is above zero and below the order. */
  multiply(point: Uint8Array, scalar: Uint8Array): Uint8Array
}

/** Order of the group, in bytes to compare. */
const ORDER = bigIntToBytes32(SECP256K1_ORDER)
const ZERO = Buffer.alloc(32)

/** Operations on secp256k1. A point has 64 bytes: x and y. The point at infinity has no coordinates and is `undefined`. */
export class Curve {
  readonly #load: () => RawCurve

  /** `load` is called before every operation and returns the implementation. */
  constructor(load: () => RawCurve) {
    this.#load = load
  }

  get name(): string {
    return this.#load().name
  }

  /** Signs a hash deterministically (RFC 6979), with low s (EIP-2). @throws NodeError 'invalidParams' for an invalid key. */
  sign(hash: Uint8Array, privateKey: Uint8Array): Signature {
    requirePrivateKey(privateKey)
    const { rs, recovery } = this.#load().sign(checkedHash(hash), plainView(privateKey))
    return { r: rs.slice(0, 32), s: rs.slice(32, 64), recovery: asRecovery(recovery) }
  }

  /** Public key of the signer, also for high s, as ecrecover must. @throws NodeError 'invalidParams' if no key can have signed. */
  recover(hash: Uint8Array, signature: Signature): Uint8Array {
    const rs = joinScalars(signature)
    return withoutPrefix(recoverKey(this.#load(), checkedHash(hash), rs, asRecovery(signature.recovery)))
  }

  /** Whether a key made the signature of a hash. High s is refused (BIP-62). */
  verify(hash: Uint8Array, { r, s }: Pick<Signature, 'r' | 's'>, publicKey: Uint8Array): boolean {
    if (!isScalar(r) || !isScalar(s)) return false
    return this.#load().verify(checkedHash(hash), Uint8Array.of(...r, ...s), withPrefix(publicKey))
  }

  /** Public key of a private key. @throws NodeError 'invalidParams' if the private key is invalid. */
  publicKey(privateKey: Uint8Array): Uint8Array {
    requirePrivateKey(privateKey)
    return withoutPrefix(this.#load().publicKey(plainView(privateKey)))
  }

  /** Whether the bytes are a private key: 32 bytes, not zero, below the order of the curve. */
  isPrivateKey(bytes: Uint8Array): boolean {
    return isScalar(bytes)
  }

  /** Decodes a key of 33 or 65 bytes (SEC 1, section 2.3.4); undefined if it is invalid. */
  decodePoint(encoded: Uint8Array): Uint8Array | undefined {
    if (!isEncoding(encoded)) return undefined
    try {
      return this.#load().decompress(plainView(encoded)).slice(1)
    } catch {
      return undefined
    }
  }

  /** Encodes a point in 33 bytes (SEC 1, section 2.3.3). */
  encodePoint(point: Uint8Array): Uint8Array {
    const isOdd = ((withPrefix(point)[64] ?? 0) & 1) === 1
    return Uint8Array.of(isOdd ? 3 : 2, ...point.subarray(0, 32))
  }

  /** Sum of two points of the curve; undefined if it is the point at infinity. */
  addPoints(left: Uint8Array, right: Uint8Array): Uint8Array | undefined {
    if (areOpposite(left, right)) return undefined
    return this.#load().add(withPrefix(left), withPrefix(right)).slice(1)
  }

  /** Product of a point and a scalar, which may be above the order; undefined if it is the point at infinity. */
  multiply(point: Uint8Array, scalar: Uint8Array): Uint8Array | undefined {
    const reduced = bytesToBigInt(scalar) % SECP256K1_ORDER
    if (reduced === 0n) return undefined
    return this.#load().multiply(withPrefix(point), bigIntToBytes32(reduced)).slice(1)
  }
}

// Hybrid encodings (06, 07) are refused: implementations disagree about them.
const isEncoding = ({ length, 0: prefix }: Uint8Array): boolean =>
  length === 33 ? prefix === 2 || prefix === 3 : length === 65 && prefix === 4

/** Whether two points of the curve have the same x and different y. */
const areOpposite = (left: Uint8Array, right: Uint8Array): boolean =>
  equalBytes(left.subarray(0, 32), right.subarray(0, 32)) && !equalBytes(left, right)

function withPrefix(point: Uint8Array): Uint8Array {
  if (point.length !== 64) throw new InvariantError(`a point has 64 bytes, not ${point.length}`)
  return Uint8Array.of(4, ...point)
}

/** The parity bit of a signature. @throws NodeError 'invalidParams' if the value is neither 0 nor 1. */
export function asRecovery(value: number | bigint): Recovery {
  const bit = Number(value)
  if (bit === 0 || bit === 1) return bit
  throw invalidParams(`invalid signature: recovery bit ${value.toString()} is neither 0 nor 1`)
}

function recoverKey(raw: RawCurve, hash: Uint8Array, rs: Uint8Array, recovery: Recovery): Uint8Array {
  let key: Uint8Array | undefined
  let cause: unknown
  try {
    key = raw.recover(hash, rs, recovery)
  } catch (error) {
    cause = error
  }
  if (key !== undefined) return key
  throw new NodeError('invalidParams', 'invalid signature: no public key can have made it', { cause })
}

function joinScalars({ r, s }: Signature): Uint8Array {
  if (!isScalar(r)) throw invalidParams(`invalid signature: r ${SCALAR_RULE}`)
  if (!isScalar(s)) throw invalidParams(`invalid signature: s ${SCALAR_RULE}`)
  const rs = new Uint8Array(64)
  rs.set(r)
  rs.set(s, 32)
  return rs
}

const SCALAR_RULE = 'must be 32 bytes, above zero and below the order of secp256k1'

// The key itself must not reach a log.
function requirePrivateKey(bytes: Uint8Array): void {
  if (!isScalar(bytes)) throw invalidParams(`invalid private key: it ${SCALAR_RULE}`)
}

const isScalar = (bytes: Uint8Array): boolean =>
  bytes.length === 32 && Buffer.compare(bytes, ZERO) > 0 && Buffer.compare(bytes, ORDER) < 0

function checkedHash(bytes: Uint8Array): Uint8Array {
  if (bytes.length !== 32) throw new InvariantError(`a hash has 32 bytes, not ${bytes.length}`)
  return plainView(bytes)
}

function withoutPrefix(key: Uint8Array): Uint8Array {
  if (key.length !== 65) throw new InvariantError(`a public key has 65 bytes, not ${key.length}`)
  return key.slice(1)
}
