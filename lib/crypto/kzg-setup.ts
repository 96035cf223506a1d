/** Sets up the verification of KZG proofs: the curve BLS12-381 in mcl, and points of Ethereum's trusted setup. */

import { bigIntToBytes32, bytesToBigInt, fromHex } from '../base/hex.ts'
import { invariant } from '../base/invariant.ts'
import { BLS_MODULUS, blsField, bls12381 } from './bls12-381.ts'
import { FixedPairing } from './fixed-pairing.ts'
import {
  POWERS_IN_FIRST_GROUP,
  SECRET_IN_SECOND_GROUP,
  SECRET_TO_64_IN_SECOND_GROUP,
} from './kzg-ceremony.ts'
import { SIZE } from './mcl.ts'
import type { PairingCurve } from './pairing-curve.ts'
import { isInBls12381G1 } from './subgroup.ts'

/** Order of the groups. Numbers in a blob are below it. */
export const KZG_MODULUS = 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001n

/** Generator of G2, compressed (RFC 9380, 8.8). */
const SECOND_GENERATOR =
  '93e02b6052719f607dacd3a088274f65596bd0d09920b61ab5da61bbdc7f5049334cf11213945d57e5ac7d055d042b7e' +
  '024aa2b2f08f0a91260805272dc51051c6e47ad4fa403b02b4510b647ae3d1770bac0326a805bbefd48056c8c121bdb8'

/** Length of a compressed point of G1 in bytes. */
const COMPRESSED_BYTES = 48

/** Flags in the first byte of a compressed point: compressed, infinite, and all flags with that of the larger y. */
const COMPRESSED = 0x80
const INFINITE = 0x40
const FLAGS = 0xe0

/**
 * The curve, and points that all checks use. `powers` is an address in mcl's memory; `lines` has addresses in the memory of
 * `Fp12`.
 */
export interface KzgSetup {
  readonly curve: PairingCurve
  /** The powers 0 to 63 of the secret times the generator of G1, in an array. */
  readonly powers: number
  readonly pairing: FixedPairing
  /**
   * Precomputed lines of the Miller loop (fixed-pairing.ts) for three points of G2: the generator, the generator times the
   * secret, and the generator times the 64th power of the secret.
   */
  readonly lines: Readonly<Record<'generator' | 'secret' | 'secretTo64', number>>
}

let started: KzgSetup | undefined

/** The setup, created at its first use. @throws NodeError 'internal' if mcl is missing */
export function kzgSetup(): KzgSetup {
  if (started !== undefined) return started
  const curve = bls12381()
  const powers = curve.mcl.take(POWERS_IN_FIRST_GROUP.length * SIZE.g1)
  for (const [index, power] of POWERS_IN_FIRST_GROUP.entries()) {
    decompress(curve, 'mclBnG1_deserialize', powers + index * SIZE.g1, power)
  }
  const pairing = new FixedPairing(curve.mcl, blsField())
  const linesOf = (compressed: string): number => {
    const point = curve.mcl.take(SIZE.g2)
    decompress(curve, 'mclBnG2_deserialize', point, compressed)
    return pairing.linesOf(point)
  }
  const lines = {
    generator: linesOf(SECOND_GENERATOR),
    secret: linesOf(SECRET_IN_SECOND_GROUP),
    secretTo64: linesOf(SECRET_TO_64_IN_SECOND_GROUP),
  }
  started = { curve, powers, pairing, lines }
  return started
}

function decompress({ mcl }: PairingCurve, name: string, at: number, compressed: string): void {
  const bytes = fromHex(`0x${compressed}`)
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
  return isInBls12381G1(mcl, at)
}

/** The sum of points of G1, each times its factor; the points are an array in memory. */
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
