/**
 * Checks KZG proofs, which prove that the polynomial of a commitment has the value y at the point z (EIP-4844), with the curve BLS12-381 in
 * mcl and points of Ethereum's trusted setup.
 */

import { bigIntToBytes32, bytesToBigInt, fromHex } from '../base/hex.ts'
import { invariant } from '../base/invariant.ts'
import { once } from '../base/once.ts'
import { BLS_MODULUS, bls12381 } from './bls12-381.ts'
import { CEREMONY } from './ceremony-code.ts'
import { SIZE, type PairingCurve } from './pairing-curve.ts'

/** Order of the groups. Numbers in a blob are below it. */
export const KZG_MODULUS = 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001n

/** Length of a compressed point of G1 in bytes. */
const COMPRESSED_BYTES = 48

/** Flags in the first byte of a compressed point: compressed, infinite, and the mask that also has the flag of the larger y. */
const COMPRESSED = 0x80
const INFINITE = 0x40
const FLAGS = 0xe0

/** The curve, and the points in mcl's memory that all checks use. @throws NodeError 'internal' if mcl is missing */
export const kzgSetup = once(() => {
  const curve = bls12381()
  /** The powers 0 to 63 of the secret times the generator of G1, in an array. */
  const powers = curve.mcl.take(CEREMONY.powers.length * SIZE.g1)
  for (const [index, power] of CEREMONY.powers.entries()) {
    decompress(curve, 'mclBnG1_deserialize', powers + index * SIZE.g1, power)
  }
  const pairWith = (compressed: string): number => {
    const points = curve.mcl.take(2 * SIZE.g2)
    decompress(curve, 'mclBnG2_deserialize', points, CEREMONY.generator)
    decompress(curve, 'mclBnG2_deserialize', points + SIZE.g2, compressed)
    return points
  }
  /** Arrays of two points of G2: the generator, and the generator times the secret or times its 64th power. */
  const pairs = {
    secret: pairWith(CEREMONY.secret),
    secretTo64: pairWith(CEREMONY.secretTo64),
  }
  return { curve, powers, pairs }
})

function decompress({ mcl }: PairingCurve, name: string, at: number, compressed: string): void {
  const bytes = fromHex(compressed)
  invariant(mcl.run(name, at, mcl.put(bytes), bytes.length) === bytes.length, `${name} refuses a constant`)
}

/** Reads a compressed point of G1; returns whether it is valid and has the right order. */
export function readCompressed({ mcl }: PairingCurve, bytes: Uint8Array, at: number): boolean {
  if (bytes.length !== COMPRESSED_BYTES) return false
  const first = bytes[0] ?? 0
  const x = bytesToBigInt(Uint8Array.of(first & ~FLAGS, ...bytes.subarray(1)))
  if ((first & COMPRESSED) === 0 || x >= BLS_MODULUS) return false
  if ((first & INFINITE) !== 0) {
    mcl.run('mclBnG1_clear', at)
    return (first & FLAGS) === (COMPRESSED | INFINITE) && x === 0n
  }
  if (mcl.run('mclBnG1_deserialize', at, mcl.put(bytes), bytes.length) !== bytes.length) return false
  return mcl.run('mclBnG1_isValidOrder', at) === 1
}

export function sumOfProducts(curve: PairingCurve, points: number, factors: readonly bigint[]): number {
  const { mcl } = curve
  const scalars = mcl.take(factors.length * SIZE.fr)
  for (const [index, factor] of factors.entries()) {
    curve.readScalar(bigIntToBytes32(factor), scalars + index * SIZE.fr)
  }
  const sum = mcl.take(SIZE.g1)
  mcl.run('mclBnG1_mulVec', sum, points, scalars, factors.length)
  return sum
}

/** The claim that the polynomial of the commitment has a value (`y` in EIP-4844) at a point (`z`). */
export interface KzgClaim {
  /** A point of G1, compressed to 48 bytes; the proof has the same form. */
  readonly commitment: Uint8Array
  readonly place: Uint8Array
  readonly value: Uint8Array
  readonly proof: Uint8Array
}

/** Whether the proof is valid; false also for an invalid point or a number that is not below the modulus. */
export function isKzgProven({ commitment, place, value, proof }: KzgClaim): boolean {
  if (bytesToBigInt(place) >= KZG_MODULUS || bytesToBigInt(value) >= KZG_MODULUS) return false
  const { curve, powers, pairs } = kzgSetup()
  const { mcl } = curve
  return mcl.scope(() => {
    const [left, points, factors] = [mcl.take(2 * SIZE.g1), mcl.take(2 * SIZE.g1), mcl.take(2 * SIZE.fr)]
    if (!readCompressed(curve, commitment, left) || !readCompressed(curve, proof, points)) return false
    // The proof is valid if e(commitment + z proof - y G1, G2) e(-proof, secret G2) is one.
    mcl.run('mclBnG1_neg', points + SIZE.g1, powers)
    curve.readScalar(place, factors)
    curve.readScalar(value, factors + SIZE.fr)
    const sum = mcl.take(SIZE.g1)
    mcl.run('mclBnG1_mulVec', sum, points, factors, 2)
    mcl.run('mclBnG1_add', left, left, sum)
    mcl.run('mclBnG1_neg', left + SIZE.g1, points)
    return curve.isProductOne(left, pairs.secret, 2)
  })
}
