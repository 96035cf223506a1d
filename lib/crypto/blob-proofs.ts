/**
 * Checks the commitments of blobs with one proof per blob (EIP-4844) or one per cell of a blob (EIP-7594).
 * Checking needs only some points of the ceremony. Making commitments and proofs needs all of them and is left to clients.
 */

import { bigIntToBytes, bigIntToBytes32, bytesToBigInt } from '../base/hex.ts'
import { KZG_MODULUS, isKzgProven, kzgSetup, readCompressed, sumOfProducts } from './kzg.ts'
import { SIZE } from './pairing-curve.ts'
import { modularPower } from './modular-power.ts'
import { sha256 } from './sha256.ts'

/** Field elements in a blob (FIELD_ELEMENTS_PER_BLOB of EIP-4844): the values of a polynomial at roots of unity. */
export const ELEMENTS_PER_BLOB = 4096

export const BYTES_PER_BLOB = 32 * ELEMENTS_PER_BLOB

/** Cells of an extended blob, which has twice the length (CELLS_PER_EXT_BLOB of EIP-7594). */
export const CELLS_PER_BLOB = 128

/** Field elements in a cell (FIELD_ELEMENTS_PER_CELL of EIP-7594). */
const ELEMENTS_PER_CELL = 64

/** Generator of the field's multiplicative group (PRIMITIVE_ROOT_OF_UNITY of EIP-4844). */
const GENERATOR = 7n

/** Prefix of the hashed challenge (FIAT_SHAMIR_PROTOCOL_DOMAIN of EIP-4844). */
const FIAT_SHAMIR_DOMAIN = 'FSBLOBVERIFY_V1_'

/** A blob and its commitment, with one proof for the blob or one proof for each cell. */
export interface CommittedBlob {
  readonly blob: Uint8Array
  readonly commitment: Uint8Array
  readonly proofs: readonly Uint8Array[]
}

const reduced = (value: bigint): bigint => {
  const rest = value % KZG_MODULUS
  return rest < 0n ? rest + KZG_MODULUS : rest
}

/** Whether the single proof of a blob is valid (verify_blob_kzg_proof of consensus-specs). */
export function isBlobProven({ blob, commitment, proofs: [proof, ...more] }: CommittedBlob): boolean {
  const coefficients = coefficientsOf(blob)
  if (coefficients === undefined || proof === undefined || more.length > 0) return false
  const degree = Buffer.alloc(16)
  degree.writeUInt16BE(ELEMENTS_PER_BLOB, 14)
  const z = challengeOf([Buffer.from(FIAT_SHAMIR_DOMAIN), degree, blob, commitment])
  const y = coefficients.reduceRight((sum, coefficient) => reduced(sum * z + coefficient), 0n)
  return isKzgProven({ commitment, place: bigIntToBytes32(z), value: bigIntToBytes32(y), proof })
}

/** Whether the cell proofs of all blobs are valid (verify_cell_kzg_proof_batch of consensus-specs), by two pairings. */
export function areCellsProven(blobs: readonly CommittedBlob[]): boolean {
  const polynomials = blobs.map(({ blob }) => coefficientsOf(blob))
  if (blobs.some(({ proofs }) => proofs.length !== CELLS_PER_BLOB)) return false
  const challenge = challengeOf(
    blobs.flatMap(({ blob, commitment, proofs }) => [blob, commitment, ...proofs]),
  )
  const weights: bigint[] = []
  for (let weight = challenge; weights.length < blobs.length * CELLS_PER_BLOB; weight *= challenge) {
    weight = reduced(weight)
    weights.push(weight)
  }
  const remainder = new Array<bigint>(ELEMENTS_PER_CELL).fill(0n)
  for (const [index, coefficients] of polynomials.entries()) {
    if (coefficients === undefined) return false
    addRemainder(remainder, coefficients, weightsOf(weights, index))
  }
  return isCombinationProven(blobs, weights, remainder)
}

const weightsOf = (weights: readonly bigint[], blob: number): readonly bigint[] =>
  weights.slice(blob * CELLS_PER_BLOB, (blob + 1) * CELLS_PER_BLOB)

/** Adds the remainders of a blob's cells. A cell's polynomial is the blob's modulo x^64 - c, where c is in COSETS. */
function addRemainder(
  remainder: bigint[],
  coefficients: readonly bigint[],
  weights: readonly bigint[],
): void {
  const powers = weights.map((power, index) => ({ power, coset: COSETS[index] ?? 0n }))
  for (let start = 0; start < ELEMENTS_PER_BLOB; start += ELEMENTS_PER_CELL) {
    const factor = reduced(sumOf(powers.map(({ power }) => power)))
    for (let index = 0; index < ELEMENTS_PER_CELL; index++) {
      const term = factor * (coefficients[start + index] ?? 0n)
      remainder[index] = reduced((remainder[index] ?? 0n) + term)
    }
    for (const one of powers) one.power = reduced(one.power * one.coset)
  }
}

/** Checks the weighted sums of all proofs and of all commitments. */
function isCombinationProven(
  blobs: readonly CommittedBlob[],
  weights: readonly bigint[],
  remainder: readonly bigint[],
): boolean {
  const { curve, powers, pairs } = kzgSetup()
  const { mcl } = curve
  return mcl.scope(() => {
    const [proofs, commitments] = [mcl.take(weights.length * SIZE.g1), mcl.take(blobs.length * SIZE.g1)]
    const areRead = (points: readonly Uint8Array[], at: number): boolean =>
      points.every((point, index) => readCompressed(curve, point, at + index * SIZE.g1))
    const compressed = blobs.map(({ commitment }) => commitment)
    if (
      !areRead(compressed, commitments) ||
      !areRead(
        blobs.flatMap(({ proofs: own }) => own),
        proofs,
      )
    )
      return false
    const commitmentWeights = blobs.map((_, blob) => reduced(sumOf(weightsOf(weights, blob))))
    const shifted = weights.map((weight, index) => reduced(weight * (COSETS[index % CELLS_PER_BLOB] ?? 0n)))
    const left = mcl.take(2 * SIZE.g1)
    const sum = sumOfProducts(curve, commitments, commitmentWeights)
    mcl.run('mclBnG1_sub', sum, sum, sumOfProducts(curve, powers, remainder))
    mcl.run('mclBnG1_add', left, sum, sumOfProducts(curve, proofs, shifted))
    mcl.run('mclBnG1_neg', left + SIZE.g1, sumOfProducts(curve, proofs, weights))
    return curve.isProductOne(left, pairs.secretTo64, 2)
  })
}

const sumOf = (values: readonly bigint[]): bigint => values.reduce((sum, value) => sum + value, 0n)

function reversedBits(cell: number): number {
  let reversed = 0
  for (let bit = 1; bit < CELLS_PER_BLOB; bit <<= 1) reversed = (reversed << 1) | ((cell & bit) === 0 ? 0 : 1)
  return reversed
}

const rootOfUnity = (order: number): bigint => powerOf(GENERATOR, (KZG_MODULUS - 1n) / BigInt(order))

const powerOf = (base: bigint, exponent: bigint): bigint =>
  modularPower(base, bigIntToBytes(exponent), KZG_MODULUS)

/** The constant of each cell's coset: the 64th power of its evaluation points. 128th roots of unity, in bit-reversed order. */
const COSETS: readonly bigint[] = (() => {
  const root = rootOfUnity(CELLS_PER_BLOB)
  const powers = [1n]
  for (let power = root; powers.length < CELLS_PER_BLOB; power = reduced(power * root)) powers.push(power)
  return powers.map((_, cell) => powers[reversedBits(cell)] ?? 0n)
})()

const challengeOf = (parts: readonly Uint8Array[]): bigint =>
  reduced(bytesToBigInt(sha256(Buffer.concat(parts))))

/**
 * Coefficients, lowest first, of the polynomial whose values the blob holds in bit-reversed order (inverse fast Fourier
 * transform). Undefined if the blob has a wrong length or contains a number that is not below the modulus.
 */
function coefficientsOf(blob: Uint8Array): readonly bigint[] | undefined {
  if (blob.length !== BYTES_PER_BLOB) return undefined
  const values = Array.from({ length: ELEMENTS_PER_BLOB }, (_, index) =>
    bytesToBigInt(blob.subarray(32 * index, 32 * index + 32)),
  )
  if (values.some((value) => value >= KZG_MODULUS)) return undefined
  for (let half = 1; half < ELEMENTS_PER_BLOB; half *= 2) combineHalves(values, half)
  const scale = powerOf(BigInt(ELEMENTS_PER_BLOB), KZG_MODULUS - 2n)
  return values.map((value) => reduced(value * scale))
}

/** One step of the transform: pairs of neighbouring runs of values become runs of twice the length. */
function combineHalves(values: bigint[], half: number): void {
  const root = powerOf(rootOfUnity(2 * half), BigInt(2 * half - 1))
  let factor = 1n
  for (let index = 0; index < half; index++) {
    for (let at = index; at < ELEMENTS_PER_BLOB; at += 2 * half) {
      const even = values[at] ?? 0n
      const odd = reduced((values[at + half] ?? 0n) * factor)
      values[at] = reduced(even + odd)
      values[at + half] = reduced(even - odd)
    }
    factor = reduced(factor * root)
  }
}
