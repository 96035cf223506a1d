/** Decodes and signs transactions under a network's rules. lib/networks/consensus decides about admission to the pool. */

import { PHRASES } from '../config/phrases.ts'
import { NodeError } from '../base/errors.ts'
import { bigIntToBytes, bytesToBigInt, toHash, type Address } from '../base/hex.ts'
import type { RlpInput, RlpItem } from '../base/rlp.ts'
import { activeEips, type HardforkChoice } from '../config/active-eips.ts'
import type { Network } from '../config/network.ts'
import { keccak256 } from '../crypto/keccak.ts'
import { curve } from '../crypto/secp256k1.ts'
import { readLegacyFields, readLegacySignature } from './legacy-members.ts'
import { bytesAt, listMembers, numberAt, readNumber, unreadable } from './rlp-members.ts'
import { blobFault, splitNetworkForm, type SplitForm } from './sidecar.ts'
import { checkBounds } from './transaction-gas.ts'
import {
  encodeEnvelope,
  memberCount,
  readFields,
  signingHash,
  typeName,
  unsignedMembers,
} from './transaction-members.ts'
import { checkSignature, readSignature, recoverSender } from './transaction-signature.ts'
import {
  BLOB_TYPE,
  LEGACY_TYPE,
  SET_CODE_TYPE,
  EIP155_V,
  legacyChainId,
  impersonatedSignature,
} from './transaction.ts'
import type { Transaction, TransactionFields } from './transaction.ts'
import {
  checkAuthorization,
  checkDelegation,
  checkTypedChainId,
  typeOfEncoded,
  unsupportedText,
} from './typed-checks.ts'

/** The members of a network that the codec uses. */
type CodecNetwork = Pick<
  Network,
  'transactionTypes' | 'acceptsLeadingZeros' | 'isStrict' | 'chainId' | keyof HardforkChoice
>

/** A signature, which may be invalid, and the address of the sender. */
type Signed = Pick<Transaction, 'v' | 'r' | 's' | 'sender'>

/** Position of the gas price in a legacy transaction. */
const PRICE_MEMBER = 1

/** Decodes and signs the transactions that a network accepts. */
export class TransactionCodec {
  readonly #network: CodecNetwork
  readonly #identity: Pick<Network, 'chainId'>
  readonly #writesZeroPrice: boolean

  /**
   * `identity` holds the current chain id. With `writesZeroPrice` a price of zero is signed as one zero byte, as the reference node of
   * network 33 signs it.
   */
  constructor(network: CodecNetwork, identity: Pick<Network, 'chainId'> = network, writesZeroPrice = false) {
    this.#network = network
    this.#identity = identity
    this.#writesZeroPrice = writesZeroPrice
  }

  /** Transaction types that the network accepts. */
  get types(): readonly number[] {
    return this.#network.transactionTypes
  }

  /**
   * Decodes a signed transaction, which may come with a sidecar, and recovers its sender.
   * @throws NodeError 'invalidTransaction', 'unsupportedTransaction' or 'wrongChainId'
   */
  decode(sent: Uint8Array): Transaction {
    const { encoded, sidecar } = this.#split(sent)
    const { type, members } = this.#inspect(encoded)
    const { chainId } = this.#identity
    const isLegacy = type === LEGACY_TYPE
    const isLax = isLegacy && this.#network.acceptsLeadingZeros
    const fields = isLax ? readLegacyFields(members) : readFields(type, members)
    const { v, r, s } = isLax ? readLegacySignature(members, chainId) : readSignature(type, members)
    this.#check(fields)
    // Hashes the members as received: network 33 accepts numbers with leading zeros, which are signed too.
    const hash = signingHash(type, members.slice(0, -3), isLegacy ? legacyChainId(v) : undefined)
    const sender = recoverSender(hash, type, { v, r, s })
    const decoded = this.#transaction(fields, { v, r, s, sender }, encoded)
    return sidecar === undefined ? decoded : { ...decoded, sidecar }
  }

  /** Signs the fields with a key whose address the caller knows. @throws NodeError 'invalidTransaction' */
  sign(fields: TransactionFields, privateKey: Uint8Array, sender: Address): Transaction {
    const members = this.#members(fields)
    if (this.#writesZeroPrice && fields.type === LEGACY_TYPE && fields.maxFeePerGas === 0n)
      members[PRICE_MEMBER] = Uint8Array.of(0)
    const { r, s, recovery } = curve.sign(
      signingHash(fields.type, members, this.#identity.chainId),
      privateKey,
    )
    const v = this.#firstV(fields.type) + BigInt(recovery)
    return this.#join(fields, members, { v, r: bytesToBigInt(r), s: bytesToBigInt(s), sender })
  }

  /** An unsigned transaction for simulations. @throws NodeError 'invalidTransaction' */
  unsigned(fields: TransactionFields, sender: Address): Transaction {
    return this.#join(fields, this.#members(fields), { v: 0n, r: 0n, s: 0n, sender })
  }

  /**
   * A transaction of an impersonated account, with an invalid signature that is unique for each sender.
   * @throws NodeError 'invalidTransaction'
   */
  impersonate(fields: TransactionFields, sender: Address): Transaction {
    const r = impersonatedSignature(sender)
    return this.#join(fields, this.#members(fields), { v: this.#firstV(fields.type), r, s: r, sender })
  }

  /** @throws NodeError 'unsupportedTransaction' when the network does not accept the type. */
  checkType(type: number): void {
    if (this.types.includes(type)) return
    const accepted = this.types.map((known) => `${known} (${typeName(known)})`).join(', ')
    throw new NodeError(
      'unsupportedTransaction',
      `transaction type ${type} (${typeName(type)}) is not supported: this network accepts type ${accepted}`,
      { phrases: PHRASES.unsupportedType(type, this.#hasTyped ? unsupportedText(type) : undefined) },
    )
  }

  /** Whether the network accepts types beside legacy transactions. */
  get #hasTyped(): boolean {
    return this.types.length > 1
  }

  /** Splits off a sidecar. @throws NodeError 'invalidTransaction' or 'unsupportedTransaction' */
  #split(sent: Uint8Array): SplitForm {
    if (sent[0] !== BLOB_TYPE) return { encoded: sent }
    this.checkType(BLOB_TYPE)
    return splitNetworkForm(sent)
  }

  /** The `v` of a signature whose y is even. */
  #firstV(type: number): bigint {
    return type === LEGACY_TYPE ? this.#identity.chainId * 2n + EIP155_V : 0n
  }

  /** The members before the signature. @throws NodeError 'invalidTransaction' */
  #members(fields: TransactionFields): RlpInput[] {
    this.#check(fields)
    return unsignedMembers(fields, this.#identity.chainId)
  }

  #join(fields: TransactionFields, members: readonly RlpInput[], signed: Signed): Transaction {
    const { v, r, s } = signed
    const encoded = encodeEnvelope(fields.type, [...members, ...[v, r, s].map(bigIntToBytes)])
    return this.#transaction(fields, signed, encoded)
  }

  #transaction(fields: TransactionFields, { v, r, s, sender }: Signed, encoded: Uint8Array): Transaction {
    const { type } = fields
    // Without a spread, which takes V8 ten times as long.
    return {
      hash: toHash(keccak256(encoded)),
      type,
      sender,
      nonce: fields.nonce,
      to: fields.to,
      gasLimit: fields.gasLimit,
      maxFeePerGas: fields.maxFeePerGas,
      maxPriorityFeePerGas: fields.maxPriorityFeePerGas,
      value: fields.value,
      data: fields.data,
      accessList: type === LEGACY_TYPE ? undefined : (fields.accessList ?? []),
      authorizationList: type === SET_CODE_TYPE ? fields.authorizationList : undefined,
      maxFeePerBlobGas: type === BLOB_TYPE ? (fields.maxFeePerBlobGas ?? 0n) : undefined,
      blobVersionedHashes: type === BLOB_TYPE ? (fields.blobVersionedHashes ?? []) : undefined,
      sidecar: fields.sidecar,
      chainId: type === LEGACY_TYPE ? legacyChainId(v) : this.#identity.chainId,
      v,
      r,
      s,
      encoded,
    }
  }

  /** Checks what makes a transaction invalid in every block. @throws NodeError 'invalidTransaction' */
  #check(fields: TransactionFields): void {
    checkBounds(fields)
    const blobs = fields.type === BLOB_TYPE ? activeEips(this.#network).blobs : undefined
    const fault = blobs && blobFault(fields, blobs)
    if (fault !== undefined) throw unreadable(fault)
    if (fields.type !== SET_CODE_TYPE) return
    checkDelegation(fields)
    if (this.#network.isStrict) fields.authorizationList?.forEach(checkAuthorization)
  }

  /** The type and the members of the list. It checks type and count first, so that each fault has its own error. */
  #inspect(encoded: Uint8Array): { readonly type: number; readonly members: readonly RlpItem[] } {
    const type = typeOfEncoded(encoded, this.#hasTyped)
    this.checkType(type)
    const members =
      type === LEGACY_TYPE ? listMembers(encoded) : listMembers(encoded.subarray(1), 'Invalid input: ')
    const expected = memberCount(type)
    if (members.length !== expected) {
      throw unreadable(
        `a ${typeName(type)} transaction has ${expected} members, got ${members.length}`,
        type === LEGACY_TYPE ? undefined : `Type ${type} transaction must have exactly ${expected} elements`,
      )
    }
    this.#checkChainId(type, members)
    checkSignature(type, members)
    return { type, members }
  }

  #checkChainId(type: number, members: readonly RlpItem[]): void {
    const given =
      type === LEGACY_TYPE ? legacyChainId(numberAt(members, 6)) : readNumber('chain id', bytesAt(members, 0))
    const own = this.#identity.chainId
    // A legacy signature without chain id is valid on every chain.
    if (type !== LEGACY_TYPE && this.#network.isStrict) checkTypedChainId(given ?? 0n)
    if (given === own || (type === LEGACY_TYPE && given === undefined)) return
    throw new NodeError(
      'wrongChainId',
      `invalid chain id: the transaction is signed for ${given ?? 0n}, this chain is ${own}`,
      { phrases: PHRASES.signedForOther(given ?? 0n, own, type === LEGACY_TYPE) },
    )
  }
}
