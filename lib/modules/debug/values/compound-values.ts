/** Values with parts: structs, arrays, texts and bytes, wherever they lie. */

import { once } from '../../../base/once.ts'
import type { StorageBytes } from '../../../insight/artifacts/storage-layout.ts'
import { textValue } from '../../../insight/explain/storage-variables.ts'
import { isUnknown, type Part, type StoredPlace, type UnknownValue, type Value } from './value.ts'

/** Items of an array, or keys of a mapping, that are listed. */
export const MAX_LISTED = 100

/** Characters of the text of a struct or an array. */
const MAX_PREVIEW = 100

/** Characters of one member or item in such a text, and of an address, which clients name. */
const [MAX_BRIEF, ADDRESS] = [24, 42]

/** Bytes that are shown of a text or of bytes. */
const MAX_SHOWN_BYTES = 4096

/** A struct. Its members are read when they are first used. */
interface StructParts {
  readonly type: string
  readonly count: number
  readonly members: () => readonly Part[]
  readonly stored?: StoredPlace | undefined
}

export function structValue({ type, count, members, stored }: StructParts): Value {
  const form = { around: ['{ ', ' }'], hasNames: true } as const
  return listValue({ type, count, parts: once(members), stored }, form)
}

/** An array. Its items are read when they are first used. */
interface ArrayParts {
  readonly type: string
  readonly count: bigint
  readonly item: (index: bigint) => Value | UnknownValue
  readonly stored?: StoredPlace | undefined
}

export function arrayValue({ type, count, item, stored }: ArrayParts): Value {
  const length = count < MAX_LISTED ? Number(count) : MAX_LISTED
  const parts = once(() => Array.from({ length }, (_, index): Part => [`[${index}]`, item(BigInt(index))]))
  const value = {
    type,
    count: count <= Number.MAX_SAFE_INTEGER ? Number(count) : undefined,
    parts,
    at: ({ word }: Value) => (word !== undefined && word < count ? item(word) : undefined),
    stored,
  }
  return listValue(value, { around: ['[', ']'], hasMore: length < count })
}

/** A value whose text lists its parts. */
function listValue(value: Omit<Value, 'text'> & Required<Pick<Value, 'parts'>>, form: ListForm): Value {
  const preview = (room: number): string => listText(value.parts(), form, room)
  return {
    ...value,
    preview,
    get text() {
      return preview(MAX_PREVIEW)
    },
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
  /** Whether the name of each part is shown before it. */
  readonly hasNames?: boolean
  /** Whether there are more parts. */
  readonly hasMore?: boolean
}

/** The text of parts in about a number of characters; dots stand for those without room. */
function listText(parts: readonly Part[], form: ListForm, most: number): string {
  const [start, end] = form.around
  if (parts.length === 0) return start.trim() + end.trim()
  let text = ''
  for (const [name, value] of parts) {
    const before = (text === '' ? '' : ', ') + (form.hasNames === true ? `${name}: ` : '')
    const room = most - start.length - text.length - before.length - end.length
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
