/** Replaces the names of a network in JSON values and documents. The rule for one text is in config/names.ts. */

import { isNeutral, named } from '../config/names.ts'
import type { NetworkNames } from '../config/names.ts'

/** How the texts in a JSON value are replaced. */
interface TextRule {
  readonly ofMember: (name: string) => string
  readonly ofValue: (value: string) => string
}

/** Levels of a value that are searched: names are near the top, and params may be nested without limit. */
const MAX_LEVELS = 64

/** A JSON value with its member names and texts replaced. */
export function rewritten(value: unknown, rule: TextRule, levels = MAX_LEVELS): unknown {
  if (typeof value === 'string') return rule.ofValue(value)
  if (typeof value !== 'object' || value === null || levels === 0) return value
  if (Array.isArray(value)) return value.map((item: unknown) => rewritten(item, rule, levels - 1))
  const members = Object.entries(value).map(([name, member]): [string, unknown] => [
    rule.ofMember(name),
    rewritten(member, rule, levels - 1),
  ])
  return Object.fromEntries(members)
}

/** An answer with the names of a network in its member names. Its values are data and stay unchanged. */
export function namedMembers(names: NetworkNames, answer: unknown): unknown {
  if (isNeutral(names)) return answer
  return rewritten(answer, { ofMember: (name) => named(names, name), ofValue: (value) => value })
}

/** A part of a document with the names of a network in member names and texts. */
export function namedDocument(names: NetworkNames, part: unknown): unknown {
  const rule = (text: string) => named(names, text)
  return isNeutral(names) ? part : rewritten(part, { ofMember: rule, ofValue: rule })
}

/**
 * The names in a document, in lower case, with the words of a network for them, and the reverse.
 * Reading a text with this table and writing it with the same table gives the text back.
 */
export function exchangedNames(names: NetworkNames, document: unknown): ReadonlyMap<string, string> {
  const words = JSON.stringify(document).match(/\w+/g) ?? []
  const renamed = words.filter((word) => named(names, word) !== word)
  return new Map(
    renamed.flatMap((word): [string, string][] => [
      [word.toLowerCase(), named(names, word)],
      [named(names, word).toLowerCase(), word],
    ]),
  )
}
