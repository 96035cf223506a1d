/** Encoding of the auxiliary chain: reads transactions, writes the Bridge's, and computes the hashes that signatures cover. */

import { AuxReader } from '../aux-reader.ts'
import { EMPTY_BYTES } from '../../../base/hex.ts'
import { doubleSha256 } from '../../../crypto/sha256.ts'
import { PrecompileFailure } from '../../../evm/precompile.ts'

export interface AuxInput {
  /** Id of the spent transaction in internal byte order. */
  readonly previousId: Uint8Array
  readonly previousIndex: number
  readonly script: Uint8Array
  readonly sequence: number
}

export interface AuxOutput {
  readonly sat: bigint
  readonly script: Uint8Array
}

interface TransactionParts {
  /** Encoding without the witness, which the id does not cover. */
  readonly withoutWitness: Uint8Array
  readonly inputs: readonly AuxInput[]
  readonly outputs: readonly AuxOutput[]
  /** Witness items of each input; empty without a witness. */
  readonly witnesses: readonly (readonly Uint8Array[])[]
}

export interface AuxTransaction extends TransactionParts {
  /** The bytes, with the witness if there is one. */
  readonly raw: Uint8Array
  /** In internal byte order, without the witness. */
  readonly id: Uint8Array
}

/** Reads a transaction. @throws PrecompileFailure */
export function readAuxTransaction(raw: Uint8Array): AuxTransaction {
  const [marker, flag = 1] = raw.subarray(4)
  if (marker === 0 && flag !== 1) throw new PrecompileFailure('an auxiliary transaction has no inputs')
  const reader = auxReader(raw, 'an auxiliary transaction')
  const parts = readTransactionParts(reader)
  reader.end()
  return { ...parts, raw, id: doubleSha256(parts.withoutWitness) }
}

export function readTransactionParts(reader: AuxReader): TransactionParts {
  const version = reader.take(4)
  // A zero byte marks a witness, because a transaction has at least one input. A flag follows.
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

/** Begin of the script that commits to the witnesses of a block (BIP-141): OP_RETURN, length of the rest, four fixed bytes. */
export const COMMITMENT_PREFIX = Uint8Array.of(0x6a, 0x24, 0xaa, 0x21, 0xa9, 0xed)

const VERSION = littleEndian(2, 4)
const LOCK_TIME = littleEndian(0, 4)

/** The bytes of a Bridge transaction, with the inputs' witness items if there are any. */
export function writeAuxTransaction(
  inputs: readonly AuxInput[],
  outputs: readonly AuxOutput[],
  witnesses: readonly (readonly Uint8Array[])[] = [],
): Uint8Array {
  const hasWitness = witnesses.some(({ length }) => length > 0)
  const items = witnesses.flatMap((witness) => [encodeCount(witness.length), ...witness.map(withLength)])
  const marker = Uint8Array.from(hasWitness ? [0, 1] : [])
  return new Uint8Array(
    Buffer.concat([
      VERSION,
      marker,
      writeInputs(inputs),
      writeOutputs(outputs),
      ...(hasWitness ? items : []),
      LOCK_TIME,
    ]),
  )
}

function writeInputs(inputs: readonly AuxInput[]): Uint8Array {
  const written = inputs.flatMap((input) => [
    outpoint(input),
    withLength(input.script),
    littleEndian(input.sequence, 4),
  ])
  return Buffer.concat([encodeCount(inputs.length), ...written])
}

const outpoint = ({ previousId, previousIndex }: AuxInput): Uint8Array =>
  Buffer.concat([previousId, littleEndian(previousIndex, 4)])

const writeOutput = ({ sat, script }: AuxOutput): Uint8Array =>
  Buffer.concat([littleEndian(sat, 8), withLength(script)])

const writeOutputs = (outputs: readonly AuxOutput[]): Uint8Array =>
  Buffer.concat([encodeCount(outputs.length), ...outputs.map(writeOutput)])

/** Bytes after their length. */
export const withLength = (bytes: Uint8Array): Uint8Array => Buffer.concat([encodeCount(bytes.length), bytes])

interface SignedInput {
  readonly index: number
  readonly script: Uint8Array
}

/** The signature type that covers the whole transaction, as hashes end with it. */
const SIGHASH_ALL = littleEndian(1, 4)

const hashOf = (parts: readonly Uint8Array[]): Uint8Array => doubleSha256(Buffer.concat(parts))

const versionOf = ({ withoutWitness }: AuxTransaction): Uint8Array => withoutWitness.subarray(0, 4)
const lockTimeOf = ({ withoutWitness }: AuxTransaction): Uint8Array => withoutWitness.subarray(-4)

/** The hash for an input without witness. The only script it covers is the input's redeem script. */
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

/** Reads a caller's data. It throws PrecompileFailure, which names the expected kind of data. */
export const auxReader = (bytes: Uint8Array, what: string): AuxReader =>
  new AuxReader(bytes, (fault) => new PrecompileFailure(`${what} ${fault}`))

export function littleEndian(value: bigint | number, length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  let rest = BigInt(value)
  for (let index = 0; index < length; index++, rest >>= 8n) bytes[index] = Number(rest & 0xffn)
  return bytes
}

/** A count (a compact size) as `AuxReader.count` reads it. */
export function encodeCount(count: bigint | number): Uint8Array {
  const value = BigInt(count)
  if (value < 0xfdn) return littleEndian(value, 1)
  const [marker, width] = value < 0x1_0000n ? [0xfd, 2] : value < 0x1_0000_0000n ? [0xfe, 4] : [0xff, 8]
  return Uint8Array.of(marker, ...littleEndian(value, width))
}

/** Whether a number fits an amount of the auxiliary chain: 64 bits with a sign. */
export const isAuxAmount = (value: bigint): boolean => BigInt.asIntN(64, value) === value
