/** An account of the keystore, as it is kept and as it is written down. */

import type { Address } from '../base/hex.ts'
import type { SealedKey } from './sealed-key.ts'

/** An account and what is here of its key. */
export interface Account {
  /** The key behind its passphrase; absent for keys of the network and of seeds, which have none. */
  readonly sealed: SealedKey | undefined
  /** Name of the file it stands in. */
  readonly file: string | undefined
  /** The key itself, if there is one, while the account is unlocked; its end is in milliseconds of the wall clock, or infinite. */
  readonly unlocked: Unlocked | undefined
}

/** The key of an unlocked account, if it has one. */
export interface Unlocked {
  readonly privateKey: Uint8Array | undefined
  readonly untilMs: number
}

/** An account as it is written down. */
export interface WrittenKey {
  readonly address: Address
  /** Text of its keystore file, when it has a passphrase. */
  readonly file?: string
  /** The key itself, when it has none and is unlocked. */
  readonly privateKey?: Uint8Array
}

/** An account of which nothing is known yet. */
export const NEW_ACCOUNT: Account = { sealed: undefined, file: undefined, unlocked: undefined }
