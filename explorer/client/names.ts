/** Names of addresses, units of tokens, and transactions in words, as the node knows them. */

import type { RpcMethods } from '../../lib/embed/rpc-types.ts'
import { shortened } from '../format/amounts.ts'
import { batched } from './batched.ts'
import { ask } from './json-rpc.ts'

/** A transaction in words; null if the node has none with the hash. */
export type Description = RpcMethods['dev_describeTransactions']['result'][number]

/** How amounts of a token are written. */
export type Unit = RpcMethods['dev_nameAddresses']['result']['units'][string]

interface Named {
  readonly name: string | undefined
  readonly unit: Unit | undefined
}

const named = batched<Named>(async (addresses) => {
  const { names, units } = await ask('dev_nameAddresses', addresses)
  return addresses.map((address) => ({ name: names[address], unit: units[address] }))
})

/** The name of an address, such as `Vault` or `account 1`; undefined if it has none or before it is loaded. */
export const nameOf = (address: string): string | undefined => named(address.toLowerCase())?.name

/** Symbol and decimals of a token; undefined for other addresses or before it is loaded. */
export const unitOf = (address: string): Unit | undefined => named(address.toLowerCase())?.unit

/** A transaction in words; undefined before it is loaded. */
export const descriptionOf = batched<Description>((hashes) => ask('dev_describeTransactions', hashes))

/** A text with the names of the addresses in it; addresses without a name, hashes and data are shortened. */
export const withNames = (text: string): string =>
  text.replace(
    /\b0x[0-9a-fA-F]{40,}\b/g,
    (hex) => (hex.length === 42 ? nameOf(hex) : undefined) ?? shortened(hex),
  )
