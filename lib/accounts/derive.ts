/** Derives the accounts that a network funds. */

import { asAddress, fromHex, type Address } from '../base/hex.ts'
import type { AccountSource } from '../config/network.ts'
import { addressOfPrivateKey } from '../crypto/address.ts'
import { childPrivateKey, parentKey } from '../crypto/hd-key.ts'
import { keccak256 } from '../crypto/keccak.ts'
import { knownAccountsOf } from './known-accounts.ts'

export interface FundedAccount {
  readonly privateKey: Uint8Array
  readonly address: Address
  readonly balance: bigint
}

/**
 * The accounts in order: those of the presets and of other development nodes from a table, others derived. With the table a start
 * derives no key and needs no curve, whose native code loads slowly.
 */
export const fundedAccounts = (source: AccountSource): readonly FundedAccount[] =>
  knownAccounts(source) ?? deriveAccounts(source)

/** The accounts of a source, if the table has all of them. */
function knownAccounts(source: AccountSource): readonly FundedAccount[] | undefined {
  if (source.source === 'keys') return undefined
  const name = source.source === 'phrases' ? source.phrase : `${source.mnemonic} ${source.path}`
  const known = knownAccountsOf(name)
  if (source.count > known.length) return undefined
  return known.slice(0, source.count).map(([key = '', address = '']) => ({
    privateKey: fromHex(`0x${key}`),
    address: asAddress(`0x${address}`),
    balance: source.balance,
  }))
}

export function deriveAccounts(source: AccountSource): readonly FundedAccount[] {
  const accountOf = (privateKey: Uint8Array, balance: bigint): FundedAccount => {
    return { privateKey, address: addressOfPrivateKey(privateKey), balance }
  }
  if (source.source === 'keys')
    return source.keys.map(({ privateKey, balance }) => accountOf(fromHex(privateKey), balance))
  return deriveKeys(source).map((privateKey) => accountOf(privateKey, source.balance))
}

function deriveKeys(source: Exclude<AccountSource, { source: 'keys' }>): readonly Uint8Array[] {
  const indexes = Array.from({ length: source.count }, (_, index) => index)
  if (source.source === 'phrases')
    return indexes.map((index) => keyOfPhrase(index === 0 ? source.phrase : `${source.phrase}${index}`))
  if (source.count === 0) return []
  // BIP-44: the path of the source is that of the parent of the keys.
  const parent = parentKey(source.mnemonic, source.path)
  return indexes.map((index) => childPrivateKey(parent, index))
}

/** keccak256 of the phrase (node-chain 11.2). */
export const keyOfPhrase = (phrase: string): Uint8Array => keccak256(new TextEncoder().encode(phrase))
