import { describe, expect, test } from '@jest/globals'
import { areCellsProven, isBlobProven } from '../../lib/crypto/blob-proofs.ts'
import { BLOB, CELL_PROOFS, COMMITMENT, PROOF, kzg } from '../support/blobs.ts'

const whole = { blob: BLOB, commitment: COMMITMENT, proofs: [PROOF] }
const cells = { ...whole, proofs: CELL_PROOFS }

/** The point at infinity, compressed: commitment and proof of a blob of zeros. */
const NEUTRAL = Uint8Array.of(0xc0, ...new Uint8Array(47))
const ZEROS = { blob: new Uint8Array(131_072), commitment: NEUTRAL, proofs: [NEUTRAL] }

const changed = (bytes: Uint8Array, at: number) => bytes.with(at, (bytes[at] ?? 0) ^ 1)

describe('the proof of a blob', () => {
  test.each([
    ['made by c-kzg', whole],
    ['of zeros', ZEROS],
  ])('is valid: %s', (_which, committed) => {
    expect(isBlobProven(committed)).toBe(true)
  })

  test('is valid with commitment and proof of another implementation', () => {
    const blob = new Uint8Array(131_072).fill(7, 1, 32).fill(9, 131_041)
    const commitment = kzg.blobToKzgCommitment(blob)
    expect(isBlobProven({ blob, commitment, proofs: [kzg.computeBlobKzgProof(blob, commitment)] })).toBe(true)
  })

  test.each([
    ['of another blob', { ...whole, blob: changed(BLOB, 131_071) }],
    ['of another commitment', { ...whole, commitment: NEUTRAL }],
    ['that is another point', { ...whole, proofs: [COMMITMENT] }],
    ['that is not a point', { ...whole, proofs: [new Uint8Array(48).fill(255)] }],
    ['of a blob with a number beyond the modulus', { ...whole, blob: changed(BLOB, 0).fill(255, 0, 32) }],
    ['of a blob that is too short', { ...whole, blob: BLOB.subarray(32) }],
    ['that is missing', { ...whole, proofs: [] }],
    ['that is one of two', { ...whole, proofs: [PROOF, PROOF] }],
  ])('is invalid: one %s', (_which, committed) => {
    expect(isBlobProven(committed)).toBe(false)
  })
})

describe('the proofs of cells', () => {
  test('are valid if made by c-kzg', () => {
    expect(areCellsProven([cells])).toBe(true)
  })

  test('are valid for several blobs together', () => {
    const zeros = { ...ZEROS, proofs: new Array<Uint8Array>(128).fill(NEUTRAL) }
    expect(areCellsProven([zeros, cells])).toBe(true)
    expect(areCellsProven([{ ...zeros, commitment: COMMITMENT }, cells])).toBe(false)
  })

  test.each([
    ['of another blob', { ...cells, blob: changed(BLOB, 63) }],
    ['of another commitment', { ...cells, commitment: NEUTRAL }],
    ['in another order', { ...cells, proofs: CELL_PROOFS.toReversed() }],
    ['with a wrong last proof', { ...cells, proofs: CELL_PROOFS.with(127, PROOF) }],
    ['with one that is not a point', { ...cells, proofs: CELL_PROOFS.with(5, new Uint8Array(48)) }],
    ['with one missing', { ...cells, proofs: CELL_PROOFS.slice(1) }],
    ['of a blob that is too short', { ...cells, blob: BLOB.subarray(32) }],
    ['of a commitment that is not a point', { ...cells, commitment: new Uint8Array(48) }],
  ])('are invalid: %s', (_which, committed) => {
    expect(areCellsProven([committed])).toBe(false)
  })
})
