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

function row({ name, aliases, params, summary }: Method): string {
  const names = [name, ...aliases].map((known) => `\`${known}\``).join(', ')
  return `| ${names} | ${params.map(paramText).join(', ')} | ${escaped(summary)} |`
}

/** A param that may be left out has a question mark. */
function paramText({ name, schema }: Param): string {
  return schema.safeParse(undefined).success ? `${name}?` : name
}

const escaped = (text: string): string => text.replaceAll('|', '\\|')
