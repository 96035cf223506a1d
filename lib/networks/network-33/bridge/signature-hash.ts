/** Hashes that signatures of auxiliary transactions cover, for signatures of the whole transaction (SIGHASH_ALL). */

import { EMPTY_BYTES } from '../../../base/hex.ts'
import { doubleSha256 } from '../../../crypto/sha256.ts'
import { littleEndian } from './aux-encoding.ts'
import { outpoint, withLength, writeInputs, writeOutput, writeOutputs } from './aux-transaction.ts'
import type { AuxTransaction } from './aux-transaction.ts'

interface SignedInput {
  readonly index: number
  /** The redeem script. */
  readonly script: Uint8Array
}

/** SIGHASH_ALL, in the form in which the hashes end. */
const SIGHASH_ALL = littleEndian(1, 4)

const hashOf = (parts: readonly Uint8Array[]): Uint8Array => doubleSha256(Buffer.concat(parts))

const versionOf = ({ withoutWitness }: AuxTransaction): Uint8Array => withoutWitness.subarray(0, 4)
const lockTimeOf = ({ withoutWitness }: AuxTransaction): Uint8Array => withoutWitness.subarray(-4)

/** The hash for an input without witness. It covers no script but the redeem script of the input. */
export function plainSignatureHash(transaction: AuxTransaction, { index, script }: SignedInput): Uint8Array {
  const inputs = transaction.inputs.map((input, position) => ({
    ...input,
    script: position === index ? script : EMPTY_BYTES,
  }))
  return hashOf([
    versionOf(transaction),
    writeInputs(inputs),
    writeOutputs(transaction.outputs),
    lockTimeOf(transaction),
    SIGHASH_ALL,
  ])
}

/** The hash for an input with witness, whose coin has a value in sat (BIP-143). */
export function witnessSignatureHash(
  transaction: AuxTransaction,
  { index, script }: SignedInput,
  sat: bigint,
): Uint8Array {
  const { inputs, outputs } = transaction
  const sequences = inputs.map(({ sequence }) => littleEndian(sequence, 4))
  const own = inputs.slice(index, index + 1)
  return hashOf([
    versionOf(transaction),
    hashOf(inputs.map(outpoint)),
    hashOf(sequences),
    ...own.map(outpoint),
    withLength(script),
    littleEndian(sat, 8),
    ...sequences.slice(index, index + 1),
    hashOf(outputs.map(writeOutput)),
    lockTimeOf(transaction),
    SIGHASH_ALL,
  ])
}
