/** Derives the keys of the accounts that a network funds. */

import { fromHex } from '../base/hex.ts'
import type { AccountSource } from '../config/network.ts'
import { childKey, deriveAlong, masterKey, seedOfMnemonic } from '../crypto/hd-key.ts'
import { keccak256 } from '../crypto/keccak.ts'

/** A key and the initial balance of its account. */
export interface FundedKey {
  readonly privateKey: Uint8Array
  /** Wei. */
  readonly balance: bigint
}

/** Derives the keys in order. */
export function deriveKeys(source: AccountSource): readonly FundedKey[] {
  switch (source.source) {
    case 'phrases':
      return counted(source.count, (index) => ({
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
  return counted(source.count, (index) => ({
    privateKey: childKey(parent, index).privateKey,
    balance: source.balance,
  }))
}

function counted<T>(count: number, make: (index: number) => T): readonly T[] {
  return Array.from({ length: count }, (_, index) => make(index))
}
