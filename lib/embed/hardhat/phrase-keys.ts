/** Derives the keys of a phrase's accounts as Hardhat does, without hashing the phrase again in JavaScript for each. */

import { pbkdf2Sync } from 'node:crypto'
import { getOrAdd } from '../../base/once.ts'
import { knownAccountsOf } from '../../accounts/known-accounts.ts'

/** Hardhat's function: the key of an account by its path; undefined if there is none. */
export type DeriveKey = (mnemonic: string, path: string, passphrase?: string) => Buffer | undefined

export interface WalletKeys {
  readonly HDKey: { readonly fromMasterSeed: (seed: Uint8Array) => WalletKey }
}

interface WalletKey {
  readonly privateKey: Uint8Array | null
  readonly derive: (path: string) => WalletKey
  readonly deriveChild: (index: number) => WalletKey
}

/** A phrase of BIP-39. Hardhat refuses others. */
const PHRASE = /^\S+(?: \S+){11}(?:(?: \S+){3}){0,4}$/

/** The same function, faster. */
export function fastDerivation(original: DeriveKey, loadKeys: () => WalletKeys): DeriveKey {
  const parents = new Map<string, WalletKey>()
  return (mnemonic, path, passphrase = '') => {
    const phrase = mnemonic.trim()
    const [, parentPath = '', index] = /^(m(?:\/\d+'?)+)\/(\d+)$/.exec(path) ?? []
    if (index === undefined || !PHRASE.test(phrase)) return original(mnemonic, path, passphrase)
    const [known] = passphrase === '' ? (knownAccountsOf(`${phrase} ${parentPath}`)[Number(index)] ?? []) : []
    if (known !== undefined) return Buffer.from(known, 'hex')
    const parent = getOrAdd(parents, JSON.stringify([phrase, passphrase, parentPath]), () => {
      const salt = `mnemonic${passphrase}`.normalize('NFKD')
      const seed = pbkdf2Sync(phrase.normalize('NFKD'), salt, 2048, 64, 'sha512')
      return loadKeys().HDKey.fromMasterSeed(new Uint8Array(seed)).derive(parentPath)
    })
    const { privateKey } = parent.deriveChild(Number(index))
    return privateKey === null ? undefined : Buffer.from(privateKey)
  }
}
