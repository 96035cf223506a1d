/** The names of a network in JSON values and documents. The rule for one text is in config/names.ts. */

import { isNeutral, named } from '../config/names.ts'
import type { NetworkNames } from '../config/names.ts'

/** What becomes of the texts in a JSON value. */
interface TextRule {
  readonly ofMember: (name: string) => string
  readonly ofValue: (value: string) => string
}

/** Levels of a value that are looked through: names stand near the top, and what clients send may be nested without end. */
const MAX_LEVELS = 64

/** A JSON value with other member names and other texts. */
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

/** An answer with the names of a network in its members. Its values are data, and stay as they are. */
export function namedMembers(names: NetworkNames, answer: unknown): unknown {
  if (isNeutral(names)) return answer
  return rewritten(answer, { ofMember: (name) => named(names, name), ofValue: (value) => value })
}

/** A part of a document with the names of a network in members and texts alike. */
export function namedDocument(names: NetworkNames, part: unknown): unknown {
  const rule = (text: string) => named(names, text)
  return isNeutral(names) ? part : rewritten(part, { ofMember: rule, ofValue: rule })
}

/**
 * The names in a document, in lower case, with what a network calls them, and the other way around.
 * Reading a text by this table and writing it by the same table gives the text back.
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
