/** The state after a block of the remote chain. Accounts, code and slots are loaded when they are first read. */

import type { Address, Hash } from '../base/hex.ts'
import { EMPTY_BYTES, bigIntToBytes, toHash, toHex, toQuantity, toWord } from '../base/hex.ts'
import { ADDRESS, DATA, HASH, QUANTITY, RemoteObject, readRemote } from '../base/remote-object.ts'
import { keccak256 } from '../crypto/keccak.ts'
import { SYSTEM_ACCOUNT } from '../evm/system-transaction.ts'
import type { AccountProof } from '../state/account-proof.ts'
import { EMPTY_ACCOUNT, EMPTY_CODE_HASH } from '../state/account.ts'
import type { AccountFields } from '../state/account.ts'
import type { ExpectedCall, StateSource } from '../state/state-source.ts'
import { FactTable } from './facts.ts'
import { RemoteProofs } from './remote-proofs.ts'
import type { BlockId } from './canonical-check.ts'
import type { Question, Remote } from './remote.ts'
import { RemoteError } from './remote-error.ts'

/** What a fork changes in the state of the remote block. */
export interface InitialChanges {
  /** Balances in wei of accounts that the node funds. They have no code, although the remote may have some there. */
  readonly funded: ReadonlyMap<Address, bigint>
  /** Accounts that exist on the network although they may be empty: those of its precompiles. */
  readonly existing: ReadonlySet<Address>
  /** Whether the precompiles of the remote keep their values in the slots in which those of this node do. */
  readonly hasOwnLayout: boolean
}

/** The block whose state it is. */
export interface StateBlock extends BlockId {
  readonly stateRoot: Hash
}

/** Slots of a walk through an array that are loaded ahead, at most. */
const MAX_AHEAD = 64

/** Bytes of call data above which the remote is not asked what a call will read. */
const MAX_EXPECTED_DATA = 100_000

/** What an account consists of. */
const accountQuestions = (address: Address, block: BlockId): readonly Question[] =>
  ['eth_getBalance', 'eth_getTransactionCount', 'eth_getCode'].map((method) => ({
    method,
    params: [address],
    block,
  }))

/** Whether an answer says that a call failed (remote.ts). */
const isFailure = (answer: unknown): boolean => typeof answer === 'object' && answer !== null

/** Separates address and slot in the key of a slot. */
const slotKey = (address: Address, slot: Hash): string => `${address} ${slot}`

/** A state of the remote. */
export class RemoteState implements StateSource {
  readonly stateRoot: Hash
  readonly precompileSlots: ReadonlySet<Address> | undefined
  readonly #remote: Remote
  readonly #block: StateBlock
  readonly #changes: InitialChanges
  readonly #accounts: FactTable<Address, AccountFields | undefined>
  readonly #slots: FactTable<string, Uint8Array>
  readonly #proofs: RemoteProofs
  /** Results of calls by address and data; absent for those that fail. */
  readonly #calls: FactTable<string, Uint8Array | undefined>
  /** Calls about which the remote was asked. */
  readonly #expected = new Set<string>()
  /** The slot that was missing last in each account, and how many slots after it were loaded with it. */
  readonly #walks = new Map<Address, { readonly slot: bigint; readonly ahead: number }>()

  constructor(remote: Remote, block: StateBlock, changes: InitialChanges) {
    this.stateRoot = block.stateRoot
    this.precompileSlots = changes.hasOwnLayout ? changes.existing : undefined
    this.#remote = remote
    this.#block = block
    this.#changes = changes
    this.#proofs = new RemoteProofs(remote, block)
    this.#accounts = new FactTable(remote, {
      name: 'account',
      questions: (address) => accountQuestions(address, block),
      askTogether: (address) => this.#askAccountInfo(address),
      read: ([balance, nonce, code], address) => this.#readAccount(address, { balance, nonce, code }),
    })
    this.#slots = new FactTable(remote, {
      name: 'slot',
      questions: (key) => [{ method: 'eth_getStorageAt', params: key.split(' '), block }],
      read: ([value], key) => {
        const word = readRemote(value, `slot ${key}`, QUANTITY)
        return word === 0n ? EMPTY_BYTES : bigIntToBytes(word)
      },
    })
    this.#calls = new FactTable(remote, {
      name: 'result of a call',
      questions: (key) => {
        const [to, data] = key.split(' ')
        return [{ method: 'eth_call', params: [{ to, data }], block, mayFail: true }]
      },
      read: ([answer], key) =>
        isFailure(answer) ? undefined : readRemote(answer, `result of a call: ${key}`, DATA),
    })
  }

  get callPrecompile(): StateSource['callPrecompile'] {
    const { existing, hasOwnLayout } = this.#changes
    if (hasOwnLayout || existing.size === 0) return undefined
    return (address, data) => this.#calls.get(`${address} ${toHex(data)}`)
  }

  account(address: Address): AccountFields | undefined {
    // Its address is one byte, which no remote accepts, and only the state root depends on it.
    return address === SYSTEM_ACCOUNT ? undefined : this.#accounts.get(address)
  }

  storage(address: Address, slot: Hash): Uint8Array {
    const key = slotKey(address, slot)
    if (!this.#slots.has(key)) this.#loadAhead(address, BigInt(slot))
    return this.#slots.get(key)
  }

  changes(address: Address): boolean {
    return this.#changes.funded.has(address)
  }

  proof(address: Address, slots: readonly Hash[]): AccountProof {
    return this.#proofs.of(address, slots)
  }

  expect(call: ExpectedCall): Promise<void> | undefined {
    const { sender, to, data, accounts = [] } = call
    for (const address of [sender, to ?? sender, ...accounts])
      // A failed load is not an error: if the account is needed, it is loaded again.
      this.#accounts.load(address).catch(() => undefined)
    if (to === undefined || data.length === 0 || data.length > MAX_EXPECTED_DATA) return undefined
    const request = { from: sender, to, value: toQuantity(call.value), data: toHex(data) }
    const key = JSON.stringify(request)
    if (this.#expected.has(key)) return undefined
    this.#expected.add(key)
    return this.#loadAccessList(request)
  }

  /** Asks for an account with one request, and stores what the three usual ones would have answered. */
  async #askAccountInfo(address: Address): Promise<readonly unknown[] | undefined> {
    if (!this.#remote.hasAccountInfo) return undefined
    try {
      const question = { method: 'eth_getAccountInfo', params: [address], block: this.#block }
      const info = RemoteObject.of(await this.#remote.request(question), `account info of ${address}`)
      const quantities = [info.get('balance', QUANTITY), info.get('nonce', QUANTITY)].map(toQuantity)
      const answers = [...quantities, toHex(info.get('code', DATA))]
      for (const [index, each] of accountQuestions(address, this.#block).entries())
        this.#remote.remember(each, answers[index])
      return answers
    } catch (error) {
      if (!(error instanceof RemoteError) || error.reason !== 'methodNotFound') throw error
      this.#remote.hasAccountInfo = false
      return undefined
    }
  }

  #readAccount(
    address: Address,
    answers: Readonly<Record<'balance' | 'nonce' | 'code', unknown>>,
  ): AccountFields | undefined {
    const about = (what: string): string => `${what} of ${address}`
    const nonce = readRemote(answers.nonce, about('nonce'), QUANTITY)
    const funded = this.#changes.funded.get(address)
    if (funded !== undefined) return { nonce, balance: funded, code: EMPTY_BYTES, codeHash: EMPTY_CODE_HASH }
    const balance = readRemote(answers.balance, about('balance'), QUANTITY)
    const code = readRemote(answers.code, about('code'), DATA)
    const isEmpty = nonce === 0n && balance === 0n && code.length === 0
    if (isEmpty) return this.#changes.existing.has(address) ? EMPTY_ACCOUNT : undefined
    return { nonce, balance, code, codeHash: code.length === 0 ? EMPTY_CODE_HASH : toHash(keccak256(code)) }
  }

  /**
   * Loads the slots after one that is missing, if the slot before it was missing last: a contract walks through an array. After
   * a slot that is loaded, it is one slot only.
   */
  #loadAhead(address: Address, slot: bigint): void {
    const walk = this.#walks.get(address)
    const isNext = walk !== undefined && slot > walk.slot && slot <= walk.slot + BigInt(walk.ahead) + 1n
    const isAfterLoaded = slot > 0n && this.#slots.has(slotKey(address, toWord(slot - 1n)))
    const first = isAfterLoaded ? 1 : 0
    const ahead = isNext ? Math.min(MAX_AHEAD, 2 * walk.ahead + 1) : first
    this.#walks.set(address, { slot, ahead })
    for (let next = 1n; next <= BigInt(ahead); next++) {
      const key = slotKey(address, toWord(BigInt.asUintN(256, slot + next)))
      // A failed load is not an error: if the slot is needed, it is loaded again.
      this.#slots.load(key).catch(() => undefined)
    }
  }

  /** Loads the accounts and slots that the call reads on the remote. Most nodes can tell them (eth_createAccessList). */
  async #loadAccessList(request: Readonly<Record<string, unknown>>): Promise<void> {
    if (!this.#remote.hasAccessLists) return
    try {
      const method = 'eth_createAccessList'
      const answer = await this.#remote.ask({ method, params: [request], block: this.#block })
      const items = RemoteObject.of(answer, 'access list').objects('accessList')
      await Promise.all(
        items.flatMap((item) => {
          const address = item.get('address', ADDRESS)
          const slots = item.list('storageKeys', HASH)
          return [
            this.#accounts.load(address),
            ...slots.map((slot) => this.#slots.load(slotKey(address, slot))),
          ]
        }),
      )
    } catch (error) {
      // The list is only a help: what is missing is loaded when it is read, and errors are those of that load.
      if (error instanceof RemoteError && error.reason === 'methodNotFound')
        this.#remote.hasAccessLists = false
    }
  }
}
