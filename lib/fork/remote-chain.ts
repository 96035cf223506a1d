/** Blocks of the remote chain up to the fork's block, and the state after each. Their content is loaded when it is first read. */

import * as z from 'zod'
import {
  toQuantity,
  EMPTY_BYTES,
  asAddress,
  asHash,
  bigIntToBytes,
  toHash,
  toHex,
  toWord,
  type Hash,
  type Address,
} from '../base/hex.ts'
import { present } from '../base/invariant.ts'
import type { Receipt } from '../chain/block.ts'
import type { ChainEntry } from '../chain/chain-entry.ts'
import type { MinedReceipt } from '../chain/chain-index.ts'
import type { LogFilter, PlacedLog } from '../chain/log-index.ts'
import { RemoteEntry, type ForkOrigin, type RemoteHistory } from '../chain/remote-history.ts'
import type { Network } from '../config/network.ts'
import { keccak256 } from '../crypto/keccak.ts'
import { SYSTEM_ACCOUNT } from '../evm/system-transaction.ts'
import type { Header } from '../networks/consensus/consensus.ts'
import { remoteAccessList, remoteProof } from '../schema/remote.ts'
import { optional, quantity64, data as dataForm, quantity } from '../schema/wire.ts'
import { EMPTY_ACCOUNT, EMPTY_CODE_HASH, type AccountFields } from '../state/account.ts'
import { StateRoot } from '../state/state-root.ts'
import type { AccountProof, ExpectedCall, Funding, StateSource } from '../state/state-source.ts'
import { readRemote, ACCOUNT_METHODS, type BlockId, type Question } from './question.ts'
import {
  loadedBlock,
  parseBlock,
  parseUncle,
  uncleQuestions,
  logsParam,
  parseLogs,
  parseReceipts,
  placedLogs,
  receiptQuestions,
  type RemoteBlock,
  type RemoteLog,
} from './remote-block.ts'
import { remoteFailed } from './remote-error.ts'
import { FactTable, type Remote } from './remote.ts'

/** The number of a block object, or of a transaction object's block. */
const place = z.object({ number: optional(quantity64), blockNumber: optional(quantity64) })

interface ForkPoint {
  readonly remote: Remote
  readonly network: Network
  readonly chainId: bigint
  /** Number of the newest remote block of the chain. */
  readonly last: bigint
  /** Changes of the state after that block. */
  readonly changes: InitialChanges
}

/** The blocks of the remote chain that a fork continues. */
export class RemoteBlocks implements RemoteHistory {
  readonly last: bigint
  readonly keepsState = false
  readonly #point: ForkPoint
  readonly #entries = new Map<bigint, RemoteEntry>()
  readonly #blocks: FactTable<number, RemoteBlock>
  /** Block numbers by hash; undefined for blocks that are not on the chain. */
  readonly #numbers: FactTable<Hash, number | undefined>
  /** Block numbers by transaction; undefined for transactions that are not on the chain. */
  readonly #transactions: FactTable<Hash, number | undefined>
  readonly #uncles: FactTable<number, readonly Header[]>
  readonly #receipts: FactTable<number, readonly Receipt[]>
  /** Logs by the param of the request, as JSON. */
  readonly #logs: FactTable<string, readonly RemoteLog[]>

  constructor(point: ForkPoint) {
    const { remote, network, last } = point
    this.last = last
    this.#point = point
    this.#blocks = new FactTable(remote, {
      questions: (number) => [{ method: 'eth_getBlockByNumber', params: [toQuantity(number), true] }],
      read: ([json], number) => this.#readBlock(json, number),
    })
    this.#numbers = new FactTable(remote, {
      questions: (hash) => [{ method: 'eth_getBlockByHash', params: [hash, false] }],
      read: ([json]) => this.#numberIn(json, 'block', 'number'),
    })
    this.#transactions = new FactTable(remote, {
      questions: (hash) => [{ method: 'eth_getTransactionByHash', params: [hash] }],
      read: ([json]) => this.#numberIn(json, 'transaction', 'blockNumber'),
    })
    this.#uncles = new FactTable(remote, {
      questions: (number) => uncleQuestions(this.#blocks.get(number), network),
      read: (answers) => answers.map((json) => parseUncle(json, network).header),
    })
    this.#receipts = new FactTable(remote, {
      questions: (number) => receiptQuestions(remote, this.#blocks.get(number)),
      // Receipts that were asked for together arrive as a list.
      read: (answers, number) => parseReceipts(answers.flat(), this.#blocks.get(number).transactions),
    })
    this.#logs = new FactTable(remote, {
      questions: (param) => [{ method: 'eth_getLogs', params: [JSON.parse(param)] }],
      read: ([json]) => parseLogs(json),
    })
  }

  async loadEnds(): Promise<void> {
    await Promise.all([this.#blocks.load(0), this.#blocks.load(Number(this.last))])
  }

  /** The newest block, which the fork continues. */
  get head(): RemoteEntry {
    return this.#entryAt(this.last)
  }

  get origin(): ForkOrigin {
    const { remote, chainId, last } = this.#point
    return { chainId, blockNumber: last, blockHash: this.head.hash, url: remote.remotes.shownUrl }
  }

  make(number: bigint): ChainEntry | undefined {
    return number < 0n || number > this.last ? undefined : this.#entryAt(number)
  }

  byHash(hash: Hash): ChainEntry | undefined {
    const number = this.#numbers.get(hash)
    const entry = number === undefined ? undefined : this.#entryAt(BigInt(number))
    // A block of another branch may have the same number.
    return entry?.hash === hash ? entry : undefined
  }

  receipt(hash: Hash): MinedReceipt | undefined {
    const number = this.#transactions.get(hash)
    if (number === undefined) return undefined
    const entry = this.#entryAt(BigInt(number))
    const receipt = entry.block.receipts.find(({ transaction }) => transaction.hash === hash)
    return receipt && { entry, receipt }
  }

  logs(filter: LogFilter, from: bigint, to: bigint): readonly PlacedLog[] {
    const param = logsParam(filter, from, to < this.last ? to : this.last)
    return placedLogs(this.#logs.get(JSON.stringify(param)), (hash) => this.#headerOf(hash).timestamp)
  }

  #entryAt(number: bigint): RemoteEntry {
    return this.#entries.get(number) ?? this.#addEntry(number)
  }

  #addEntry(number: bigint): RemoteEntry {
    const { remote, changes } = this.#point
    const kept = this.#blocks.get(Number(number))
    const { hash, header } = kept
    const block = loadedBlock(kept, {
      receipts: () => this.#receipts.get(Number(number)),
      uncles: () => this.#uncles.get(Number(number)),
    })
    const unchanged = { ...changes, funded: new Map() }
    const source = new RemoteState(
      remote,
      { number, hash, stateRoot: header.stateRoot },
      number === this.last ? changes : unchanged,
    )
    const parent = number === 0n ? undefined : this.#entryAt(0n)
    const entry = new RemoteEntry({ block, state: new StateRoot(undefined, source), parent }, this)
    this.#entries.set(number, entry)
    return entry
  }

  #headerOf(hash: Hash): Header {
    const number = this.#numbers.get(hash)
    return this.#entryAt(BigInt(present(number, `block ${hash}`))).block.header
  }

  #readBlock(json: unknown, number: number): RemoteBlock {
    const { remote, network } = this.#point
    if (json === null) throw remoteFailed(`the remote ${remote.remotes.shownUrl} has no block ${number}`)
    const block = parseBlock(json, network, `block ${number}`)
    this.#numbers.set(block.hash, number)
    for (const { transaction } of block.transactions) this.#transactions.set(transaction.hash, number)
    return block
  }

  /** The number of a block on this chain: not pending, and not above the fork's block. */
  #numberIn(json: unknown, subject: string, member: 'number' | 'blockNumber'): number | undefined {
    if (json === null) return undefined
    const number = readRemote(place, json, subject)[member]
    return number === undefined || number > this.last ? undefined : Number(number)
  }
}

/** The changes of a fork to the state of the remote block. */
interface InitialChanges {
  readonly funded: ReadonlyMap<Address, Funding>
  /** The network's precompiles: these accounts exist although they may be empty. */
  readonly existing: ReadonlySet<Address>
  /** Whether the remote's precompiles keep their values in the same slots as this node's. */
  readonly hasOwnLayout: boolean
}

interface StateBlock extends BlockId {
  readonly stateRoot: Hash
}

/** Maximum number of slots that are loaded ahead while a contract walks through an array. */
const MAX_AHEAD = 64

/** Above this many bytes of call data, the remote is not asked what a call will read. */
const MAX_EXPECTED_DATA = 100_000

const accountQuestions = (address: Address, block: BlockId): readonly Question[] =>
  ACCOUNT_METHODS.map((method) => {
    const form: z.ZodType = method === 'eth_getCode' ? dataForm : quantity
    const check = (answer: unknown) => readRemote(form, answer, `${method} of ${address}`)
    return { method, params: [address], block, check }
  })

const slotKey = (address: Address, slot: Hash): string => `${address} ${slot}`

/** Reads the remote's state. Each answer stays in memory. Changes by the fork's blocks are in the fork's own state. */
class RemoteState implements StateSource {
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
  /** The last missing slot of each account, and how many slots were loaded after it. */
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
    // The system account's address is one byte, which no remote accepts. Only the state root depends on this account.
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
    // Without a remote nothing can be loaded ahead. Only what is read can be missing.
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
   * Loads slots ahead while a contract walks through an array. If a slot is missing just after those loaded ahead, about twice as
   * many follow it. If it is missing after another loaded slot, one more is loaded.
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

  /** Loads the accounts and slots that the call reads on the remote. Most nodes can list them (eth_createAccessList). */
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
      // The list only saves time. What it lacks is loaded when it is read, and that load reports errors.
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
