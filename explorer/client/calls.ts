/** Calls in words: the function and its arguments, by the ABI of the called contract. */

import { AbiFunction } from 'ox'
import { shownValue } from '../format/values.ts'
import { shortened } from '../format/amounts.ts'
import { batched } from './batched.ts'
import { contractAt, functionsOf, selectorOf } from './contracts.ts'
import type { ContractFunction } from './contracts.ts'
import { nameOf, withNames } from './names.ts'

/** Characters of a selector. */
const SELECTOR = 10

const functionsAt = batched(async (addresses) =>
  Promise.all(
    addresses.map(async (address): Promise<ReadonlyMap<string, ContractFunction>> => {
      const contract = await contractAt(address)
      const functions = contract === null ? [] : functionsOf(contract)
      return new Map(functions.map((one) => [selectorOf(one), one]))
    }),
  ),
)

/** A call such as `Token.balanceOf(account 1)`. What is not known or not loaded is shown in digits. */
export function callInWords(to: string, data: string): string {
  const name = nameOf(to) ?? shortened(to)
  if (data.length < SELECTOR) return name
  const of = functionsAt(to)?.get(data.slice(0, SELECTOR))
  if (of === undefined) return `${name}.${data.slice(0, SELECTOR)}`
  return `${name}.${of.name}(${withNames(argumentsOf(of, data))})`
}

function argumentsOf(of: ContractFunction, data: string): string {
  try {
    const values: unknown = AbiFunction.decodeData(of, data as `0x${string}`)
    return Array.isArray(values) ? values.map(shownValue).join(', ') : ''
  } catch {
    return '…'
  }
}
