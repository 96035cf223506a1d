/** Accounts of a keystore as values, as a revert and a state file restore them. */

import type { Address } from '../base/hex.ts'
import { writeKeyFile } from './key-file.ts'
import type { SealedKey } from './sealed-key.ts'

/** An account and its key, as far as the keystore has it. */
export interface Account {
  /** The key behind its passphrase; absent for keys of the network and of seeds, which have none. */
  readonly sealed: SealedKey | undefined
  /** Name of the file it stands in. */
  readonly file: string | undefined
  readonly unlocked: Unlocked | undefined
}

/** The key of an unlocked account, if it has one; the end is in milliseconds of the wall clock, or infinite. */
export interface Unlocked {
  readonly privateKey: Uint8Array | undefined
  readonly untilMs: number
}

/** An account of which nothing is known. */
export const NEW_ACCOUNT: Account = { sealed: undefined, file: undefined, unlocked: undefined }

/** Accounts in the order they were added. */
export type Accounts = ReadonlyMap<Address, Account>

/** The accounts of a moment. */
export interface CapturedAccounts {
  readonly accounts: Accounts
  /** Milliseconds of the wall clock. */
  readonly atMs: number
}

/**
 * The accounts of a capture at a later time. An account that was unlocked for a time has as much of it left as it had.
 * Keys in files are kept as the files have them; an account that was not in the capture is locked.
 */
export function restoreAccounts(
  { accounts, atMs }: CapturedAccounts,
  later: { readonly nowMs: number; readonly inFiles: Accounts },
): Accounts {
  const hasEnd = ({ unlocked }: Account): boolean => unlocked !== undefined && unlocked.untilMs < Infinity
  // The captured map itself where nothing differs: otherwise every later snapshot keeps a map of its own.
  if (later.inFiles.size === 0 && ![...accounts.values()].some(hasEnd)) return accounts
  const passedMs = later.nowMs - atMs
  const restored = new Map<Address, Account>()
  for (const [address, { unlocked, ...account }] of accounts) {
    const shifted = unlocked && { ...unlocked, untilMs: unlocked.untilMs + passedMs }
    restored.set(address, { ...account, unlocked: shifted })
  }
  for (const [address, { sealed, file }] of later.inFiles) {
    restored.set(address, { ...(restored.get(address) ?? NEW_ACCOUNT), sealed, file })
  }
  return restored
}

/** An account as it is written down in a state file. */
export interface WrittenKey {
  readonly address: Address
  /** Text of its keystore file, when it has a passphrase. */
  readonly file?: string
  /** The key itself, when it has none and is unlocked. */
  readonly privateKey?: Uint8Array
}

/** The accounts of a capture as they are written down: behind their passphrases, or in the open when they have none. */
export function writtenAccounts({ accounts, atMs }: CapturedAccounts): readonly WrittenKey[] {
  return [...accounts].map(([address, { sealed, unlocked }]) => {
    if (sealed !== undefined) return { address, file: writeKeyFile(address, sealed) }
    const privateKey = unlocked !== undefined && unlocked.untilMs > atMs ? unlocked.privateKey : undefined
    return privateKey === undefined ? { address } : { address, privateKey }
  })
}
