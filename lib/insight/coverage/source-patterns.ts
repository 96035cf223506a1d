/** Decides which sources coverage leaves out. */

import { existsSync } from 'node:fs'
import { isAbsolute, join, relative } from 'node:path'

/** Sources that are always left out: packages and libraries by the conventions of tools, tests and scripts of Foundry. */
const LIBRARY_PATTERNS = [
  'node_modules',
  '@*/**',
  'npm/**',
  'lib/**',
  'hardhat/console.sol',
  '*.t.sol',
  '*.s.sol',
]

/**
 * Returns whether the source at a path is left out: by these patterns, or because it is a library. `projects` are the folders of the
 * projects.
 */
export function excludedBy(
  patterns: readonly string[],
  projects: readonly string[],
): (path: string) => boolean {
  const expressions = [...LIBRARY_PATTERNS, ...patterns].map(expressionOf)
  const known = new Map<string, boolean>()
  const isExcluded = (path: string): boolean => {
    if (isAbsolute(path)) {
      const inside = projects.map((project) => relative(project, path)).find((one) => !one.startsWith('..'))
      return inside === undefined || isAbsolute(inside) || isExcluded(inside)
    }
    return (
      expressions.some((expression) => expression.test(path)) ||
      projects.some((project) => existsSync(join(project, 'node_modules', path)))
    )
  }
  return (path) => {
    const answer = known.get(path) ?? isExcluded(path)
    known.set(path, answer)
    return answer
  }
}

/**
 * The expression of a pattern: `*` is any text without a slash, `**` any text. A pattern without a slash matches files and folders at
 * any depth. A folder matches with all that is in it.
 */
function expressionOf(pattern: string): RegExp {
  const parts = pattern.split(/(\*\*\/|\*\*|\*|\?)/).map((part) => WILDCARDS[part] ?? literal(part))
  const anchor = pattern.includes('/') ? '^(?:\\./)?' : '(?:^|/)'
  return new RegExp(`${anchor}${parts.join('').replace(/\/$/, '')}(?:/|$)`)
}

const WILDCARDS: Readonly<Record<string, string>> = {
  '**/': '(?:.*/)?',
  '**': '.*',
  '*': '[^/]*',
  '?': '[^/]',
}

const literal = (text: string): string => text.replace(/[.+^${}()|[\]\\]/g, '\\$&')
