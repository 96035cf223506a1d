/** The state after a block of the remote chain. Accounts, code and slots are loaded when they are first read. */

import type * as z from 'zod'
import type { Address, Hash } from '../base/hex.ts'
import {
  EMPTY_BYTES,
  asAddress,
  asHash,
  bigIntToBytes,
  toHash,
  toHex,
  toQuantity,
  toWord,
} from '../base/hex.ts'
import { keccak256 } from '../crypto/keccak.ts'
import { SYSTEM_ACCOUNT } from '../evm/system-transaction.ts'
import type { AccountProof, ExpectedCall, Funding, StateSource } from '../state/state-source.ts'
import { EMPTY_ACCOUNT, EMPTY_CODE_HASH, type AccountFields } from '../state/account.ts'
import { remoteAccessList, remoteProof } from '../schema/remote.ts'
import { data as dataForm, quantity } from '../schema/wire.ts'
import { FactTable, type Remote } from './remote.ts'
import { readRemote, ACCOUNT_METHODS, type BlockId, type Question } from './question.ts'
import { remoteFailed } from './remote-error.ts'

/** The changes of a fork to the state of the remote block. */
export interface InitialChanges {
  /** The accounts that the node funds. */
  readonly funded: ReadonlyMap<Address, Funding>
  /** Accounts that exist on the network although they may be empty: those of its precompiles. */
  readonly existing: ReadonlySet<Address>
  /** Whether the precompiles of the remote keep their values in the same slots as those of this node. */
  readonly hasOwnLayout: boolean
}

/** The block after which the state holds. */
export interface StateBlock extends BlockId {
  readonly stateRoot: Hash
}

/** Maximum number of slots that are loaded ahead while a contract walks through an array. */
const MAX_AHEAD = 64

/** Bytes of call data above which the remote is not asked what a call will read. */
const MAX_EXPECTED_DATA = 100_000

const accountQuestions = (address: Address, block: BlockId): readonly Question[] =>
  ACCOUNT_METHODS.map((method) => {
    const form: z.ZodType = method === 'eth_getCode' ? dataForm : quantity
    const check = (answer: unknown) => readRemote(form, answer, `${method} of ${address}`)
    return { method, params: [address], block, check }
  })

const slotKey = (address: Address, slot: Hash): string => `${address} ${slot}`

/** Reads are asked from the remote once; then their answers stay in memory. What the blocks of the fork change is in its own state. */
export class RemoteState implements StateSource {
  readonly stateRoot: Hash
  readonly precompileSlots: ReadonlySet<Address> | undefined
  readonly #remote: Remote
  readonly #block: StateBlock
  readonly #changes: InitialChanges
  readonly #accounts: FactTable<Address, AccountFields | undefined>
  readonly #slots: FactTable<string, Uint8Array>
  /** Proofs by address and slots, separated by spaces. */
  readonly #proofs: FactTable<string, AccountProof>
  /** Results of calls of precompiles, by address and data; absent if the call fails. */
  readonly #calls: FactTable<string, Uint8Array | undefined>
  /** Hashes of the calls whose access lists were asked for. */
  readonly #expected = new Set<string>()
  /** The slot that was missing last in each account, and how many slots after it were loaded with it. */
  readonly #walks = new Map<Address, { readonly slot: bigint; readonly ahead: number }>()

  constructor(remote: Remote, block: StateBlock, changes: InitialChanges) {
    this.stateRoot = block.stateRoot
    this.precompileSlots = changes.hasOwnLayout ? changes.existing : undefined
    this.#remote = remote
    this.#block = block
    this.#changes = changes
    this.#proofs = new FactTable(remote, {
      questions: (key) => [{ method: 'eth_getProof', params: proofParams(key), block }],
      read: ([json], key) => readProof(json, ...proofParams(key)),
    })
    this.#accounts = new FactTable(remote, {
      questions: (address) => accountQuestions(address, block),
      read: ([balance, nonce, code], address) => this.#readAccount(address, { balance, nonce, code }),
    })
    this.#slots = new FactTable(remote, {
      questions: (key) => [{ method: 'eth_getStorageAt', params: key.split(' '), block }],
      read: ([value], key) => {
        const word = readRemote(quantity, value, `slot ${key}`)
        return word === 0n ? EMPTY_BYTES : bigIntToBytes(word)
      },
    })
    this.#calls = new FactTable(remote, {
      questions: (key) => {
        const [to, data] = key.split(' ')
        return [{ method: 'eth_call', params: [{ to, data }], block, mayFail: true }]
      },
      // For a question that may fail, remote.ts answers a failure with an object.
      read: ([answer], key) =>
        typeof answer === 'object' && answer !== null
          ? undefined
          : readRemote(dataForm, answer, `result of a call: ${key}`),
    })
  }

  get callPrecompile(): StateSource['callPrecompile'] {
    const { existing, hasOwnLayout } = this.#changes
    if (hasOwnLayout || existing.size === 0) return undefined
    return (address, data) => this.#calls.get(`${address} ${toHex(data)}`)
  }

  account(address: Address): AccountFields | undefined {
    // The address of the system account is one byte, which no remote accepts. Only the state root depends on this account.
    return address === SYSTEM_ACCOUNT ? undefined : this.#accounts.get(address)
  }

  storage(address: Address, slot: Hash): Uint8Array {
    const key = slotKey(address, slot)
    if (!this.#slots.has(key) && !this.#remote.remotes.isAbsent) this.#loadAhead(address, BigInt(slot))
    return this.#slots.get(key)
  }

  changes(address: Address): boolean {
    return this.#changes.funded.has(address)
  }

  proof(address: Address, slots: readonly Hash[]): AccountProof {
    return this.#proofs.get([address, ...slots].join(' '))
  }

  expect(call: ExpectedCall): Promise<void> | undefined {
    // Without a remote nothing can be loaded ahead, and only what is read is missing.
    if (this.#remote.remotes.isAbsent) return undefined
    const { sender, to, data, accounts = [] } = call
    for (const address of [sender, to ?? sender, ...accounts])
      // A failed load is not an error: if the account is needed, it is loaded again.
      this.#accounts.load(address).catch(() => undefined)
    if (to === undefined || data.length === 0 || data.length > MAX_EXPECTED_DATA) return undefined
    const request = { from: sender, to, value: toQuantity(call.value), data: toHex(data) }
    const hash = toHex(keccak256(Buffer.from(JSON.stringify(request))))
    if (this.#expected.has(hash)) return undefined
    this.#expected.add(hash)
    return this.#loadAccessList(request)
  }

  #readAccount(
    address: Address,
    answers: Readonly<Record<'balance' | 'nonce' | 'code', unknown>>,
  ): AccountFields | undefined {
    const about = (what: string): string => `${what} of ${address}`
    const nonce = readRemote(quantity, answers.nonce, about('nonce'))
    const funded = this.#changes.funded.get(address)
    const balance = funded?.balance ?? readRemote(quantity, answers.balance, about('balance'))
    const code = funded?.keepsCode === false ? EMPTY_BYTES : readRemote(dataForm, answers.code, about('code'))
    const isEmpty = nonce === 0n && balance === 0n && code.length === 0
    if (isEmpty) return this.#changes.existing.has(address) ? EMPTY_ACCOUNT : undefined
    return { nonce, balance, code, codeHash: code.length === 0 ? EMPTY_CODE_HASH : toHash(keccak256(code)) }
  }

  /**
   * Loads slots ahead while a contract walks through an array. If a slot is missing just after those that were loaded ahead, about
   * twice as many are loaded ahead of it. If it is missing after another loaded slot, one is.
   */
  #loadAhead(address: Address, slot: bigint): void {
    const walk = this.#walks.get(address)
    const isNext = walk !== undefined && slot > walk.slot && slot <= walk.slot + BigInt(walk.ahead) + 1n
    const isAfterLoaded = slot > 0n && this.#slots.has(slotKey(address, toWord(slot - 1n)))
    const ahead = isNext ? Math.min(MAX_AHEAD, 2 * walk.ahead + 1) : Number(isAfterLoaded)
    this.#walks.set(address, { slot, ahead })
    for (let next = 1n; next <= BigInt(ahead); next++) {
      const key = slotKey(address, toWord(BigInt.asUintN(256, slot + next)))
      // A failed load is not an error: if the slot is needed, it is loaded again.
      this.#slots.load(key).catch(() => undefined)
    }
  }

  /** Loads the accounts and slots that the call reads on the remote. Most nodes list them (eth_createAccessList). */
  async #loadAccessList(request: Readonly<Record<string, unknown>>): Promise<void> {
    const method = 'eth_createAccessList'
    if (!this.#remote.has(method)) return
    try {
      const answer = await this.#remote.ask({ method, params: [request], block: this.#block })
      const { accessList } = readRemote(remoteAccessList, answer, 'access list')
      await Promise.all(
        accessList.flatMap(({ address, storageKeys }) => [
          this.#accounts.load(address),
          ...storageKeys.map((slot) => this.#slots.load(slotKey(address, slot))),
        ]),
      )
    } catch {
      // The list only saves time. What it lacks is loaded when it is read, and only that load reports errors.
    }
  }
}

function proofParams(key: string): readonly [Address, readonly Hash[]] {
  const [address = '', ...slots] = key.split(' ')
  return [asAddress(address), slots.map(asHash)]
}

function readProof(json: unknown, address: Address, slots: readonly Hash[]): AccountProof {
  const subject = `proof of ${address}`
  const { accountProof, storageHash, storageProof, ...account } = readRemote(remoteProof, json, subject)
  if (storageProof.length !== slots.length)
    throw remoteFailed(
      `the remote's ${subject} has ${storageProof.length} storage proofs, ${slots.length} were asked for`,
    )
  const proofs = slots.flatMap((slot, index) => {
    const proof = storageProof[index]
    return proof === undefined ? [] : [{ slot, ...proof }]
  })
  return { accountProof, account, storageHash, storageProof: proofs }
}
