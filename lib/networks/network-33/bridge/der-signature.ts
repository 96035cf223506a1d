/** Reads and writes signatures in DER, as the scripts of the auxiliary chain contain them (BIP-66). */

import { padTo32, stripZeros } from '../../../base/hex.ts'
import { PrecompileFailure } from '../../../evm/precompile.ts'
import type { Signature } from '../../../crypto/curve.ts'
import { auxReader } from './aux-encoding.ts'
import type { AuxReader } from '../../../base/aux-reader.ts'

/** Types of DER. */
const SEQUENCE = 0x30
const INTEGER = 0x02

/** Reads a signature, without the byte for the type of its hash. @throws PrecompileFailure */
export function readDerSignature(bytes: Uint8Array): Pick<Signature, 'r' | 's'> {
  const outer = auxReader(bytes, 'a signature')
  const content = auxReader(readItem(outer, SEQUENCE), 'a signature')
  outer.end()
  const [r, s] = [readInteger(content), readInteger(content)]
  content.end()
  return { r, s }
}

function readItem(reader: AuxReader, type: number): Uint8Array {
  const [found] = reader.take(1)
  if (found !== type) throw new PrecompileFailure(`a signature has type ${found}, expected ${type}`)
  return reader.varBytes()
}

/** Reads a positive integer of at most 32 bytes, encoded in as few bytes as possible. */
function readInteger(reader: AuxReader): Uint8Array {
  const bytes = readItem(reader, INTEGER)
  const [first = 0x80, second = 0x80] = bytes
  const value = first === 0 ? bytes.subarray(1) : bytes
  const isMinimal = first === 0 ? second >= 0x80 : first < 0x80
  if (!isMinimal || value.length > 32) {
    throw new PrecompileFailure(
      `a signature has an integer of ${bytes.length} bytes that is not in its shortest form`,
    )
  }
  return padTo32(value)
}

/** Writes a signature, without the byte for the type of its hash. */
export function writeDerSignature({ r, s }: Pick<Signature, 'r' | 's'>): Uint8Array {
  const content = [...integerOf(r), ...integerOf(s)]
  return Uint8Array.of(SEQUENCE, content.length, ...content)
}

/** A positive integer, with a leading zero if its first bit is set. */
function integerOf(bytes: Uint8Array): readonly number[] {
  const digits = stripZeros(bytes)
  const value = (digits[0] ?? 0) < 0x80 ? digits : Uint8Array.of(0, ...digits)
  return [INTEGER, value.length, ...value]
}
