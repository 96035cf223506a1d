/** Reads the members of a signed transaction's RLP list. */

import { NodeError } from '../base/errors.ts'
import { bytesToBigInt } from '../base/hex.ts'
import { RlpError, decodeRlp } from '../base/rlp.ts'
import type { RlpItem } from '../base/rlp.ts'

/** The error for a transaction that cannot be decoded. */
export const unreadable = (fault: string): NodeError =>
  new NodeError('invalidTransaction', `invalid transaction: ${fault}`)

/** The members of an encoded list. @throws NodeError 'invalidTransaction' */
export function listMembers(bytes: Uint8Array): readonly RlpItem[] {
  try {
    const item = decodeRlp(bytes)
    if (isBytes(item)) throw unreadable('not an RLP list')
    return item
  } catch (error) {
    if (!(error instanceof RlpError)) throw error
    throw new NodeError('invalidTransaction', `invalid transaction: ${error.message}`, { cause: error })
  }
}

/** The bytes at a position, which counts from the end if negative. @throws NodeError 'invalidTransaction' */
export function bytesAt(members: readonly RlpItem[], position: number): Uint8Array {
  const member = members.at(position)
  if (isBytes(member)) return member
  throw unreadable(`member ${position} is a list`)
}

/** The items of the list at a position. @throws NodeError 'invalidTransaction' */
export function listAt(members: readonly RlpItem[], position: number): readonly RlpItem[] {
  const member = members.at(position)
  if (member !== undefined && !isBytes(member)) return member
  throw unreadable(`member ${position} is not a list`)
}

/** The byte strings in the list at a position. @throws NodeError 'invalidTransaction' */
export function bytesListAt(members: readonly RlpItem[], position: number): readonly Uint8Array[] {
  const member = members.at(position)
  if (member !== undefined && !isBytes(member) && member.every(isBytes)) return member
  throw unreadable(`member ${position} is not a list of bytes`)
}

/** Maximum bytes of a number. */
const WORD = 32

/** The number at a position, which may have leading zeros. @throws NodeError 'invalidTransaction' */
export function numberAt(members: readonly RlpItem[], position: number): bigint {
  const bytes = bytesAt(members, position)
  if (bytes.length <= WORD) return bytesToBigInt(bytes)
  throw unreadable(`member ${position} has ${bytes.length} bytes, at most ${WORD}`)
}

/** Whether a member exists and is not a list. */
export function isBytes(member: RlpItem | undefined): member is Uint8Array {
  return member !== undefined && !Array.isArray(member)
}
