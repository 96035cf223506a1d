/** Checks KZG proofs: that a polynomial, known by its commitment, has a value at a place (EIP-4844). */

import { bytesToBigInt, fromHex } from '../base/hex.ts'
import { invariant } from '../base/invariant.ts'
import { BLS_MODULUS, bls12381 } from './bls12-381.ts'
import { SIZE } from './mcl.ts'
import type { PairingCurve } from './pairing-curve.ts'

/** Order of the groups: numbers of a blob are below it. */
export const KZG_MODULUS = 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001n

/** Generators of the two groups, compressed (RFC 9380, 8.8). */
const GENERATORS = [
  '0x97f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac586c55e83ff97a1aeffb3af00adb22c6bb',
  '0x93e02b6052719f607dacd3a088274f65596bd0d09920b61ab5da61bbdc7f5049334cf11213945d57e5ac7d055d042b7e' +
    '024aa2b2f08f0a91260805272dc51051c6e47ad4fa403b02b4510b647ae3d1770bac0326a805bbefd48056c8c121bdb8',
] as const

/** The secret of Ethereum's ceremony times the generator of the second group (its second monomial there). */
const CEREMONY =
  '0xb5bfd7dd8cdeb128843bc287230af38926187075cbfbefa81009a2ce615ac53d2914e5870cb452d2afaaab24f3499f72' +
  '185cbfee53492714734429b7b38608e23926c911cceceac9a36851477ba4c60b087041de621000edc98edada20c1def2'

/** Flags in the first byte of a compressed point: that it is compressed, infinite, and has the larger y. */
const COMPRESSED = 0x80
const INFINITE = 0x40
const FLAGS = 0xe0

/** What is claimed: the polynomial of the commitment has this value at this place. */
export interface KzgClaim {
  /** A point of the first group, compressed to 48 bytes, as the proof is. */
  readonly commitment: Uint8Array
  readonly place: Uint8Array
  readonly value: Uint8Array
  readonly proof: Uint8Array
}

/** What all checks have in common. */
interface Setup {
  readonly curve: PairingCurve
  /** The generator of the first group. */
  readonly generator: number
  /** The two points of the second group, prepared for pairings: its generator and that of the ceremony. */
  readonly lines: readonly [generator: number, ceremony: number]
}

let started: Setup | undefined

function setup(): Setup {
  if (started !== undefined) return started
  const curve = bls12381()
  const { mcl } = curve
  const [first, second] = GENERATORS
  const linesOf = (compressed: string): number => {
    const point = mcl.take(SIZE.g2)
    decompress(curve, 'mclBnG2_deserialize', point, fromHex(compressed))
    const lines = mcl.take(8 * mcl.run('mclBn_getUint64NumToPrecompute'))
    mcl.run('mclBn_precomputeG2', lines, point)
    return lines
  }
  const generator = mcl.take(SIZE.g1)
  decompress(curve, 'mclBnG1_deserialize', generator, fromHex(first))
  started = { curve, generator, lines: [linesOf(second), linesOf(CEREMONY)] }
  return started
}

function decompress({ mcl }: PairingCurve, name: string, at: number, bytes: Uint8Array): void {
  invariant(mcl.run(name, at, mcl.put(bytes), bytes.length) === bytes.length, `${name} refuses a constant`)
}

/** Whether the claim is proven; false also for what is no point or no number below the modulus. */
export function isKzgProven({ commitment, place, value, proof }: KzgClaim): boolean {
  if (bytesToBigInt(place) >= KZG_MODULUS || bytesToBigInt(value) >= KZG_MODULUS) return false
  const { curve, generator, lines } = setup()
  const { mcl } = curve
  return mcl.scope(() => {
    const [committed, proven] = [mcl.take(SIZE.g1), mcl.take(SIZE.g1)]
    if (!readCompressed(curve, commitment, committed) || !readCompressed(curve, proof, proven)) return false
    // (commitment + place proof - value G) paired with G, and -proof with the ceremony's point, have the product one.
    const points = mcl.put(Buffer.concat([mcl.bytesAt(proven, SIZE.g1), mcl.bytesAt(generator, SIZE.g1)]))
    const factors = mcl.take(2 * SIZE.fr)
    curve.readScalar(place, factors)
    curve.readScalar(value, factors + SIZE.fr)
    mcl.run('mclBnFr_neg', factors + SIZE.fr, factors + SIZE.fr)
    const sum = mcl.take(SIZE.g1)
    mcl.run('mclBnG1_mulVec', sum, points, factors, 2)
    mcl.run('mclBnG1_add', committed, committed, sum)
    mcl.run('mclBnG1_neg', proven, proven)
    return isOne(curve, [committed, proven], lines)
  })
}

function isOne(
  { mcl }: PairingCurve,
  [left, right]: readonly [number, number],
  [leftLines, rightLines]: Setup['lines'],
): boolean {
  const product = mcl.take(SIZE.gt)
  mcl.run('mclBn_precomputedMillerLoop2', product, left, leftLines, right, rightLines)
  mcl.run('mclBn_finalExp', product, product)
  return mcl.run('mclBnGT_isOne', product) === 1
}

/** Reads a compressed point of the first group; whether it is one. */
function readCompressed(curve: PairingCurve, bytes: Uint8Array, at: number): boolean {
  const { mcl } = curve
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
