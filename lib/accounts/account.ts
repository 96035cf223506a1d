/** Accounts of a keystore as immutable values, which reverts and state files restore. */

import type { Phrases } from '../config/phrases.ts'
import { NodeError } from '../base/errors.ts'
import type { Address } from '../base/hex.ts'
import { writeKeyFile } from './key-file.ts'
import type { EncryptedKey } from './encrypted-key.ts'

/** An account of the keystore, with its key if the keystore holds one. */
export interface KeystoreAccount {
  /** The encrypted key; absent for keys of the network and of seeds, which have no passphrase. */
  readonly encrypted: EncryptedKey | undefined
  readonly file: string | undefined
  readonly unlocked: Unlocked | undefined
}

/**
 * The key of an unlocked account, if it has one, and the time at which it is locked again, in milliseconds of `Host.elapsed`:
 * `Infinity` if it stays unlocked.
 */
export interface Unlocked {
  readonly privateKey: Uint8Array | undefined
  readonly untilMs: number
}

/** An account without a key or passphrase, locked. */
export const NEW_ACCOUNT: KeystoreAccount = { encrypted: undefined, file: undefined, unlocked: undefined }

/** Accounts in the order in which they were added. */
export type KeystoreAccounts = ReadonlyMap<Address, KeystoreAccount>

/** The accounts at the time of a capture. */
export interface CapturedAccounts {
  readonly accounts: KeystoreAccounts
  /** Milliseconds of `Host.elapsed`. */
  readonly atMs: number
}

/**
 * Restores the accounts of a capture at a later time. A temporarily unlocked account keeps its remaining time. Keys in
 * files stay as the files have them. An account that is in a file but not in the capture is locked.
 */
export function restoreAccounts(
  { accounts, atMs }: CapturedAccounts,
  later: { readonly nowMs: number; readonly inFiles: KeystoreAccounts },
): KeystoreAccounts {
  const hasEnd = ({ unlocked }: KeystoreAccount): boolean =>
    unlocked !== undefined && unlocked.untilMs < Infinity
  // Returns the captured map itself if nothing differs, so that later snapshots share it.
  if (later.inFiles.size === 0 && ![...accounts.values()].some(hasEnd)) return accounts
  const passedMs = later.nowMs - atMs
  const restored = new Map<Address, KeystoreAccount>()
  for (const [address, { unlocked, ...account }] of accounts) {
    const shifted = unlocked && { ...unlocked, untilMs: unlocked.untilMs + passedMs }
    restored.set(address, { ...account, unlocked: shifted })
  }
  for (const [address, { encrypted, file }] of later.inFiles) {
    restored.set(address, { ...(restored.get(address) ?? NEW_ACCOUNT), encrypted, file })
  }
  return restored
}

/** The error of a signature by an account that is not unlocked. */
export function lockedError(address: Address, { encrypted }: KeystoreAccount, phrases: Phrases): NodeError {
  const remedy =
    encrypted === undefined
      ? 'has no passphrase: personal_newAccountWithSeed or personal_importRawKey brings its key back'
      : 'is locked: personal_unlockAccount unlocks it'
  // The phrase is geth's (accounts/errors.go).
  const message = `authentication needed: password or unlock: account ${address} ${remedy}`
  return new NodeError('lockedAccount', message, { phrases })
}

/** An account as a state file holds it. */
export interface SavedAccount {
  readonly address: Address
  /** Text of its keystore file, if it has a passphrase. */
  readonly file?: string
  /** The plain key, if it has no passphrase and is unlocked. */
  readonly privateKey?: Uint8Array
}

/** The accounts of a capture for a state file: the encrypted key if they have a passphrase, else the plain key of an unlocked one. */
export function toSavedAccounts({ accounts, atMs }: CapturedAccounts): readonly SavedAccount[] {
  return [...accounts].map(([address, { encrypted, unlocked }]) => {
    if (encrypted !== undefined) return { address, file: writeKeyFile(address, encrypted) }
    const privateKey = unlocked !== undefined && unlocked.untilMs > atMs ? unlocked.privateKey : undefined
    return privateKey === undefined ? { address } : { address, privateKey }
  })
}
