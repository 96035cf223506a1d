/** Gives @ethereumjs/vm the states of this node: a state manager over an immutable root. */

import type { AccountFields, StateManagerInterface } from '@ethereumjs/common'
import { createAccount, type Account, type Address as LibraryAddress } from '@ethereumjs/util'
import { fromHex, toAddress, toHash, type Address } from '../../../base/hex.ts'
import { InvariantError } from '../../../base/invariant.ts'
import { finish } from '../../../base/routine.ts'
import { EMPTY_CODE_HASH } from '../../../state/account.ts'
import type { StateRoot } from '../../../state/state-root.ts'
import { State } from '../../../state/state.ts'
import { EMPTY_TRIE_HASH } from '../../../state/trie.ts'
import { stateDifferences } from '../differences.ts'
import { ReadRecorder } from '../second-opinion.ts'

/** Any storage root that is not empty: the library only asks whether an account has storage (EIP-7610). */
const SOME_STORAGE = new Uint8Array(32).fill(1)

/** A working copy of a state root behind the library's interface. On a fork, missing values are loaded first. */
export class LibraryState implements StateManagerInterface {
  readonly recorder = new ReadRecorder()
  readonly #state: State
  /** Values before the transaction, by address and slot (EIP-2200). */
  readonly #originals = new Map<string, Uint8Array>()
  /** An account whose next read shows no code. */
  #codelessOnce: Address | undefined

  readonly #expected: StateRoot
  /** The state at the end of the block; absent if the block did not run to its end. */
  end: StateRoot | undefined

  /** `expected` is the node's state after the block. */
  constructor(before: StateRoot, expected: StateRoot) {
    this.#state = new State(before)
    this.#expected = expected
  }

  /**
   * Hides the code of an account at the next read. The first read of a transaction is the check that its sender has no code
   * (EIP-3607), which does not apply to an impersonated contract.
   */
  hideCodeOnce(address: Address): void {
    this.#codelessOnce = address
  }

  async getAccount(key: LibraryAddress): Promise<Account | undefined> {
    const address = toAddress(key.bytes)
    this.recorder.slotsOf(address)
    const isCodeless = this.#codelessOnce === address
    if (isCodeless) this.#codelessOnce = undefined
    return finish(() => {
      const fields = this.#state.account(address)
      if (fields === undefined) return undefined
      const { nonce, balance, codeHash } = fields
      return createAccount({
        nonce,
        balance,
        codeHash: fromHex(isCodeless ? EMPTY_CODE_HASH : codeHash),
        storageRoot: this.#state.hasStorage(address) ? SOME_STORAGE : EMPTY_TRIE_HASH,
      })
    })
  }

  /** Ignores code and storage root of the account, because the library sets both by other methods. */
  async putAccount(key: LibraryAddress, account?: Account): Promise<void> {
    if (account === undefined) return this.deleteAccount(key)
    const { nonce, balance } = account
    await finish(() => this.#state.putAccount(toAddress(key.bytes), { nonce, balance }))
  }

  async deleteAccount(key: LibraryAddress): Promise<void> {
    await finish(() => this.#state.deleteAccount(toAddress(key.bytes)))
  }

  async modifyAccountFields(key: LibraryAddress, { nonce, balance }: AccountFields): Promise<void> {
    const before = await this.getAccount(key)
    const account = { nonce: nonce ?? before?.nonce ?? 0n, balance: balance ?? before?.balance ?? 0n }
    this.#state.putAccount(toAddress(key.bytes), account)
  }

  async getCode(key: LibraryAddress): Promise<Uint8Array> {
    const address = toAddress(key.bytes)
    this.recorder.slotsOf(address)
    return finish(() => this.#state.code(address))
  }

  async getCodeSize(key: LibraryAddress): Promise<number> {
    return (await this.getCode(key)).length
  }

  async putCode(key: LibraryAddress, code: Uint8Array): Promise<void> {
    await finish(() => this.#state.putCode(toAddress(key.bytes), code))
  }

  async getStorage(key: LibraryAddress, slotBytes: Uint8Array): Promise<Uint8Array> {
    const [address, slot] = [toAddress(key.bytes), toHash(slotBytes)]
    this.recorder.slotsOf(address).add(slot)
    return finish(() => this.#state.storage(address, slot))
  }

  async putStorage(key: LibraryAddress, slotBytes: Uint8Array, value: Uint8Array): Promise<void> {
    const [address, slot] = [toAddress(key.bytes), toHash(slotBytes)]
    await finish(() => this.#state.putStorage(address, slot, value))
  }

  async clearStorage(key: LibraryAddress): Promise<void> {
    await finish(() => this.#state.clearStorage(toAddress(key.bytes)))
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

  /** The library asks for a slot's value before the transaction before it first changes the slot. */
  readonly originalStorageCache = {
    get: async (key: LibraryAddress, slotBytes: Uint8Array): Promise<Uint8Array> => {
      const name = `${toAddress(key.bytes)}${toHash(slotBytes)}`
      const known = this.#originals.get(name)
      if (known !== undefined) return known
      const value = await this.getStorage(key, slotBytes)
      this.#originals.set(name, value)
      return value
    },
    clear: (): void => this.#originals.clear(),
  }

  /** The root at the end of a block. Afterwards the library compares it with the header's and may revert. */
  async getStateRoot(): Promise<Uint8Array> {
    this.end = this.#state.intermediateRoot()
    const isSame = stateDifferences(this.#state.base, this.#expected, this.end).length === 0
    return fromHex((isSame ? this.#expected : this.end).hash)
  }

  readonly setStateRoot = refuse
  readonly hasStateRoot = refuse
  readonly shallowCopy = refuse

  /** There is no cache beside the working copy. */
  clearCaches(): void {
    this.#originals.clear()
  }
}

function refuse(): never {
  throw new InvariantError('the library set, looked for or copied a state')
}
