/** Signatures on the curve P-256, which only a contract checks (EIP-7951). */

import { bigIntToBytes32, bytesToBigInt } from '../base/hex.ts'
import { Mcl, SIZE } from './mcl.ts'

/** Prime of the field, and order of the group (FIPS 186-4, D.1.2.3). */
const P = 0xffffffff00000001000000000000000000000000ffffffffffffffffffffffffn
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n

/** A point of the curve other than that at infinity. */
export interface Point {
  readonly x: bigint
  readonly y: bigint
}

let started: Mcl | undefined

/** Whether a key signed a hash; not when key or signature are out of range (SEC 1, section 4.1.4). */
export function isSignedBy(
  hash: bigint,
  { r, s }: { readonly r: bigint; readonly s: bigint },
  { x, y }: Point,
): boolean {
  if (r <= 0n || r >= ORDER || s <= 0n || s >= ORDER) return false
  if (x < 0n || x >= P || y < 0n || y >= P || (x === 0n && y === 0n)) return false
  const mcl = (started ??= new Mcl('p256'))
  return mcl.scope(() => {
    // The generator and the key, one behind the other, and their factors: hash / s and r / s.
    const points = mcl.take(2 * SIZE.g1)
    const factors = mcl.take(2 * SIZE.fr)
    const [key, keyFactor] = [points + SIZE.g1, factors + SIZE.fr]
    mcl.run('mclBnG1_getBasePoint', points)
    putElement(mcl, x, key)
    putElement(mcl, y, key + SIZE.fp)
    mcl.run('mclBnFp_setInt32', key + 2 * SIZE.fp, 1)
    if (mcl.run('mclBnG1_isValid', key) !== 1) return false
    const inverse = mcl.take(SIZE.fr)
    putScalar(mcl, s, inverse)
    mcl.run('mclBnFr_inv', inverse, inverse)
    putScalar(mcl, hash, factors)
    mcl.run('mclBnFr_mul', factors, factors, inverse)
    putScalar(mcl, r, keyFactor)
    mcl.run('mclBnFr_mul', keyFactor, keyFactor, inverse)
    const sum = mcl.take(SIZE.g1)
    mcl.run('mclBnG1_mulVec', sum, points, factors, 2)
    if (mcl.run('mclBnG1_isZero', sum) === 1) return false
    mcl.run('mclBnG1_normalize', sum, sum)
    return elementAt(mcl, sum) % ORDER === r
  })
}

function putElement(mcl: Mcl, value: bigint, at: number): void {
  mcl.run('mclBnFp_setBigEndianMod', at, mcl.put(bigIntToBytes32(value)), 32)
}

function putScalar(mcl: Mcl, value: bigint, at: number): void {
  mcl.run('mclBnFr_setBigEndianMod', at, mcl.put(bigIntToBytes32(value)), 32)
}

function elementAt(mcl: Mcl, at: number): bigint {
  const buffer = mcl.take(SIZE.fp)
  const length = mcl.run('mclBnFp_getLittleEndian', buffer, SIZE.fp, at)
  return bytesToBigInt(mcl.bytesAt(buffer, length).reverse())
}
