/** Reads what functions that expressions call return: values with their parts. */

import { namedValues, type AbiFragment, type DecodedValue, type NamedValue } from '../../abi/fragments.ts'
import { itemType } from '../../abi/values.ts'
import { readHex } from '../../base/hex.ts'
import { contentValue, elementaryType, typedValue } from './expressions/typed-values.ts'
import { arrayValue, structValue } from './values/compound-values.ts'
import { wordFromRight } from './values/value-types.ts'
import type { UnknownValue, Value } from './values/value.ts'

/** The value that a function returns; several are the members of one. */
export function returnedValue({ outputs = [] }: AbiFragment, data: Uint8Array): Value | UnknownValue {
  const values = namedValues(outputs, data)
  if (values === undefined) return { unknown: 'the result does not have the form that the ABI says' }
  const [only, second] = values
  return only !== undefined && second === undefined
    ? valueOf(only.type, only.value)
    : membersValue('', values)
}

function valueOf(type: string, value: DecodedValue | NamedValue): Value {
  if (typeof value === 'object') {
    if ('name' in value) return valueOf(value.type, value.value)
    const item = itemType(type)
    if (item === undefined) return membersValue(type, value)
    const count = BigInt(value.length)
    return arrayValue({ type, count, item: (index) => valueOf(item, value[Number(index)] ?? '') })
  }
  if (type === 'string') return contentValue(type, Buffer.from(String(value)))
  if (type === 'bytes') return contentValue(type, readHex(String(value)) ?? new Uint8Array(0))
  const known = elementaryType(type)
  if (known === undefined) return { type, text: String(value) }
  return typedValue(known, wordFromRight(known, BigInt.asUintN(256, BigInt(value))))
}

/** Values with their names, or with their numbers if they have none. */
const membersValue = (type: string, values: readonly (DecodedValue | NamedValue)[]): Value =>
  structValue({
    type,
    count: values.length,
    members: () =>
      values.map((one, index) => {
        const name = typeof one === 'object' && 'name' in one ? one.name : ''
        return [name || String(index), valueOf('', one)]
      }),
  })
