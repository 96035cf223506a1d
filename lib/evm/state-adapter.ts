/** The state as the EVM library wants it. The rules of state are in lib/state; this file only changes forms. */

import type { AccountFields as LibraryFields, StateManagerInterface } from '@ethereumjs/common'
import type { Address as LibraryAddress } from '@ethereumjs/util'
import { Account as LibraryAccount, KECCAK256_RLP } from '@ethereumjs/util'
import type { Address } from '../base/hex.ts'
import { fromHex, toAddress, toHash } from '../base/hex.ts'
import { InvariantError } from '../base/invariant.ts'
import { codeHashBytes } from '../state/account.ts'
import { State } from '../state/state.ts'
import type { Observer } from './observer.ts'

/**
 * Stands for the root of any storage that is not empty. The EVM only asks whether an account has storage (EIP-7610);
 * hashing it in the middle of a block would cost far more than that answer.
 */
const NOT_EMPTY_ROOT = new Uint8Array(32).fill(0xff)

type Watcher = Pick<Observer, 'onAccount' | 'onSlot'>

/** Lets the EVM library work on a state, which may be replaced between two executions. */
export class StateAdapter implements StateManagerInterface {
  #state: State
  #watcher: Watcher | undefined
  // The EVM hands in the same object for as long as a call frame runs.
  #lastAddress: LibraryAddress | undefined
  #lastKey: Address | undefined

  /** Values at the start of the transaction (EIP-2200). */
  readonly originalStorageCache = {
    get: async (address: LibraryAddress, slot: Uint8Array): Promise<Uint8Array> =>
      this.#state.originalStorage(this.#key(address), toHash(slot)),
    clear: (): void => this.#state.clearOriginals(),
  }

  constructor(state: State) {
    this.#state = state
  }

  /** The state that is worked on. */
  get state(): State {
    return this.#state
  }

  /** Works on another state from now on, and tells the watcher what is read of it. */
  use(state: State, watcher?: Watcher): void {
    this.#state = state
    this.#watcher = watcher
  }

  /** A new object each time, because the EVM changes it. */
  async getAccount(address: LibraryAddress): Promise<LibraryAccount | undefined> {
    const key = this.#key(address)
    this.#watcher?.onAccount?.(key)
    const fields = this.#state.account(key)
    if (fields === undefined) return undefined
    const storageRoot = this.#state.hasStorage(key) ? NOT_EMPTY_ROOT : KECCAK256_RLP
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- its factory takes every number apart and together again
    return new LibraryAccount(fields.nonce, fields.balance, storageRoot, codeHashBytes(fields.codeHash))
  }

  /** Takes nonce and balance; code and storage have their own methods. */
  async putAccount(address: LibraryAddress, account?: LibraryAccount): Promise<void> {
    if (account === undefined) this.#state.deleteAccount(this.#key(address))
    else this.#state.putAccount(this.#key(address), account)
  }

  async deleteAccount(address: LibraryAddress): Promise<void> {
    this.#state.deleteAccount(this.#key(address))
  }

  /** Takes nonce and balance, as `putAccount` does. */
  async modifyAccountFields(address: LibraryAddress, fields: LibraryFields): Promise<void> {
    const key = this.#key(address)
    const before = this.#state.account(key)
    this.#state.putAccount(key, {
      nonce: fields.nonce ?? before?.nonce ?? 0n,
      balance: fields.balance ?? before?.balance ?? 0n,
    })
  }

  async putCode(address: LibraryAddress, code: Uint8Array): Promise<void> {
    this.#state.putCode(this.#key(address), code)
  }

  async getCode(address: LibraryAddress): Promise<Uint8Array> {
    const key = this.#key(address)
    this.#watcher?.onAccount?.(key)
    return this.#state.code(key)
  }

  async getCodeSize(address: LibraryAddress): Promise<number> {
    const code = await this.getCode(address)
    return code.length
  }

  async getStorage(address: LibraryAddress, slot: Uint8Array): Promise<Uint8Array> {
    const key = this.#key(address)
    const position = toHash(slot)
    this.#watcher?.onSlot?.(key, position)
    return this.#state.storage(key, position)
  }

  async putStorage(address: LibraryAddress, slot: Uint8Array, value: Uint8Array): Promise<void> {
    this.#state.putStorage(this.#key(address), toHash(slot), value)
  }

  async clearStorage(address: LibraryAddress): Promise<void> {
    this.#state.clearStorage(this.#key(address))
  }

  async checkpoint(): Promise<void> {
    this.#state.checkpoint()
  }

  async commit(): Promise<void> {
    this.#state.commit()
  }

  async revert(): Promise<void> {
    this.#state.revert()
  }

  /** Hash of the state with all changes so far. */
  async getStateRoot(): Promise<Uint8Array> {
    return fromHex(this.#state.preview().hash)
  }

  async setStateRoot(): Promise<void> {
    throw new InvariantError('the EVM library chooses a state by its hash')
  }

  async hasStateRoot(): Promise<boolean> {
    throw new InvariantError('the EVM library asks for a state by its hash')
  }

  /** Does nothing: what is in memory is the state. */
  clearCaches(): void {
    return
  }

  /** An adapter over a state of its own, without the changes that have not been sealed. */
  shallowCopy(): StateAdapter {
    return new StateAdapter(new State(this.#state.base))
  }

  #key(address: LibraryAddress): Address {
    if (address === this.#lastAddress && this.#lastKey !== undefined) return this.#lastKey
    const key = toAddress(address.bytes)
    this.#lastAddress = address
    this.#lastKey = key
    return key
  }
}
