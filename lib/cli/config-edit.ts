/** Edits configs at the places that their syntax tree names. Returns undefined rather than guess when a config has another form. */

import { parse } from '@babel/parser'
import type { Node, ObjectExpression, Program, Statement } from '@babel/types'
import * as z from 'zod'

export interface ConfigAddition {
  /** A line for the beginning of the file that imports the plugin. */
  readonly importLine?: string
  /** Members to add to the exported object. Existing lists get the element, existing objects the members. */
  readonly members: ConfigMembers
}

/** Expressions by name, lists of one element in brackets, and members of objects. */
interface ConfigMembers {
  readonly [name: string]: string | ConfigMembers
}

/** The lines that a user would add by hand. */
export const linesOf = ({ importLine, members }: ConfigAddition): readonly string[] => [
  ...(importLine === undefined ? [] : [importLine]),
  ...Object.entries(members).flatMap(([name, value]) => `${name}: ${expressionOf(value)},`.split('\n')),
]

/** The text of a value. JSON has quotes around names. */
function expressionOf(value: string | ConfigMembers, quote = ''): string {
  if (typeof value === 'string') return value
  const members = membersOf(Object.entries(value), quote)
  const line = `{ ${members.join(', ')} }`
  return line.length < MAX_LINE ? line : `{\n${members.map((member) => `  ${member},\n`).join('')}}`
}

const membersOf = (members: readonly Member[], quote: string): readonly string[] =>
  members.map(([name, value]) => `${quote}${name}${quote}: ${expressionOf(value, quote)}`)

const MAX_LINE = 80

type Member = readonly [name: string, value: string | ConfigMembers]

interface Insertion {
  readonly at: number
  readonly text: string
}

interface Config {
  readonly source: string
  readonly statements: readonly Statement[]
  /** The quotes around names. */
  readonly quote: '' | '"'
}

const JSON_PREFIX = 'module.exports = '

/** Adds to a config in its own style. Returns undefined if a member's value is neither an object nor a list. */
export function addToConfig(text: string, { importLine, members }: ConfigAddition): string | undefined {
  const isJson = text.trimStart().startsWith('{')
  const source = isJson ? JSON_PREFIX + text : text
  const program = parsed(source)
  if (program === undefined) return undefined
  const imported = importLine === undefined || isJson ? [] : [addImport(source, program, importLine)]
  const exported = program.body.flatMap((statement) => exportedBy(statement, source))
  const value = exported.length === 1 ? valueOf(exported[0], program.body) : undefined
  const config: Config = { source, statements: program.body, quote: isJson ? '"' : '' }
  const added = Object.keys(members).length === 0 ? [] : addMembers(value, members, config)
  return (
    added &&
    [...imported, ...added]
      .toSorted((a, b) => a.at - b.at)
      .reduceRight((edited, { at, text: added }) => edited.slice(0, at) + added + edited.slice(at), source)
      .slice(isJson ? JSON_PREFIX.length : 0)
  )
}

function parsed(source: string): Program | undefined {
  try {
    return parse(source, { sourceType: 'unambiguous', plugins: ['typescript'] }).program
  } catch {
    return undefined
  }
}

/** Every parsed node has a position. */
const startOf = ({ start }: Node): number => start ?? 0
const endOf = ({ end }: Node): number => end ?? 0
const textOf = (node: Node, source: string): string => source.slice(startOf(node), endOf(node))

function exportedBy(statement: Statement, source: string): readonly Node[] {
  if (statement.type === 'ExportDefaultDeclaration') return [statement.declaration]
  if (statement.type !== 'ExpressionStatement' || statement.expression.type !== 'AssignmentExpression')
    return []
  const { left, right } = statement.expression
  return textOf(left, source) === 'module.exports' ? [right] : []
}

/** The value behind types, variables, arrow functions and functions such as defineConfig, whose last argument is the config. */
function valueOf(node: Node | null | undefined, statements: readonly Statement[]): Node | undefined {
  if (node?.type === 'TSAsExpression' || node?.type === 'TSSatisfiesExpression')
    return valueOf(node.expression, statements)
  if (node?.type === 'ArrowFunctionExpression') return valueOf(node.body, statements)
  if (
    node?.type === 'CallExpression' &&
    node.callee.type === 'Identifier' &&
    node.callee.name.endsWith('Config')
  )
    return valueOf(node.arguments.at(-1), statements)
  if (node?.type !== 'Identifier') return node ?? undefined
  for (const statement of statements) {
    if (statement.type !== 'VariableDeclaration') continue
    const variable = statement.declarations.find(
      ({ id }) => id.type === 'Identifier' && id.name === node.name,
    )
    // A variable that refers to itself has no value.
    if (variable)
      return valueOf(
        variable.init,
        statements.filter((other) => other !== statement),
      )
  }
  return undefined
}

/** Adds members to an object. Returns undefined if an existing member cannot be extended. */
function addMembers(
  object: Node | undefined,
  members: ConfigMembers,
  config: Config,
): readonly Insertion[] | undefined {
  if (object?.type !== 'ObjectExpression') return undefined
  const fresh: Member[] = []
  const insertions: Insertion[] = []
  for (const [name, value] of Object.entries(members)) {
    const index = object.properties.findIndex(
      (candidate) =>
        'key' in candidate &&
        !candidate.computed &&
        textOf(candidate.key, config.source).replaceAll(/['"]/g, '') === name,
    )
    // A spread object may have the member, or replace it.
    if (object.properties.slice(index + 1).some(({ type }) => type === 'SpreadElement')) return undefined
    const property = object.properties[index]
    if (property === undefined) fresh.push([name, value])
    else {
      const extended = property.type === 'ObjectProperty' ? extend(property.value, value, config) : undefined
      if (extended === undefined) return undefined
      insertions.push(...extended)
    }
  }
  return fresh.length === 0 ? insertions : [...insertions, addFresh(object, fresh, config)]
}

/** Adds members to the value of a member that is an object, or an element to one that is a list or a text. */
function extend(node: Node, value: string | ConfigMembers, config: Config): readonly Insertion[] | undefined {
  const present = valueOf(node, config.statements)
  if (typeof value !== 'string') return addMembers(present, value, config)
  const element = quoted(config.source, value.slice(1, -1))
  if (!value.startsWith('[')) return undefined
  if (present?.type === 'ArrayExpression') {
    const [first] = present.elements
    return [{ at: first ? startOf(first) : startOf(present) + 1, text: first ? `${element}, ` : element }]
  }
  if (node.type !== 'StringLiteral') return undefined
  return [
    { at: startOf(node), text: `[${element}, ` },
    { at: endOf(node), text: ']' },
  ]
}

/** Adds members at the beginning of an object, on lines of their own if its first member has one. */
function addFresh(
  object: ObjectExpression,
  members: readonly Member[],
  { source, quote }: Config,
): Insertion {
  const [first] = object.properties
  const at = startOf(object) + 1
  const space = source.slice(at, first ? startOf(first) : endOf(object) - 1)
  const texts = membersOf(members, quote).map((text) => quoted(source, text))
  const indent = /\n([^\S\n]*)[^\n]*$/.exec(space)?.[1]
  if (indent === undefined) return { at, text: ` ${texts.join(', ')}${first ? ',' : ' '}` }
  const text = texts.join(',\n') + (first || quote === '' ? ',' : '')
  return { at, text: `\n${text}`.replaceAll('\n', `\n${indent}${first ? '' : '  '}`) }
}

/** Adds a line behind the last import, or else at the beginning. */
function addImport(source: string, { body, directives }: Program, line: string): Insertion {
  const isImport = (statement: Statement): boolean =>
    /^(?:import\b|(?:(?:const|let|var)\b[^=]*=\s*)?require\()/.test(textOf(statement, source))
  const last = body.findLast(isImport) ?? directives.at(-1)
  const semicolon = body.some((statement) => textOf(statement, source).endsWith(';')) ? ';' : ''
  const at = last === undefined ? 0 : source.indexOf('\n', endOf(last)) + 1
  return { at, text: `${quoted(source, line)}${semicolon}\n` }
}

const quoted = (source: string, text: string): string =>
  source.split('"').length > source.split("'").length || text.includes('"') ? text.replaceAll("'", '"') : text

const jsonObject = z.record(z.string(), z.unknown())

/** The text of a package.json with a script; undefined if it is not formatted as npm formats it. */
export function addScript(source: string, name: string, command: string): string | undefined {
  const manifest = jsonObject.parse(JSON.parse(source))
  const indent = /^[ \t]+/m.exec(source)?.[0]
  const write = (value: object): string =>
    `${JSON.stringify(value, undefined, indent)}${source.endsWith('\n') ? '\n' : ''}`
  const scripts = jsonObject.catch({}).parse(manifest['scripts'])
  return write(manifest) === source
    ? write({ ...manifest, scripts: { ...scripts, [name]: command } })
    : undefined
}
