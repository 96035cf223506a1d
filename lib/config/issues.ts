/** Describes errors of zod schemas in sentences with the key of the wrong value. */

import type * as z from 'zod'

type Issue = z.core.$ZodIssue

/** Dotted key of an issue, with indexes in brackets: `genesis.accounts[0].balance`. */
function keyOf(path: readonly PropertyKey[]): string {
  const dotted = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
  return dotted.join('').replace(/^\./, '')
}

/** One sentence about one issue, with the key. */
export function describeIssue(issue: Issue): string {
  const key = keyOf(issue.path)
  if (issue.code !== 'unrecognized_keys') return key === '' ? issue.message : `${key}: ${issue.message}`
  const unknown = issue.keys.map((name) => keyOf([...issue.path, name])).join(', ')
  return `unknown ${issue.keys.length === 1 ? 'key' : 'keys'} ${unknown}`
}

export const describeIssues = (issues: readonly Issue[]): string => issues.map(describeIssue).join('; ')
