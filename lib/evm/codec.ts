/**
 * Decodes and signs transactions under a network's rules. The members of typed transactions are in transaction-members.ts;
 * lib/networks/consensus decides about admission to the pool.
 */

import { NodeError } from '../base/errors.ts'
import { bigIntToBytes, bytesToBigInt, toHash, stripZeros, type Address } from '../base/hex.ts'
import { RLP_LIST, RLP_STRING, type RlpInput, type RlpItem } from '../base/rlp.ts'
import { activeEips, type HardforkChoice } from '../config/active-eips.ts'
import type { Network } from '../config/network.ts'
import { PHRASES } from '../config/phrases.ts'
import { keccak256 } from '../crypto/keccak.ts'
import { curve } from '../crypto/secp256k1.ts'
import { blobFault, splitNetworkForm, type SplitForm } from './sidecar.ts'
import { checkBounds, MAX_NONCE } from './transaction-gas.ts'
import {
  bytesAt,
  listMembers,
  numberAt,
  readNumber,
  unreadable,
  encodeEnvelope,
  memberCount,
  readFields,
  signingHash,
  typeName,
  unsignedMembers,
  readReceiver,
} from './transaction-members.ts'
import { checkSignature, readSignature, recoverSender } from './transaction-signature.ts'
import {
  BLOB_TYPE,
  LEGACY_TYPE,
  SET_CODE_TYPE,
  EIP155_V,
  legacyChainId,
  impersonatedSignature,
  MAX_S,
  type Transaction,
  type TransactionFields,
  type Authorization,
  type TransactionSignature,
} from './transaction.ts'

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

  /** `identity` holds the current chain id. With `writesZeroPrice` a price of zero is signed as one zero byte. */
  constructor(network: CodecNetwork, identity: Pick<Network, 'chainId'> = network, writesZeroPrice = false) {
    this.#network = network
    this.#identity = identity
    this.#writesZeroPrice = writesZeroPrice
  }

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
    // Hashes the members as received: leading zeros of numbers are signed too.
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

  /** A transaction of an impersonated account; its invalid signature is unique by sender. @throws NodeError 'invalidTransaction' */
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
    // No spread here: V8 takes ten times as long with it.
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

  /** The type and the list's members. Type and count are checked first, so that each fault has its own error. */
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
    const signedFor =
      type === LEGACY_TYPE ? legacyChainId(numberAt(members, 6)) : readNumber('chain id', bytesAt(members, 0))
    const own = this.#identity.chainId
    // A legacy signature without chain id is valid on every chain.
    if (type !== LEGACY_TYPE && this.#network.isStrict) checkTypedChainId(signedFor ?? 0n)
    if (signedFor === own || (type === LEGACY_TYPE && signedFor === undefined)) return
    throw new NodeError(
      'wrongChainId',
      `invalid chain id: the transaction is signed for ${signedFor ?? 0n}, this chain is ${own}`,
      { phrases: PHRASES.signedForOther(signedFor ?? 0n, own, type === LEGACY_TYPE) },
    )
  }
}

/** The type byte; 0 for a legacy transaction (EIP-2718). `hasTyped`: there are other types. @throws NodeError 'invalidTransaction' */
function typeOfEncoded(encoded: Uint8Array, hasTyped: boolean): number {
  const first = encoded[0]
  if (first === undefined) throw unreadable('no bytes')
  const reserved = hasTyped ? RESERVED_BYTES.get(first) : undefined
  if (reserved !== undefined) throw unreadable(`byte 0x${toByte(first)} is no type`, reserved)
  if (first >= RLP_LIST) return 0
  if (first < RLP_STRING) return first
  throw unreadable(`byte 0x${toByte(first)} starts no list and is no type`)
}

const toByte = (value: number): string => value.toString(16).padStart(2, '0')

/** The reference node's text for a type byte (node-next 2.6). */
const unsupportedText = (type: number): string => `transaction type not supported: 0x${toByte(type)}`

/** First bytes that are not types, with the texts of the reference node (EIP-2718). */
const RESERVED_BYTES: ReadonlyMap<number, string> = new Map([
  [LEGACY_TYPE, unsupportedText(LEGACY_TYPE)],
  [0xff, 'Transaction type 0xff is reserved per EIP-2718 and cannot be used'],
])

/** Maximum chain id of a typed transaction on network 33 (node-next 2.2). */
const MAX_TYPED_CHAIN_ID = 255n

/** @throws NodeError 'invalidTransaction' */
function checkTypedChainId(chainId: bigint): void {
  if (chainId === 0n)
    throw unreadable('its chain id is zero', 'Typed transaction chainId must not be zero or absent')
  if (chainId > MAX_TYPED_CHAIN_ID)
    throw unreadable(
      `its chain id ${chainId} is above ${MAX_TYPED_CHAIN_ID}`,
      `Typed transaction chainId exceeds maximum supported value of ${MAX_TYPED_CHAIN_ID}, got: ${chainId}`,
    )
}

/** Refuses an authorization that can never be valid; Ethereum skips it (node-next 2.6). @throws NodeError 'invalidTransaction' */
function checkAuthorization({ nonce, yParity, s }: Authorization): void {
  if (nonce > MAX_NONCE)
    throw unreadable(
      `nonce ${nonce} of an authorization is above ${MAX_NONCE}`,
      'Authorization nonce must be non-negative and less than 2^64 - 1',
    )
  if (yParity > 1n)
    throw unreadable(
      `y parity ${yParity} of an authorization is not 0 or 1`,
      `Authorization y_parity must be 0 or 1, got: ${yParity}`,
    )
  if (s > MAX_S)
    throw unreadable(
      's of an authorization is above half the curve order',
      'Authorization signature s must be at most secp256k1n/2',
    )
}

/** Requires a receiver and an authorization (geth, ErrSetCodeTxCreate, ErrEmptyAuthList). @throws NodeError 'invalidTransaction' */
export function checkDelegation({
  to,
  authorizationList = [],
}: Partial<Pick<TransactionFields, 'to' | 'authorizationList'>>): void {
  if (to === undefined)
    throw unreadable(
      'EIP-7702 transaction cannot be used to create contract',
      'Set-code transaction must have a non-null destination',
    )
  if (authorizationList.length === 0)
    throw unreadable(
      'EIP-7702 transaction with empty auth list',
      'Set-code transaction authorization_list must not be empty',
    )
}

/** Maximum bytes of a nonce, and of a gas limit without leading zeros. */
const MAX_NUMBER_BYTES = 8

/** Maximum bytes of a gas price without leading zeros. */
const MAX_PRICE_BYTES = 32

const MAX_GAS_LIMIT = 2n ** 60n

/** Up to this chain id every `v` fits one byte. For 110 it is 255 or 256 (EIP-155). */
const MAX_SHORT_CHAIN_ID = 109n

/**
 * Reads the members before the signature of a legacy transaction on networks that accept leading zeros in price and gas, and hash and
 * sign the bytes as received (node-chain 7.1-7.3).
 * @throws NodeError 'invalidTransaction', or 'transactionRejected' if the pool of the reference node rejects it
 */
function readLegacyFields(items: readonly RlpItem[]): TransactionFields {
  const at = (position: number): Uint8Array => bytesAt(items, position)
  const gasPrice = readPadded('gas price', at(1), MAX_PRICE_BYTES)
  return {
    type: LEGACY_TYPE,
    nonce: readNonce(at(0)),
    maxFeePerGas: gasPrice,
    maxPriorityFeePerGas: gasPrice,
    gasLimit: readGasLimit(at(2)),
    to: readReceiver(at(3)),
    value: readNumber('value', at(4)),
    data: at(5),
  }
}

/** Reads the signature of a transaction for this chain. @throws NodeError 'invalidTransaction' */
function readLegacySignature(items: readonly RlpItem[], chainId: bigint): TransactionSignature {
  const bytes = bytesAt(items, -3)
  if (bytes.length !== 1 && chainId <= MAX_SHORT_CHAIN_ID) {
    throw unreadable(`v has ${bytes.length} bytes, expected 1`)
  }
  return readSignature(LEGACY_TYPE, items)
}

function readNonce(bytes: Uint8Array): bigint {
  const { length } = bytes
  if (length > MAX_NUMBER_BYTES) {
    throw new NodeError(
      'transactionRejected',
      `invalid nonce: it has ${length} bytes, at most ${MAX_NUMBER_BYTES} are accepted`,
      { phrases: PHRASES.nonceTooLong(length, MAX_NUMBER_BYTES) },
    )
  }
  if (bytes[0] === 0) {
    const phrases = PHRASES.nonceNotCanonical()
    throw new NodeError('transactionRejected', 'invalid nonce: it has leading zeros', { phrases })
  }
  return bytesToBigInt(bytes)
}

function readGasLimit(bytes: Uint8Array): bigint {
  const gasLimit = readPadded('gas limit', bytes, MAX_NUMBER_BYTES)
  if (gasLimit > MAX_GAS_LIMIT) throw unreadable(`gas limit ${gasLimit} is above ${MAX_GAS_LIMIT}`)
  return gasLimit
}

/** A number that may have leading zeros. */
function readPadded(name: string, bytes: Uint8Array, maxBytes: number): bigint {
  const { length } = stripZeros(bytes)
  if (length > maxBytes) throw unreadable(`the ${name} has ${length} bytes, at most ${maxBytes}`)
  return bytesToBigInt(bytes)
}
