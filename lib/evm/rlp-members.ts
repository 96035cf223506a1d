/** Reads the members of a signed transaction's RLP list. */

import { PHRASES } from '../config/phrases.ts'
import { NodeError } from '../base/errors.ts'
import { bytesToBigInt, toAddress, toHash, type Address, type Hash } from '../base/hex.ts'
import { RlpError, decodeRlp, type RlpItem } from '../base/rlp.ts'

/** The error for a transaction that cannot be decoded; `reference` is the fault in the words of the reference node (node-next 2.6). */
export const unreadable = (fault: string, reference?: string): NodeError =>
  new NodeError('invalidTransaction', `invalid transaction: ${fault}`, {
    phrases: PHRASES.invalidTransaction(reference),
  })

/** The members of an encoded list; `prefix` begins the text of the reference node for a fault. @throws NodeError 'invalidTransaction' */
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

/** The items of the list at a position, with the words of the reference node for its absence. @throws NodeError 'invalidTransaction' */
export function listAt(
  members: readonly RlpItem[],
  position: number,
  reference?: string,
): readonly RlpItem[] {
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
export const WORD = 32

/** The number at a position, which may have leading zeros. @throws NodeError 'invalidTransaction' */
export function numberAt(members: readonly RlpItem[], position: number): bigint {
  const bytes = bytesAt(members, position)
  if (bytes.length <= WORD) return bytesToBigInt(bytes)
  throw unreadable(`member ${position} has ${bytes.length} bytes, at most ${WORD}`)
}

/** Whether a member exists and is not a list. */
export const isBytes = (member: RlpItem | undefined): member is Uint8Array =>
  member !== undefined && !Array.isArray(member)

/** A number's maximum length, by default 32 bytes, and the words of the reference node for one that is not valid. */
export interface NumberForm {
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

/** Length of an address in bytes. */
export const ADDRESS_BYTES = 20

/** The address in a member, which errors call `what`. @throws NodeError 'invalidTransaction' */
export const readAddress = (bytes: Uint8Array, what: string, reference: string): Address =>
  toAddress(checkLength(bytes, { length: ADDRESS_BYTES, what, reference }))

/** The hash in a member, which errors call `what`. @throws NodeError 'invalidTransaction' */
export const readHash = (bytes: Uint8Array, what: string, reference?: string): Hash =>
  toHash(checkLength(bytes, { length: WORD, what, reference }))

/** The length of a member in bytes, and the errors for another. */
interface FixedForm {
  readonly length: number
  readonly what: string
  readonly reference?: string | undefined
}

function checkLength(bytes: Uint8Array, { length, what, reference }: FixedForm): Uint8Array {
  if (bytes.length === length) return bytes
  throw unreadable(`${what} has ${bytes.length} bytes, expected ${length}`, reference)
}
