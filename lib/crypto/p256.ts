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

/** What all signatures are checked with. */
interface Setup {
  readonly mcl: Mcl
  /** Multiples of the generator: for each byte of a factor, least first, by 0 to 255 in its place. */
  readonly multiples: number
}

let started: Setup | undefined

/** Multiples for a byte. */
const PER_BYTE = 256

const FACTOR_BYTES = 32

/** Works out the multiples once: they save two thirds of a multiplication of the generator, the same for every key. */
function setup(): Setup {
  if (started !== undefined) return started
  const mcl = new Mcl('p256')
  const count = FACTOR_BYTES * PER_BYTE
  const multiples = mcl.take(count * SIZE.g1)
  const unit = mcl.take(SIZE.g1)
  mcl.run('mclBnG1_getBasePoint', unit)
  for (let byte = 0; byte < FACTOR_BYTES; byte++) {
    const first = multiples + byte * PER_BYTE * SIZE.g1
    mcl.run('mclBnG1_clear', first)
    for (let index = 1; index < PER_BYTE; index++) {
      const at = first + index * SIZE.g1
      mcl.run('mclBnG1_add', at, at - SIZE.g1, unit)
    }
    mcl.run('mclBnG1_add', unit, first + (PER_BYTE - 1) * SIZE.g1, unit)
    mcl.run('mclBnG1_normalize', unit, unit)
  }
  mcl.run('mclBnG1_normalizeVec', multiples, multiples, count)
  started = { mcl, multiples }
  return started
}

/** Whether a key signed a hash; not when key or signature are out of range (SEC 1, section 4.1.4). */
export function isSignedBy(
  hash: bigint,
  { r, s }: { readonly r: bigint; readonly s: bigint },
  { x, y }: Point,
): boolean {
  if (r <= 0n || r >= ORDER || s <= 0n || s >= ORDER) return false
  if (x < 0n || x >= P || y < 0n || y >= P || (x === 0n && y === 0n)) return false
  const { mcl, multiples } = setup()
  return mcl.scope(() => {
    const sum = mcl.take(SIZE.g1)
    putElement(mcl, x, sum)
    putElement(mcl, y, sum + SIZE.fp)
    mcl.run('mclBnFp_setInt32', sum + 2 * SIZE.fp, 1)
    if (mcl.run('mclBnG1_isValid', sum) !== 1) return false
    const inverse = putScalar(mcl, s)
    mcl.run('mclBnFr_inv', inverse, inverse)
    const [keyFactor, generatorFactor] = [putScalar(mcl, r), putScalar(mcl, hash)]
    mcl.run('mclBnFr_mul', keyFactor, keyFactor, inverse)
    mcl.run('mclBnFr_mul', generatorFactor, generatorFactor, inverse)
    mcl.run('mclBnG1_mul', sum, sum, keyFactor)
    for (const [byte, index] of digitsOf(mcl, generatorFactor).entries()) {
      mcl.run('mclBnG1_add', sum, sum, multiples + (byte * PER_BYTE + index) * SIZE.g1)
    }
    if (mcl.run('mclBnG1_isZero', sum) === 1) return false
    mcl.run('mclBnG1_normalize', sum, sum)
    return elementAt(mcl, sum) % ORDER === r
  })
}

/** Bytes of a scalar, least first. */
function digitsOf(mcl: Mcl, at: number): Uint8Array {
  const buffer = mcl.take(FACTOR_BYTES)
  return mcl.bytesAt(buffer, mcl.run('mclBnFr_getLittleEndian', buffer, FACTOR_BYTES, at))
}

function putElement(mcl: Mcl, value: bigint, at: number): void {
  mcl.run('mclBnFp_setBigEndianMod', at, mcl.put(bigIntToBytes32(value)), 32)
}

function putScalar(mcl: Mcl, value: bigint): number {
  const at = mcl.take(SIZE.fr)
  mcl.run('mclBnFr_setBigEndianMod', at, mcl.put(bigIntToBytes32(value)), 32)
  return at
}

function elementAt(mcl: Mcl, at: number): bigint {
  const buffer = mcl.take(SIZE.fp)
  const length = mcl.run('mclBnFp_getLittleEndian', buffer, SIZE.fp, at)
  return bytesToBigInt(mcl.bytesAt(buffer, length).reverse())
}
