/** Encodes and decodes the members of a transaction's RLP list, for each transaction type (EIP-2718). */

import { NodeError } from '../base/errors.ts'
import {
  EMPTY_BYTES,
  bigIntToBytes,
  fromHex,
  toAddress,
  bytesToBigInt,
  toHash,
  type Address,
  type Hash,
} from '../base/hex.ts'
import { present } from '../base/invariant.ts'
import { encodeRlpInPlace, RlpError, decodeRlp, type RlpInput, type RlpItem } from '../base/rlp.ts'
import { PHRASES } from '../config/phrases.ts'
import { keccak256 } from '../crypto/keccak.ts'
import {
  ACCESS_LIST_TYPE,
  BLOB_TYPE,
  DYNAMIC_FEE_TYPE,
  LEGACY_TYPE,
  SET_CODE_TYPE,
  type AccessList,
  type Authorization,
  type TransactionFields,
} from './transaction.ts'

/** Writes a member of the signed list. */
type Write = (fields: TransactionFields, chainId: bigint) => RlpInput

export const accessListItems = (accessList: AccessList): RlpInput[] =>
  accessList.map(({ address, storageKeys }) => [fromHex(address), storageKeys.map(fromHex)])

/** The members of all transaction types. `gasPrice` is both fees of types 0 and 1. */
const MEMBERS = {
  chainId: (_, chainId) => bigIntToBytes(chainId),
  nonce: ({ nonce }) => bigIntToBytes(nonce),
  gasPrice: ({ maxFeePerGas }) => bigIntToBytes(maxFeePerGas),
  maxPriorityFeePerGas: ({ maxPriorityFeePerGas }) => bigIntToBytes(maxPriorityFeePerGas),
  maxFeePerGas: ({ maxFeePerGas }) => bigIntToBytes(maxFeePerGas),
  gasLimit: ({ gasLimit }) => bigIntToBytes(gasLimit),
  to: ({ to }) => (to === undefined ? EMPTY_BYTES : fromHex(to)),
  value: ({ value }) => bigIntToBytes(value),
  data: ({ data }) => data,
  accessList: ({ accessList = [] }) => accessListItems(accessList),
  maxFeePerBlobGas: ({ maxFeePerBlobGas = 0n }) => bigIntToBytes(maxFeePerBlobGas),
  blobVersionedHashes: ({ blobVersionedHashes = [] }) => blobVersionedHashes.map(fromHex),
  authorizationList: ({ authorizationList = [] }) => authorizationList.map(authorizationMembers),
} as const satisfies Readonly<Record<string, Write>>

type MemberName = keyof typeof MEMBERS

/** The name of a transaction type and its members before the signature. */
interface Layout {
  readonly name: string
  readonly members: readonly MemberName[]
}

const CALL = ['gasLimit', 'to', 'value', 'data'] as const
const FEE_MARKET = [
  'chainId',
  'nonce',
  'maxPriorityFeePerGas',
  'maxFeePerGas',
  ...CALL,
  'accessList',
] as const

const LAYOUTS: ReadonlyMap<number, Layout> = new Map<number, Layout>([
  [LEGACY_TYPE, { name: 'legacy', members: ['nonce', 'gasPrice', ...CALL] }],
  [
    ACCESS_LIST_TYPE,
    {
      name: 'access list (EIP-2930)',
      members: ['chainId', 'nonce', 'gasPrice', ...CALL, 'accessList'],
    },
  ],
  [DYNAMIC_FEE_TYPE, { name: 'fee market (EIP-1559)', members: FEE_MARKET }],
  [
    BLOB_TYPE,
    {
      name: 'blob (EIP-4844)',
      members: [...FEE_MARKET, 'maxFeePerBlobGas', 'blobVersionedHashes'],
    },
  ],
  [SET_CODE_TYPE, { name: 'set code (EIP-7702)', members: [...FEE_MARKET, 'authorizationList'] }],
])

/** Members of a signature: v or the parity of y, r and s. */
const SIGNATURE_MEMBERS = 3

const layoutOf = (type: number): Layout => present(LAYOUTS.get(type), `layout of type ${type}`)

export const typeName = (type: number): string => LAYOUTS.get(type)?.name ?? 'unknown'

export const memberCount = (type: number): number => layoutOf(type).members.length + SIGNATURE_MEMBERS

export const unsignedMembers = (fields: TransactionFields, chainId: bigint): RlpInput[] =>
  layoutOf(fields.type).members.map((name) => MEMBERS[name](fields, chainId))

/** The encoding of a transaction or a receipt: the list of its members, after the type byte if there is one (EIP-2718). */
export const encodeEnvelope = (type: number, members: readonly RlpInput[]): Uint8Array =>
  envelopeInPlace(type, members).slice()

/** The same encoding in a shared buffer, valid until the next encoding. */
const envelopeInPlace = (type: number, members: readonly RlpInput[]): Uint8Array =>
  encodeRlpInPlace(members, type === LEGACY_TYPE ? undefined : type)

/** The hash to sign. For a legacy transaction, `chainId` is undefined without replay protection (EIP-155). */
export function signingHash(
  type: number,
  members: readonly RlpInput[],
  chainId: bigint | undefined,
): Uint8Array {
  const isProtected = type === LEGACY_TYPE && chainId !== undefined
  const signed = isProtected ? [...members, bigIntToBytes(chainId), EMPTY_BYTES, EMPTY_BYTES] : members
  return keccak256(envelopeInPlace(type, signed))
}

/** Maximum bytes of a nonce and of a gas limit. */
const SHORT_NUMBER = 8

/** Names of members in the errors of the reference node (node-next 2.6). */
const REFERENCE_NAMES: Partial<Record<MemberName, string>> = {
  nonce: 'Nonce',
  gasPrice: 'Gas Price',
  maxPriorityFeePerGas: 'Max Priority Fee Per Gas',
  maxFeePerGas: 'Max Fee Per Gas',
  gasLimit: 'Gas Limit',
  value: 'Value',
}

/** Decodes the members before the signature. @throws NodeError 'invalidTransaction' */
export function readFields(type: number, items: readonly RlpItem[]): TransactionFields {
  const { members } = layoutOf(type)
  const at = (name: MemberName): number => members.indexOf(name)
  const has = (name: MemberName): boolean => at(name) >= 0
  const number = (name: MemberName, maxBytes = WORD): bigint => {
    const reference = REFERENCE_NAMES[name] && `${REFERENCE_NAMES[name]} is not valid`
    return readNumber(name, bytesAt(items, at(name)), { maxBytes, reference })
  }
  const hasPrice = has('gasPrice')
  return {
    type,
    nonce: number('nonce', SHORT_NUMBER),
    to: readReceiver(bytesAt(items, at('to'))),
    gasLimit: number('gasLimit', SHORT_NUMBER),
    maxFeePerGas: number(hasPrice ? 'gasPrice' : 'maxFeePerGas'),
    maxPriorityFeePerGas: number(hasPrice ? 'gasPrice' : 'maxPriorityFeePerGas'),
    value: number('value'),
    data: bytesAt(items, at('data')),
    accessList: has('accessList')
      ? readAccessList(listAt(items, at('accessList'), 'Access list must be an RLP list'))
      : undefined,
    authorizationList: has('authorizationList')
      ? listAt(items, at('authorizationList')).map(readAuthorization)
      : undefined,
    ...(has('blobVersionedHashes') && {
      maxFeePerBlobGas: number('maxFeePerBlobGas'),
      blobVersionedHashes: bytesListAt(items, at('blobVersionedHashes')).map((hash) =>
        readHash(hash, 'a blob hash'),
      ),
    }),
  }
}

/** The receiver, or no bytes for a creation. @throws NodeError 'invalidTransaction' */
export function readReceiver(bytes: Uint8Array): Address | undefined {
  if (bytes.length === 0) return undefined
  if (bytes.length === ADDRESS_BYTES) return toAddress(bytes)
  throw unreadable(
    `the receiver has ${bytes.length} bytes, expected ${ADDRESS_BYTES}, or none for a creation`,
  )
}

function readAccessList(items: readonly RlpItem[]): AccessList {
  return items.map((item, index) => {
    if (isBytes(item) || item.length !== 2) {
      throw unreadable(
        'an entry of the access list is no pair of address and storage keys',
        `Access list entry at index ${index} must have exactly 2 elements`,
      )
    }
    const reference = `Access list entry address at index ${index} must be exactly ${ADDRESS_BYTES} bytes`
    return {
      address: readAddress(bytesAt(item, 0), 'an address of the access list', reference),
      storageKeys: bytesListAt(item, 1).map((key, position) =>
        readHash(
          key,
          'a storage key',
          `Access list storage key at entry ${index}, key ${position} must be exactly ${WORD} bytes`,
        ),
      ),
    }
  })
}

/** Members of an authorization: chain id, address, nonce, parity of y, r, s. */
const AUTHORIZATION_MEMBERS = 6

function readAuthorization(item: RlpItem): Authorization {
  if (isBytes(item) || item.length !== AUTHORIZATION_MEMBERS) {
    throw unreadable(
      `an authorization is no list of ${AUTHORIZATION_MEMBERS} members`,
      `Authorization list tuple must have ${AUTHORIZATION_MEMBERS} fields`,
    )
  }
  const number = (position: number, name: string, form: NumberForm = {}): bigint =>
    readNumber(`${name} of an authorization`, bytesAt(item, position), form)
  return {
    chainId: number(0, 'chain id'),
    address: readAddress(
      bytesAt(item, 1),
      'the address of an authorization',
      `Authorization address must be exactly ${ADDRESS_BYTES} bytes`,
    ),
    nonce: number(2, 'nonce', {
      maxBytes: SHORT_NUMBER,
      reference: 'Authorization nonce must be non-negative and less than 2^64 - 1',
    }),
    yParity: number(3, 'y parity', { maxBytes: 1 }),
    r: number(4, 'r'),
    s: number(5, 's'),
  }
}

const authorizationMembers = ({ chainId, address, nonce, yParity, r, s }: Authorization): RlpInput => [
  bigIntToBytes(chainId),
  fromHex(address),
  ...[nonce, yParity, r, s].map(bigIntToBytes),
]

/** The error for a transaction that cannot be decoded; `reference` is the reference node's text for the fault (node-next 2.6). */
export const unreadable = (fault: string, reference?: string): NodeError =>
  new NodeError('invalidTransaction', `invalid transaction: ${fault}`, {
    phrases: PHRASES.invalidTransaction(reference),
  })

/** The members of an encoded list; `prefix` begins the reference node's text for a fault. @throws NodeError 'invalidTransaction' */
export function listMembers(bytes: Uint8Array, prefix?: string): readonly RlpItem[] {
  try {
    const item = decodeRlp(bytes)
    if (isBytes(item)) throw unreadable('not an RLP list')
    return item
  } catch (error) {
    if (!(error instanceof RlpError)) throw error
    throw new NodeError('invalidTransaction', `invalid transaction: ${error.message}`, {
      cause: error,
      phrases: { node33: prefix && `${prefix}${error.message}` },
    })
  }
}

/** The bytes at a position, which counts from the end if negative. @throws NodeError 'invalidTransaction' */
export function bytesAt(members: readonly RlpItem[], position: number): Uint8Array {
  const member = members.at(position)
  if (isBytes(member)) return member
  throw unreadable(`member ${position} is a list`)
}

/** The items of the list at a position, with the reference node's text for a missing list. @throws NodeError 'invalidTransaction' */
function listAt(members: readonly RlpItem[], position: number, reference?: string): readonly RlpItem[] {
  const member = members.at(position)
  if (member !== undefined && !isBytes(member)) return member
  throw unreadable(`member ${position} is not a list`, reference)
}

/** The byte strings in the list at a position. @throws NodeError 'invalidTransaction' */
export function bytesListAt(members: readonly RlpItem[], position: number): readonly Uint8Array[] {
  const member = members.at(position)
  if (member !== undefined && !isBytes(member) && member.every(isBytes)) return member
  throw unreadable(`member ${position} is not a list of bytes`)
}

/** Maximum bytes of a number, and length of a hash in bytes. */
const WORD = 32

/** The number at a position, which may have leading zeros. @throws NodeError 'invalidTransaction' */
export function numberAt(members: readonly RlpItem[], position: number): bigint {
  const bytes = bytesAt(members, position)
  if (bytes.length <= WORD) return bytesToBigInt(bytes)
  throw unreadable(`member ${position} has ${bytes.length} bytes, at most ${WORD}`)
}

export const isBytes = (member: RlpItem | undefined): member is Uint8Array =>
  member !== undefined && !Array.isArray(member)

/** A number's maximum length, 32 bytes by default, and the reference node's text for an invalid number. */
interface NumberForm {
  readonly maxBytes?: number | undefined
  readonly reference?: string | undefined
}

/** A number in its minimal form. @throws NodeError 'invalidTransaction' */
export function readNumber(
  name: string,
  bytes: Uint8Array,
  { maxBytes = WORD, reference }: NumberForm = {},
): bigint {
  if (bytes[0] === 0) throw unreadable(`${name} has leading zeros`, reference)
  if (bytes.length > maxBytes)
    throw unreadable(`${name} has ${bytes.length} bytes, at most ${maxBytes}`, reference)
  return bytesToBigInt(bytes)
}

const ADDRESS_BYTES = 20

/** The address in a member, which errors call `what`. @throws NodeError 'invalidTransaction' */
const readAddress = (bytes: Uint8Array, what: string, reference: string): Address =>
  toAddress(checkLength(bytes, { length: ADDRESS_BYTES, what, reference }))

/** The hash in a member, which errors call `what`. @throws NodeError 'invalidTransaction' */
const readHash = (bytes: Uint8Array, what: string, reference?: string): Hash =>
  toHash(checkLength(bytes, { length: WORD, what, reference }))

/** The length of a member in bytes, and the errors for any other length. */
interface FixedForm {
  readonly length: number
  readonly what: string
  readonly reference?: string | undefined
}

function checkLength(bytes: Uint8Array, { length, what, reference }: FixedForm): Uint8Array {
  if (bytes.length === length) return bytes
  throw unreadable(`${what} has ${bytes.length} bytes, expected ${length}`, reference)
}
