/** Encodes and decodes arguments and return values by the contract ABI, for the precompiles of network 33 that have methods. */

import { InvariantError } from '../base/invariant.ts'
import { AbiReader } from './reader.ts'
import { decodeSequence, encodeSequence } from './types.ts'
import type { AbiType, AbiValues } from './types.ts'

/** Decodes the values and ignores further data. @throws AbiError */
export function decodeAbi<const Types extends readonly AbiType[]>(
  types: Types,
  data: Uint8Array,
): AbiValues<Types> {
  const values: readonly unknown[] = decodeSequence(types, new AbiReader(data))
  const isComplete = (found: readonly unknown[]): found is AbiValues<Types> => found.length === types.length
  // Always true. The check is for the compiler, to which the values are a list of any length.
  if (isComplete(values)) return values
  throw new InvariantError(`${values.length} values of ${types.length} types`)
}

/** Encodes the values. */
export function encodeAbi<const Types extends readonly AbiType[]>(
  types: Types,
  values: AbiValues<Types>,
): Uint8Array {
  return encodeSequence(types, values)
}

/** The signature of a name and its types, such as `transfer(address,uint256)`. */
export function signatureOf(name: string, types: readonly AbiType[]): string {
  return `${name}(${types.map((type) => type.name).join(',')})`
}
