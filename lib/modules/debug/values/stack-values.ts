/** Values of variables on the stack, which has the words of value types, and pointers to everything else. */

import type { StorageType } from '../../../insight/artifacts/storage-layout.ts'
import type { DataLocation } from '../debug-function.ts'
import { valueInCalldata, valueInMemory } from './byte-values.ts'
import { valueInStorage } from './storage-values.ts'
import { isExternalFunction, valueOfWord } from './value-types.ts'
import type { UnknownValue, Value, MachineView } from './value.ts'

/** Number of words that a variable has on the stack. */
export function slotsOf(type: StorageType, location: DataLocation): number {
  if (type.kind === 'value') return isExternalFunction(type) ? 2 : 1
  const isCounted = type.kind === 'bytes' || (type.kind === 'array' && type.count === undefined)
  return location === 'calldata' && isCounted ? 2 : 1
}

/** The value of a variable from its words, the deepest one first. */
export function valueOnStack(
  type: StorageType,
  location: DataLocation,
  words: readonly bigint[],
  machine: MachineView,
): Value | UnknownValue {
  const [first, second] = words
  if (first === undefined || words.length < slotsOf(type, location))
    return { type: type.label, unknown: 'the stack does not have it' }
  if (type.kind === 'value')
    return valueOfWord(
      type,
      second === undefined || !isExternalFunction(type) ? first : (first << 32n) | BigInt.asUintN(32, second),
      machine,
    )
  // Mappings are in the storage, also where the declaration does not say it.
  if (location === 'storage' || type.kind === 'mapping') return valueInStorage(type, first, 0, machine)
  if (location === 'calldata') return valueInCalldata(type, words, machine)
  if (location === 'memory') return valueInMemory(type, first, machine)
  return { type: type.label, unknown: 'its location is not known' }
}
