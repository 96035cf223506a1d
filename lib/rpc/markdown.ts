/** The README's table of methods, computed from their declarations. */

import type { Method, Param } from './method.ts'
import { moduleOf } from './registry.ts'
import type { Registry } from './registry.ts'

/** A table for each module. */
export function methodsMarkdown(registry: Registry): string {
  return registry.modules
    .map((module) => {
      const rows = registry.methods.filter(({ name }) => moduleOf(name) === module).map(row)
      return [`### ${module}`, '', '| method | params | what it does |', '|---|---|---|', ...rows].join('\n')
    })
    .join('\n\n')
}

/** A method as the service specification lists it. */
export interface SpecMethod {
  readonly name: string
  /** Module it belongs to. */
  readonly group: string
  readonly status: 'supported' | 'partial' | 'unsupported'
  /** What the specification says about a status that is not `supported`. */
  readonly reason?: string
  /** Described in the specification, but not in its list of methods. */
  readonly alsoDescribed?: boolean
}

/** A table of the methods of the service specification and what this node does with each. */
export function specMarkdown(spec: readonly SpecMethod[], registry: Registry): string {
  const rows = spec.map((listed) => {
    const answer = registry.find(listed.name) === undefined ? 'no (-32601)' : 'yes'
    return `| \`${listed.name}\` | ${listed.group} | ${statusText(listed)} | ${answer} |`
  })
  return ['| method | group | in the specification | answered here |', '|---|---|---|---|', ...rows].join(
    '\n',
  )
}

function statusText({ status, reason, alsoDescribed }: SpecMethod): string {
  if (alsoDescribed === true) return 'described, not listed'
  const word = { supported: 'supported', partial: 'partially supported', unsupported: 'not supported' }[
    status
  ]
  return reason === undefined ? word : `${word}: ${escaped(reason)}`
}

function row({ name, aliases, params, summary }: Method): string {
  const names = [name, ...aliases].map((known) => `\`${known}\``).join(', ')
  return `| ${names} | ${params.map(paramText).join(', ')} | ${escaped(summary)} |`
}

/** A param that may be left out has a question mark. */
function paramText({ name, schema }: Param): string {
  return schema.safeParse(undefined).success ? `${name}?` : name
}

const escaped = (text: string): string => text.replaceAll('|', '\\|')
