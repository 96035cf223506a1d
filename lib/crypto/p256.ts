/**
 * Verifies signatures on the curve P-256 (EIP-7951) with OpenSSL's Diffie-Hellman, which is part of Node.
 *
 * OpenSSL's own verification cannot be used, because Node always hashes the message first. ECDSA compares r with the x
 * coordinate of `u1 * G + u2 * key`, which is `u2 * (key + (u1 / u2) * G)`. Diffie-Hellman yields the x coordinate of a
 * private key times a public key, here of `u2` times the sum in brackets.
 */

import { createECDH } from 'node:crypto'
import type { ECDH } from 'node:crypto'
import { bigIntToBytes32, bytesToBigInt } from '../base/hex.ts'

/** Prime of the field, order of the group, and constant term of the equation (FIPS 186-4, D.1.2.3). */
const P = 0xffffffff00000001000000000000000000000000ffffffffffffffffffffffffn
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
const B = 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn

/** Prefix of an uncompressed point (SEC 1, section 2.3.3). */
const UNCOMPRESSED = 4

/** A point of the curve, not the point at infinity. */
export interface Point {
  readonly x: bigint
  readonly y: bigint
}

let started: ECDH | undefined

/** Whether a key signed a hash; false if key or signature are out of range (SEC 1, section 4.1.4). */
export function isSignedBy(
  hash: bigint,
  { r, s }: { readonly r: bigint; readonly s: bigint },
  key: Point,
): boolean {
  if (r <= 0n || r >= ORDER || s <= 0n || s >= ORDER || !isOnCurve(key)) return false
  started ??= createECDH('prime256v1')
  const inverse = inverted((r * s) % ORDER, ORDER)
  const sum = sumWithMultiple(started, key, (((hash * s) % ORDER) * inverse) % ORDER)
  if (sum === undefined) return false
  started.setPrivateKey(bigIntToBytes32((((r * r) % ORDER) * inverse) % ORDER))
  return bytesToBigInt(started.computeSecret(encoded(sum))) % ORDER === r
}

function isOnCurve({ x, y }: Point): boolean {
  if (x < 0n || x >= P || y < 0n || y >= P) return false
  return (y * y - (x * x - 3n) * x - B) % P === 0n
}

/** A point plus the generator times a factor below the order; undefined if the sum is the point at infinity. */
function sumWithMultiple(ecdh: ECDH, point: Point, factor: bigint): Point | undefined {
  if (factor === 0n) return point
  ecdh.setPrivateKey(bigIntToBytes32(factor))
  const multiple = ecdh.getPublicKey()
  return sumOf(point, {
    x: bytesToBigInt(multiple.subarray(1, 33)),
    y: bytesToBigInt(multiple.subarray(33)),
  })
}

function sumOf(left: Point, right: Point): Point | undefined {
  const isSameX = left.x === right.x
  if (isSameX && left.y !== right.y) return undefined
  const [rise, run] = isSameX
    ? [3n * (left.x * left.x - 1n), 2n * left.y]
    : [right.y - left.y, right.x - left.x]
  const slope = modulo(rise * inverted(modulo(run, P), P), P)
  const x = modulo(slope * slope - left.x - right.x, P)
  return { x, y: modulo(slope * (left.x - x) - left.y, P) }
}

const encoded = ({ x, y }: Point): Uint8Array =>
  Buffer.concat([Uint8Array.of(UNCOMPRESSED), bigIntToBytes32(x), bigIntToBytes32(y)])

function modulo(value: bigint, modulus: bigint): bigint {
  const rest = value % modulus
  return rest < 0n ? rest + modulus : rest
}

/** The inverse of a number above zero, by Euclid's extended algorithm. */
function inverted(value: bigint, modulus: bigint): bigint {
  let [before, rest, factorBefore, factor] = [modulus, value, 0n, 1n]
  while (rest > 0n) {
    const quotient = before / rest
    ;[before, rest] = [rest, before - quotient * rest]
    ;[factorBefore, factor] = [factor, factorBefore - quotient * factor]
  }
  return modulo(factorBefore, modulus)
}
