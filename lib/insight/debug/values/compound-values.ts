/** Values with parts: structs, arrays, texts and bytes, wherever they lie. */

import { once } from '../../../base/once.ts'
import type { StorageBytes } from '../../artifacts/storage-layout.ts'
import { textValue } from '../../explain/storage-walk.ts'
import { isUnknown, type Part, type StoredPlace, type UnknownValue, type Value } from './value.ts'

/** ArrayParts of an array, or keys of a mapping, that are listed. */
export const MAX_LISTED = 100

/** Characters of the text of a struct or an array. */
const MAX_PREVIEW = 100

/** Characters of one member or item in such a text, and of an address, which clients name. */
const [MAX_BRIEF, ADDRESS] = [24, 42]

/** Bytes that are shown of a text or of bytes. */
const MAX_SHOWN_BYTES = 4096

/** StructParts of a struct, which are read when they are first used. */
interface StructParts {
  readonly type: string
  readonly count: number
  readonly members: () => readonly Part[]
  readonly stored?: StoredPlace | undefined
}

export function structValue({ type, count, members, stored }: StructParts): Value {
  const parts = once(members)
  const preview = (room: number): string => {
    const named = parts().map(([name, value]) => [`${name}: `, value] as const)
    return listText(named, { around: ['{ ', ' }'], room })
  }
  return {
    type,
    count,
    parts,
    preview,
    get text() {
      return preview(MAX_PREVIEW)
    },
    stored,
  }
}

/** ArrayParts of an array, which are read when they are first used. */
interface ArrayParts {
  readonly type: string
  readonly count: bigint
  readonly item: (index: bigint) => Value | UnknownValue
  readonly stored?: StoredPlace | undefined
}

export function arrayValue({ type, count, item, stored }: ArrayParts): Value {
  const length = count < MAX_LISTED ? Number(count) : MAX_LISTED
  const parts = once(() => Array.from({ length }, (_, index): Part => [`[${index}]`, item(BigInt(index))]))
  const preview = (room: number): string => {
    const items = parts().map(([, value]) => ['', value] as const)
    return listText(items, { around: ['[', ']'], room, hasMore: length < count })
  }
  return {
    type,
    count: count <= Number.MAX_SAFE_INTEGER ? Number(count) : undefined,
    parts,
    at: ({ word }) => (word !== undefined && word < count ? item(word) : undefined),
    preview,
    get text() {
      return preview(MAX_PREVIEW)
    },
    stored,
  }
}

/** A text, or bytes of any length. */
export function bytesValue(
  type: StorageBytes,
  location: string,
  content: Uint8Array,
  stored?: StoredPlace,
): Value {
  const { length } = content
  const text = textValue(type, content.subarray(0, MAX_SHOWN_BYTES))
  const at = ({ word }: Value) => {
    const byte = word === undefined || word >= length ? undefined : content[Number(word)]
    return byte === undefined ? undefined : byteValue(byte)
  }
  return {
    type: `${type.label} ${location}`,
    text: length > MAX_SHOWN_BYTES ? `${text} (${length} bytes)` : text,
    content,
    count: length,
    at,
    stored,
  }
}

function byteValue(byte: number): Value {
  const text = `0x${byte.toString(16).padStart(2, '0')}`
  return { type: 'bytes1', encoding: 'bytes1', text, word: BigInt(byte) << 248n }
}

interface ListForm {
  readonly around: readonly [string, string]
  /** Characters that the text should have at most. */
  readonly room: number
  readonly hasMore?: boolean
}

/** The text of values with labels before them; dots stand for those without room. */
function listText(
  values: readonly (readonly [label: string, value: Value | UnknownValue])[],
  form: ListForm,
): string {
  const [start, end] = form.around
  if (values.length === 0) return start.trim() + end.trim()
  let text = ''
  for (const [label, value] of values) {
    const before = (text === '' ? '' : ', ') + label
    const room = form.room - start.length - text.length - before.length - end.length
    if (room < MIN_BRIEF) return `${start}${text}${text === '' ? '' : ', '}...${end}`
    text += before + briefText(value, room)
  }
  return `${start}${text}${form.hasMore === true ? ', ...' : ''}${end}`
}

/** Characters that the shortest text of a member or an item needs. */
const MIN_BRIEF = 5

function briefText(value: Value | UnknownValue, room: number): string {
  if (isUnknown(value)) return '?'
  if (value.preview !== undefined) return value.preview(room)
  const isAddress = value.encoding === 'address' && room >= ADDRESS
  const most = isAddress ? ADDRESS : Math.min(room, MAX_BRIEF)
  return value.text.length <= most ? value.text : `${value.text.slice(0, most - 3)}...`
}
