/** Reads transactions of the auxiliary chain, and writes the Bridge's own. */

import type { AuxReader } from '../../../base/aux-reader.ts'
import { doubleSha256 } from '../../../crypto/sha256.ts'
import { auxReader, encodeCount, littleEndian } from './aux-encoding.ts'
import { PrecompileFailure } from '../../../evm/precompile.ts'

/** An input of a transaction. */
export interface AuxInput {
  /** Id of the spent transaction in internal byte order. */
  readonly previousId: Uint8Array
  readonly previousIndex: number
  readonly script: Uint8Array
  readonly sequence: number
}

/** An output of a transaction. */
export interface AuxOutput {
  readonly sat: bigint
  readonly script: Uint8Array
}

/** The parts of a transaction. */
interface TransactionParts {
  /** Encoding without the witness, which the id does not cover. */
  readonly withoutWitness: Uint8Array
  readonly inputs: readonly AuxInput[]
  readonly outputs: readonly AuxOutput[]
  /** Witness items of each input; empty without a witness. */
  readonly witnesses: readonly (readonly Uint8Array[])[]
}

/** A decoded transaction. */
export interface AuxTransaction extends TransactionParts {
  /** In internal byte order. */
  readonly id: Uint8Array
  /** Hash of the transaction with its witness, in internal byte order; equals the id without a witness. */
  readonly witnessId: Uint8Array
}

/** Reads a transaction. @throws PrecompileFailure */
export function readAuxTransaction(bytes: Uint8Array): AuxTransaction {
  const [marker, flag = 1] = bytes.subarray(4)
  if (marker === 0 && flag !== 1) throw new PrecompileFailure('an auxiliary transaction has no inputs')
  const reader = auxReader(bytes, 'an auxiliary transaction')
  const parts = readTransactionParts(reader)
  reader.end()
  return { ...parts, id: doubleSha256(parts.withoutWitness), witnessId: doubleSha256(bytes) }
}

/** Reads the parts of a transaction. */
export function readTransactionParts(reader: AuxReader): TransactionParts {
  const version = reader.take(4)
  // A zero byte is the marker of a witness, not the number of inputs: a transaction has at least one input. A flag follows.
  const hasWitness = reader.peek() === 0
  if (hasWitness) reader.take(2)
  const start = reader.position
  const inputs = reader.list(() => ({
    previousId: reader.take(32),
    previousIndex: Number(reader.number(4)),
    script: reader.varBytes(),
    sequence: Number(reader.number(4)),
  }))
  const outputs = reader.list(() => ({ sat: reader.number(8), script: reader.varBytes() }))
  const body = reader.since(start)
  const witnesses = hasWitness ? inputs.map(() => reader.list(() => reader.varBytes())) : []
  const lockTime = reader.take(4)
  return { withoutWitness: Buffer.concat([version, body, lockTime]), inputs, outputs, witnesses }
}

/** Version of the Bridge's transactions. */
const VERSION = 2

/** The bytes of a transaction without witness. */
export function writeAuxTransaction(inputs: readonly AuxInput[], outputs: readonly AuxOutput[]): Uint8Array {
  const spent = inputs.flatMap(({ previousId, previousIndex, script, sequence }) => [
    previousId,
    littleEndian(previousIndex, 4),
    encodeCount(script.length),
    script,
    littleEndian(sequence, 4),
  ])
  const paid = outputs.flatMap(({ sat, script }) => [
    littleEndian(sat, 8),
    encodeCount(script.length),
    script,
  ])
  return new Uint8Array(
    Buffer.concat([
      littleEndian(VERSION, 4),
      encodeCount(inputs.length),
      ...spent,
      encodeCount(outputs.length),
      ...paid,
      littleEndian(0, 4),
    ]),
  )
}
