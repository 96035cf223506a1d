/** Decodes and signs transactions under a network's rules. lib/consensus decides about admission to the pool. */

import { createTx, createTxFromRLP } from '@ethereumjs/tx'
import type { TypedTransaction } from '@ethereumjs/tx'
import { NodeError } from '../base/errors.ts'
import { bigIntToBytes32 } from '../base/hex.ts'
import type { Address } from '../base/hex.ts'
import { present } from '../base/invariant.ts'
import type { RlpItem } from '../base/rlp.ts'
import type { ForkChoice } from '../config/active-eips.ts'
import { networkBlobSchedule } from '../config/blob-schedule.ts'
import type { BlobSchedule } from '../config/eips.ts'
import type { Network } from '../config/network.ts'
import { recoverAddress } from '../crypto/address.ts'
import { asRecovery } from '../crypto/curve.ts'
import type { Signature } from '../crypto/curve.ts'
import { legacySigningHash, readLegacyMembers } from './legacy-members.ts'
import { legacyTransaction, signLegacy, withSignature } from './legacy-transaction.ts'
import type { LibraryNetwork } from './library-common.ts'
import { signLibraryTransaction } from './library-signature.ts'
import { bytesAt, listMembers, numberAt, unreadable } from './rlp-members.ts'
import { BLOB_TYPE, blobFault, blobMembers, splitNetworkForm } from './sidecar.ts'
import type { SplitForm } from './sidecar.ts'
import { libraryFields } from './transaction-fields.ts'
import {
  EIP155_V,
  MAX_S,
  fromLibraryTransaction,
  legacyChainId,
  impersonatedSignature,
} from './transaction.ts'
import type { Transaction, TransactionFields } from './transaction.ts'

/** Number of members of the signed list, and the name, by transaction type. */
const LAYOUTS = new Map([
  [0, { members: 9, name: 'legacy' }],
  [1, { members: 11, name: 'access list (EIP-2930)' }],
  [2, { members: 12, name: 'fee market (EIP-1559)' }],
  [3, { members: 14, name: 'blob (EIP-4844)' }],
  [4, { members: 13, name: 'set code (EIP-7702)' }],
])

/** The members of a network that the codec uses. */
type CodecNetwork = Pick<Network, 'transactionTypes' | 'acceptsLeadingZeros' | 'chainId' | keyof ForkChoice>

/** Source of the chain id. */
interface Identity {
  readonly chainId: bigint
}

/** Decodes and signs the transactions that a network accepts. */
export class TransactionCodec {
  readonly #library: LibraryNetwork
  readonly #identity: Identity
  readonly #types: readonly number[]
  readonly #acceptsLeadingZeros: boolean
  readonly #blobSchedule: BlobSchedule | undefined

  /** `identity` holds the current chain id. */
  constructor(library: LibraryNetwork, network: CodecNetwork, identity: Identity = network) {
    const { transactionTypes, acceptsLeadingZeros } = network
    this.#blobSchedule = networkBlobSchedule(network)
    this.#library = library
    this.#identity = identity
    this.#types = transactionTypes
    this.#acceptsLeadingZeros = acceptsLeadingZeros
  }

  /** Transaction types that the network accepts. */
  get types(): readonly number[] {
    return this.#types
  }

  get #options(): ReturnType<LibraryNetwork['optionsOf']> {
    return this.#library.optionsOf(this.#identity.chainId)
  }

  /**
   * Decodes a signed transaction, which may come with a sidecar, and recovers its sender.
   * @throws NodeError 'invalidTransaction', 'unsupportedTransaction' or 'wrongChainId'
   */
  decode(sent: Uint8Array): Transaction {
    const { encoded, sidecar } = this.#split(sent)
    const members = this.#inspect(encoded)
    if (this.#acceptsLeadingZeros) return this.#decodeLegacy(encoded, members)
    const inner = attempt(() => createTxFromRLP(encoded, this.#options))
    const sender = attempt(() => senderOf(inner))
    return {
      ...fromLibraryTransaction(inner, sender, encoded),
      ...(sidecar === undefined ? {} : { sidecar }),
    }
  }

  /** Signs the fields with a key whose address the caller knows. */
  sign(fields: TransactionFields, privateKey: Uint8Array, sender: Address): Transaction {
    const signer = { chainId: this.#identity.chainId, privateKey, sender }
    if (this.#isOwn(fields)) return signLegacy(fields, signer)
    return withSidecar(signLibraryTransaction(this.build(fields), signer), fields)
  }

  /** An unsigned transaction for simulations. */
  unsigned(fields: TransactionFields, sender: Address): Transaction {
    if (this.#isOwn(fields)) return withSignature(fields, { v: 0n, r: 0n, s: 0n }, sender)
    const inner = this.build(fields)
    return withSidecar(fromLibraryTransaction(inner, sender, inner.serialize()), fields)
  }

  /** A transaction of an impersonated account, with an invalid signature that is unique for each sender. */
  impersonate(fields: TransactionFields, sender: Address): Transaction {
    const r = impersonatedSignature(sender)
    const v = fields.type === 0 ? this.#identity.chainId * 2n + EIP155_V : 0n
    if (this.#isOwn(fields)) return withSignature(fields, { v, r, s: r }, sender)
    this.#checkBlobs(fields)
    const unsigned = libraryFields(fields, this.#options.common)
    const inner = attempt(() => createTx({ ...unsigned, v, r, s: r }, this.#options))
    return withSidecar(fromLibraryTransaction(inner, sender, inner.serialize()), fields)
  }

  /** The library's form of the fields, unsigned. */
  build(fields: TransactionFields): TypedTransaction {
    this.#checkBlobs(fields)
    return attempt(() => createTx(libraryFields(fields, this.#options.common), this.#options))
  }

  /** @throws NodeError 'unsupportedTransaction' when the network does not accept the type. */
  checkType(type: number): void {
    if (this.#types.includes(type)) return
    const accepted = this.#types.map((known) => `${known} (${nameOf(known)})`).join(', ')
    throw new NodeError(
      'unsupportedTransaction',
      `transaction type ${type} (${nameOf(type)}) is not supported: this network accepts type ${accepted}`,
    )
  }

  /** Splits off a sidecar. @throws NodeError 'invalidTransaction' or 'unsupportedTransaction' */
  #split(sent: Uint8Array): SplitForm {
    if (sent[0] !== BLOB_TYPE) return { encoded: sent }
    this.checkType(BLOB_TYPE)
    return splitNetworkForm(sent)
  }

  #checkBlobs(fields: Pick<TransactionFields, 'type' | 'to' | 'blobVersionedHashes'>): void {
    if (fields.type !== BLOB_TYPE || this.#blobSchedule === undefined) return
    const fault = blobFault(fields, this.#blobSchedule)
    if (fault !== undefined) throw unreadable(fault)
  }

  /** Whether our own code handles a transaction without the library, which would reject leading zeros. */
  #isOwn({ type }: TransactionFields): boolean {
    return this.#acceptsLeadingZeros && type === 0
  }

  /** Decodes a transaction of a merged-mining network; the library would reject some valid ones. */
  #decodeLegacy(encoded: Uint8Array, items: readonly RlpItem[]): Transaction {
    const members = items.map((_, position) => bytesAt(items, position))
    const legacy = readLegacyMembers(members, this.#identity.chainId)
    const { v, r, s } = legacy
    const sender = attempt(() =>
      recoverAddress(legacySigningHash(members, legacyChainId(v)), signatureOf({ type: 0, v, r, s })),
    )
    return legacyTransaction(legacy, sender, encoded)
  }

  /** The members of the list. It checks type and count first, so that each fault has its own error. */
  #inspect(encoded: Uint8Array): readonly RlpItem[] {
    const first = encoded[0]
    if (first === undefined) throw new NodeError('invalidTransaction', 'invalid transaction: no bytes')
    // EIP-2718: a list starts at 0xc0, everything below 0x80 is a type byte.
    const type = first >= 0xc0 ? 0 : first
    if (first >= 0x80 && first < 0xc0) {
      throw new NodeError(
        'invalidTransaction',
        `invalid transaction: byte 0x${first.toString(16)} starts no list and is no type`,
      )
    }
    this.checkType(type)
    const members = listMembers(type === 0 ? encoded : encoded.subarray(1))
    const expected = present(LAYOUTS.get(type), `layout of type ${type}`).members
    if (members.length !== expected) {
      throw new NodeError(
        'invalidTransaction',
        `invalid transaction: a ${nameOf(type)} transaction has ${expected} members, got ${members.length}`,
      )
    }
    this.#checkChainId(type, members)
    if (type === BLOB_TYPE) this.#checkBlobs(blobMembers(members))
    checkSignature(members)
    return members
  }

  #checkChainId(type: number, members: readonly RlpItem[]): void {
    const given = type === 0 ? legacyChainId(numberAt(members, 6)) : numberAt(members, 0)
    const own = this.#identity.chainId
    // A legacy signature without chain id is valid on every chain.
    if (given === own || (type === 0 && given === undefined)) return
    throw new NodeError(
      'wrongChainId',
      `invalid chain id: the transaction is signed for ${given ?? 0n}, this chain is ${own}`,
    )
  }
}

/** The transaction with the sidecar of its fields. */
const withSidecar = (transaction: Transaction, { sidecar }: TransactionFields): Transaction =>
  sidecar === undefined ? transaction : { ...transaction, sidecar }

function checkSignature(members: readonly RlpItem[]): void {
  const r = numberAt(members, -2)
  const s = numberAt(members, -1)
  if (r === 0n || s === 0n)
    throw new NodeError('invalidTransaction', 'invalid signature: r and s must not be zero')
  if (s > MAX_S)
    throw new NodeError('invalidTransaction', 'invalid signature: s is above half the curve order (EIP-2)')
}

/** Recovers the sender; our curve is many times faster than the library's. */
function senderOf(inner: TypedTransaction): Address {
  const { type, v, r, s } = inner
  const signature = { type, v: present(v, 'v'), r: present(r, 'r'), s: present(s, 's') }
  return recoverAddress(inner.getMessageToVerifySignature(), signatureOf(signature))
}

function signatureOf({ type, v, r, s }: Pick<Transaction, 'type' | 'v' | 'r' | 's'>): Signature {
  // Legacy: 27 or 28, or 35 or 36 plus twice the chain id (EIP-155); typed: the parity itself.
  const parity = type !== 0 ? v : v < 35n ? v - 27n : (v - 35n) % 2n
  return { r: bigIntToBytes32(r), s: bigIntToBytes32(s), recovery: asRecovery(parity) }
}

/** Runs the library's parsing and turns its errors into errors of the transaction. */
function attempt<T>(parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new NodeError('invalidTransaction', `invalid transaction: ${reason}`, { cause: error })
  }
}

function nameOf(type: number): string {
  return LAYOUTS.get(type)?.name ?? 'unknown'
}
