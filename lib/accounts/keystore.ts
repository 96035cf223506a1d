/** Holds the keys and locks of one chain instance's accounts. A revert restores them, except for the keys in files. */

import { NodeError } from '../base/errors.ts'
import type { Address } from '../base/hex.ts'
import type { Host } from '../base/host.ts'
import { waitFor, type Routine } from '../base/routine.ts'
import type { Capturable, Captured, ChainInstance } from '../chain/instance/chain-instance.ts'
import { PHRASES, type Phrases } from '../config/phrases.ts'
import { addressOfPrivateKey } from '../crypto/address.ts'
import { curve } from '../crypto/secp256k1.ts'
import {
  NO_KEY,
  encryptKey,
  openKey,
  requireKey,
  keyFileName,
  readKeyFile,
  writeKeyFile,
  type EncryptedKey,
  type ScryptCost,
} from './key-file.ts'
import type { KeyFiles } from './key-folder.ts'

/** Default time an account stays unlocked: 30 minutes, as on network 33 (node-rpc 5.12); geth has 5. */
export const DEFAULT_UNLOCK_MS = 30 * 60 * 1000

interface KeystoreDependencies {
  /** Whether the keystore is enabled; without it there are no accounts. */
  readonly isEnabled: boolean
  readonly host: Pick<Host, 'now' | 'elapsed' | 'random'>
  readonly cost: ScryptCost
  /** Files for keys with a passphrase, which remain after the process has ended. */
  readonly files?: KeyFiles | undefined
}

/**
 * Accounts with their keys. A locked key is held only in encrypted form. Methods with a passphrase are routines that pause while
 * an encryption key is derived, which can take a second, and change the accounts only afterwards.
 */
export class Keystore implements Capturable<CapturedAccounts> {
  readonly captured: Captured<CapturedAccounts>
  readonly #dependencies: KeystoreDependencies
  /** An immutable map, which each change replaces. */
  #accounts: KeystoreAccounts = new Map()

  constructor(instance: ChainInstance, dependencies: KeystoreDependencies) {
    this.#dependencies = dependencies
    this.captured = instance.registerCapturable('keys', this, { peek: () => this.#accounts })
  }

  capture(): CapturedAccounts {
    return { accounts: this.#accounts, atMs: this.#dependencies.host.elapsed() }
  }

  restore(captured: CapturedAccounts): void {
    const { host, files } = this.#dependencies
    const withFiles =
      files === undefined ? [] : [...this.#accounts].filter(([, { file }]) => file !== undefined)
    this.#accounts = restoreAccounts(captured, { nowMs: host.elapsed(), inFiles: new Map(withFiles) })
  }

  /** Whether the keystore is enabled; without it there are no accounts. */
  get isEnabled(): boolean {
    return this.#dependencies.isEnabled
  }

  /** Addresses of all accounts, including locked ones, in the order in which they were added. */
  get addresses(): readonly Address[] {
    return [...this.#accounts.keys()]
  }

  has(address: Address): boolean {
    return this.#accounts.has(address)
  }

  isUnlocked(address: Address): boolean {
    const account = this.#accounts.get(address)
    return account !== undefined && this.#unlockedOf(account) !== undefined
  }

  /** Adds the accounts of the keystore files, locked. @throws NodeError 'invalidOption' naming the file that is wrong */
  async load(): Promise<void> {
    const stored = await this.#dependencies.files?.readAll()
    for (const [address, key] of stored ?? []) this.#change(address, key)
  }

  /** Lists plain files. Hidden files and editors' backup copies are left out, as in geth (keystore/file_cache.go). */
  add(privateKey: Uint8Array, address = addressOfPrivateKey(privateKey)): Address {
    this.#change(address, { unlocked: { privateKey, untilMs: Infinity } })
    return address
  }

  /** Creates a key with a passphrase, unlocked for the default time. Returns its address. */
  create(passphrase: string): Routine<Address> {
    const { random } = this.#dependencies.host
    // `--frozen-time` fixes the random source too: its keys may be in the files of an earlier run.
    const isNew = (key: Uint8Array) => curve.isPrivateKey(key) && !this.has(addressOfPrivateKey(key))
    let privateKey = random(32)
    while (!isNew(privateKey)) privateKey = random(32)
    return this.import(privateKey, passphrase)
  }

  /** Encrypts a key with a new passphrase and unlocks it for the default time. Returns its address. */
  *import(privateKey: Uint8Array, passphrase: string): Routine<Address> {
    const { host, files } = this.#dependencies
    const address = addressOfPrivateKey(privateKey)
    const encrypted = yield* this.#encrypt(privateKey, passphrase)
    let { file } = this.#accounts.get(address) ?? NEW_ACCOUNT
    if (files !== undefined) {
      file ??= keyFileName(address, host.now())
      yield* waitFor(files.write(file, writeKeyFile(address, encrypted)))
    }
    this.#change(address, { encrypted, file })
    this.#unlock(address, privateKey, DEFAULT_UNLOCK_MS)
    return address
  }

  /** Adds a locked account with a passphrase but no key (evm_addAccount), impersonated while unlocked. False if it exists. */
  *addKeyless(address: Address, passphrase: string): Routine<boolean> {
    if (this.has(address)) return false
    this.#change(address, { encrypted: yield* this.#encrypt(NO_KEY, passphrase) })
    return true
  }

  #encrypt(privateKey: Uint8Array, passphrase: string): Routine<EncryptedKey> {
    const { host, cost } = this.#dependencies
    return waitFor(encryptKey(privateKey, passphrase, { random: host.random, cost }))
  }

  /** Removes an account but keeps its file. Returns false if it does not exist. @throws NodeError 'wrongPassphrase' */
  *remove(address: Address, passphrase: string): Routine<boolean> {
    if (!this.has(address)) return false
    const { encrypted } = this.#account(address)
    // As in Ganache, the passphrase of an account without one is the empty text.
    if (encrypted !== undefined || passphrase !== '') yield* this.decryptSenderKey(address, passphrase)
    this.#accounts = new Map([...this.#accounts].filter(([other]) => other !== address))
    return true
  }

  /**
   * Unlocks an account for a time, which replaces the remaining time unless that is infinite.
   * Returns false if the account has no passphrase, whether it is unlocked or not (node-rpc 5.12).
   * @throws NodeError 'unknownAccount', 'wrongPassphrase'
   */
  *unlock(address: Address, passphrase: string, durationMs = DEFAULT_UNLOCK_MS): Routine<boolean> {
    const { encrypted } = this.#account(address)
    if (encrypted === undefined) return false
    this.#unlock(address, yield* waitFor(openKey(address, encrypted, passphrase)), durationMs)
    return true
  }

  /** Locks an account; a key without a passphrase is lost. Returns false if it was locked. @throws NodeError 'unknownAccount' */
  lock(address: Address): boolean {
    const wasUnlocked = this.#unlockedOf(this.#account(address)) !== undefined
    this.#change(address, { unlocked: undefined })
    return wasUnlocked
  }

  /** Key of an unlocked account. @throws NodeError 'unknownAccount', 'lockedAccount' */
  privateKey(address: Address): Uint8Array {
    return requireKey(address, this.senderKey(address, PHRASES.noSigner()))
  }

  /** Key for sending; undefined for an account that needs no key. @throws NodeError 'unknownAccount', 'lockedAccount' */
  senderKey(address: Address, phrases: Phrases = PHRASES.noAccount(address)): Uint8Array | undefined {
    const account = this.#account(address, phrases)
    const unlocked = this.#unlockedOf(account)
    if (unlocked !== undefined) return unlocked.privateKey
    throw lockedError(address, account, phrases)
  }

  /** Decrypts the key of an account, which stays locked. @throws NodeError 'unknownAccount', 'wrongPassphrase' */
  *decrypt(address: Address, passphrase: string): Routine<Uint8Array> {
    return requireKey(address, yield* this.decryptSenderKey(address, passphrase))
  }

  /** The same for sending: undefined for an account without a key. @throws NodeError 'unknownAccount', 'wrongPassphrase' */
  *decryptSenderKey(address: Address, passphrase: string): Routine<Uint8Array | undefined> {
    const { encrypted } = this.#account(address)
    if (encrypted !== undefined) return yield* waitFor(openKey(address, encrypted, passphrase))
    const reason = `account ${address} has no passphrase, its key came without one`
    throw new NodeError('wrongPassphrase', `could not decrypt key with given passphrase: ${reason}`)
  }

  /**
   * Adds an account of a state file. An account that the state file has as locked is locked; an existing account with a passphrase
   * does not change. @throws NodeError 'invalidOption'
   */
  addSaved({ address, file, privateKey }: SavedAccount): void {
    if (privateKey !== undefined) this.add(privateKey)
    else if (file === undefined) this.#change(address, { unlocked: undefined })
    else if (!this.has(address)) this.#change(address, { encrypted: readKeyFile(file).encrypted })
  }

  #account(address: Address, phrases?: Phrases): KeystoreAccount {
    const account = this.#accounts.get(address)
    if (account !== undefined) return account
    throw new NodeError(
      'unknownAccount',
      this.isEnabled
        ? `unknown account ${address}: its key is not in this node, which holds ${this.addresses.length} accounts; --accounts <number> starts it with more, and hardhat_impersonateAccount needs no key`
        : // The phrase is that of node-rpc 5.8.
          `Local wallet is disabled in this node: it holds no key of ${address} (--no-accounts)`,
      { phrases: this.isEnabled ? phrases : undefined },
    )
  }

  #unlockedOf({ unlocked }: KeystoreAccount): Unlocked | undefined {
    return (unlocked?.untilMs ?? 0) > this.#dependencies.host.elapsed() ? unlocked : undefined
  }

  #unlock(address: Address, privateKey: Uint8Array | undefined, durationMs: number): void {
    const earlier = this.#account(address).unlocked?.untilMs
    // As in geth, an unlimited unlock is not shortened (keystore/keystore.go, TimedUnlock).
    const untilMs = earlier === Infinity ? Infinity : this.#dependencies.host.elapsed() + durationMs
    this.#change(address, { unlocked: { privateKey, untilMs } })
  }

  /** Changes or adds an account, and drops every key whose unlock time is over. */
  #change(address: Address, change: Partial<KeystoreAccount>): void {
    const present = this.#accounts
    const changed = new Map(present).set(address, { ...NEW_ACCOUNT, ...present.get(address), ...change })
    for (const [each, account] of changed) {
      if (this.#unlockedOf(account) === undefined) changed.set(each, { ...account, unlocked: undefined })
    }
    this.#accounts = changed
  }
}

interface KeystoreAccount {
  /** The encrypted key; absent for keys of the network and of seeds, which have no passphrase. */
  readonly encrypted: EncryptedKey | undefined
  readonly file: string | undefined
  readonly unlocked: Unlocked | undefined
}

/** The key, if there is one, and when it is locked again, in milliseconds of `Host.elapsed`: `Infinity` for never. */
interface Unlocked {
  readonly privateKey: Uint8Array | undefined
  readonly untilMs: number
}

/** An account without a key or passphrase, locked. */
const NEW_ACCOUNT: KeystoreAccount = { encrypted: undefined, file: undefined, unlocked: undefined }

/** Accounts in the order in which they were added. */
type KeystoreAccounts = ReadonlyMap<Address, KeystoreAccount>

export interface CapturedAccounts {
  readonly accounts: KeystoreAccounts
  /** Milliseconds of `Host.elapsed`. */
  readonly atMs: number
}

/**
 * Restores the accounts of a capture at a later time. A temporarily unlocked account keeps its remaining time. Keys in
 * files stay as the files have them. An account that is in a file but not in the capture is locked.
 */
function restoreAccounts(
  { accounts, atMs }: CapturedAccounts,
  later: { readonly nowMs: number; readonly inFiles: KeystoreAccounts },
): KeystoreAccounts {
  const hasEnd = ({ unlocked }: KeystoreAccount): boolean =>
    unlocked !== undefined && unlocked.untilMs < Infinity
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

function lockedError(address: Address, { encrypted }: KeystoreAccount, phrases: Phrases): NodeError {
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
