/** Derives the accounts that a network funds. */

import { fromHex } from '../base/hex.ts'
import type { Address } from '../base/hex.ts'
import type { AccountSource } from '../config/network.ts'
import { addressOfPrivateKey } from '../crypto/address.ts'
import { childKey, deriveAlong, masterKey, seedOfMnemonic } from '../crypto/hd-key.ts'
import { keccak256 } from '../crypto/keccak.ts'
import { knownAccountsOf } from './known-accounts.ts'

/** An account that is funded at genesis. */
export interface FundedAccount extends FundedKey {
  readonly address: Address
}

/** A key and the initial balance of its account. */
interface FundedKey {
  readonly privateKey: Uint8Array
  /** Wei. */
  readonly balance: bigint
}

/** The accounts in order: known ones from a table, others derived. */
export function fundedAccounts(source: AccountSource): readonly FundedAccount[] {
  return knownAccounts(source) ?? deriveAccounts(source)
}

/** The accounts of a source, if the table has all of them. */
function knownAccounts(source: AccountSource): readonly FundedAccount[] | undefined {
  if (source.source === 'keys') return undefined
  const name = source.source === 'phrases' ? source.phrase : `${source.mnemonic} ${source.path}`
  const known = knownAccountsOf(name)
  if (known === undefined || source.count > known.length) return undefined
  return known.slice(0, source.count).map((account) => ({ ...account, balance: source.balance }))
}

/** Derives the accounts in order. */
export function deriveAccounts(source: AccountSource): readonly FundedAccount[] {
  return deriveKeys(source).map(({ privateKey, balance }) => ({
    privateKey,
    address: addressOfPrivateKey(privateKey),
    balance,
  }))
}

function deriveKeys(source: AccountSource): readonly FundedKey[] {
  switch (source.source) {
    case 'phrases':
      return arrayOf(source.count, (index) => ({
        privateKey: keyOfPhrase(index === 0 ? source.phrase : `${source.phrase}${index}`),
        balance: source.balance,
      }))
    case 'mnemonic':
      return fromMnemonic(source)
    case 'keys':
      return source.keys.map(({ privateKey, balance }) => ({ privateKey: fromHex(privateKey), balance }))
  }
}

/** keccak256 of the phrase (node-chain 11.2). */
export function keyOfPhrase(phrase: string): Uint8Array {
  return keccak256(new TextEncoder().encode(phrase))
}

/** Derives keys from a BIP-39 mnemonic along a BIP-44 path. The path of the source is that of the parent of the keys. */
function fromMnemonic(source: Extract<AccountSource, { source: 'mnemonic' }>): readonly FundedKey[] {
  if (source.count === 0) return []
  const parent = deriveAlong(source.path, masterKey(seedOfMnemonic(source.mnemonic)))
  return arrayOf(source.count, (index) => ({
    privateKey: childKey(parent, index).privateKey,
    balance: source.balance,
  }))
}

function arrayOf<T>(count: number, make: (index: number) => T): readonly T[] {
  return Array.from({ length: count }, (_, index) => make(index))
}
