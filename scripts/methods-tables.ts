/** Makes the tables of methods in the documents from the declarations of the methods. */

import type { Method, Param } from '../lib/kernel/method.ts'
import type { AnyModule } from '../lib/kernel/running-modules.ts'
import { MODULES } from '../lib/modules/list.ts'
import { moduleOf } from '../lib/rpc/registry.ts'
import type { Registry } from '../lib/rpc/registry.ts'
import { tableCell } from './table-cell.ts'

/** One table for each module. */
export function methodsMarkdown(registry: Registry): string {
  return registry.modules
    .map((module) => {
      const rows = registry.methods.filter(({ name }) => moduleOf(name) === module).map(row)
      return [`## ${module}`, '', '| method | params | what it does |', '|---|---|---|', ...rows].join('\n')
    })
    .join('\n\n')
}

/** A method as the service specification lists it. */
export interface SpecMethod {
  readonly name: string
  /** Module it belongs to. */
  readonly group: string
  readonly status: 'supported' | 'partial' | 'unsupported'
  /** Reason that the specification gives for a status other than `supported`. */
  readonly reason?: string
  /** Described in the specification, but not in its list of methods. */
  readonly alsoDescribed?: boolean
}

/** A table of the methods of the service specification, and of whether this node has them. */
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
  return reason === undefined ? word : `${word}: ${tableCell(reason)}`
}

/** Titles of the columns for the other nodes that are compared. */
export const PEERS = {
  anvil: 'Anvil',
  hardhat2: 'Hardhat 2',
  hardhat3: 'Hardhat 3',
  ganache: 'Ganache',
  geth: 'geth',
} as const

/** Another node. */
export type Peer = keyof typeof PEERS

/** A method that other nodes have. */
export interface PeerMethod {
  readonly name: string
  /** The nodes that have it. */
  readonly peers: readonly Peer[]
  /** Why this node does not have it; absent if it does. */
  readonly reason?: string
}

/** One table for each module: which nodes have a method, and whether this node has it. */
export function peerMarkdown(methods: readonly PeerMethod[], registry: Registry): string {
  const peers = Object.entries(PEERS)
  const head = ['method', ...peers.map(([, title]) => title), 'here']
  const rowOf = ({ name, peers: having, reason }: PeerMethod) => {
    const marks = peers.map(([peer]) => (having.some((one) => one === peer) ? 'yes' : ''))
    return `| ${[`\`${name}\``, ...marks, hereText(registry.find(name)?.name, name, reason)].join(' | ')} |`
  }
  const modules = [...new Set(methods.map(({ name }) => moduleOf(name)))]
  const tables = modules.map((module) => {
    const rows = methods.filter(({ name }) => moduleOf(name) === module).map(rowOf)
    return [`## ${module}`, '', `| ${head.join(' | ')} |`, `|${'---|'.repeat(head.length)}`, ...rows].join(
      '\n',
    )
  })
  return tables.join('\n\n')
}

/** For an alias, the name under which the method is documented. */
function hereText(known: string | undefined, name: string, reason = ''): string {
  if (known === undefined) return `no: ${tableCell(reason)}`
  return known === name ? 'yes' : `yes, as \`${known}\``
}

function row({ name, aliases, params, summary }: Method): string {
  const names = [name, ...aliases].map((known) => `\`${known}\``).join(', ')
  const place = MODULE_OF.get(name)
  const text = place === undefined ? summary : `${summary} (${place} only)`
  return `| ${names} | ${params.map(paramText).join(', ')} | ${tableCell(text)} |`
}

/** The module of each method that only chains of its kind of network have. */
const MODULE_OF: ReadonlyMap<string, string> = new Map(
  (MODULES as readonly AnyModule[])
    .filter(({ network }) => network !== undefined)
    .flatMap(({ name, methods = [] }) => methods.map((method) => [method.name, name])),
)

/** Optional params have a question mark. */
function paramText({ name, schema }: Param): string {
  return schema.safeParse(undefined).success ? `${name}?` : name
}
