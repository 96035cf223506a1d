/** Arithmetic of points of secp256k1. Keys and signatures are in curve.ts. */

import { bigIntToBytes32, bytesToBigInt, equalBytes } from '../base/hex.ts'
import { InvariantError } from '../base/invariant.ts'

/** Operations on points, each 64 bytes: x and y. The point at infinity has no coordinates and is `undefined`. */
export interface PointArithmetic {
  /** Decodes a key of 33 or 65 bytes (SEC 1, section 2.3.4); undefined if it is invalid. */
  decodePoint(encoded: Uint8Array): Uint8Array | undefined
  /** Encodes a point in 33 bytes (SEC 1, section 2.3.3). */
  encodePoint(point: Uint8Array): Uint8Array
  /** Sum of two points of the curve; undefined if it is the point at infinity. */
  addPoints(left: Uint8Array, right: Uint8Array): Uint8Array | undefined
  /** Product of a point and a scalar, which may be above the order; undefined if it is the point at infinity. */
  multiply(point: Uint8Array, scalar: Uint8Array): Uint8Array | undefined
}

/** Functions that an implementation provides. Points are 65 bytes with prefix, never the point at infinity. */
export interface RawPoints {
  /** Throws if the encoding is invalid. */
  decompress(encoded: Uint8Array): Uint8Array
  add(left: Uint8Array, right: Uint8Array): Uint8Array
  /** The scalar is above zero and below the order. */
  multiply(point: Uint8Array, scalar: Uint8Array): Uint8Array
}

/** Order of the group of points of secp256k1 (SEC 2, section 2.4.1). */
export const SECP256K1_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/** Wraps an implementation with checks of its input. */
export function pointArithmetic(raw: RawPoints): PointArithmetic {
  return {
    decodePoint: (encoded) => (isEncoding(encoded) ? decode(raw, encoded) : undefined),
    encodePoint: (point) => {
      const isOdd = ((withPrefix(point)[64] ?? 0) & 1) === 1
      return Uint8Array.of(isOdd ? 3 : 2, ...point.subarray(0, 32))
    },
    addPoints: (left, right) => {
      if (areOpposite(left, right)) return undefined
      return raw.add(withPrefix(left), withPrefix(right)).slice(1)
    },
    multiply: (point, scalar) => {
      const reduced = bytesToBigInt(scalar) % SECP256K1_ORDER
      if (reduced === 0n) return undefined
      return raw.multiply(withPrefix(point), bigIntToBytes32(reduced)).slice(1)
    },
  }
}

// Hybrid encodings (06, 07) are refused: implementations disagree about them.
function isEncoding({ length, 0: prefix }: Uint8Array): boolean {
  return length === 33 ? prefix === 2 || prefix === 3 : length === 65 && prefix === 4
}

function decode(raw: RawPoints, encoded: Uint8Array): Uint8Array | undefined {
  try {
    return raw.decompress(plainView(encoded)).slice(1)
  } catch {
    return undefined
  }
}

/** Whether two points of the curve have the same x and different y. */
function areOpposite(left: Uint8Array, right: Uint8Array): boolean {
  return equalBytes(left.subarray(0, 32), right.subarray(0, 32)) && !equalBytes(left, right)
}

function withPrefix(point: Uint8Array): Uint8Array {
  if (point.length !== 64) throw new InvariantError(`a point has 64 bytes, not ${point.length}`)
  return Uint8Array.of(4, ...point)
}

// Implementations test the constructor's name; a plain view passes.
function plainView(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
