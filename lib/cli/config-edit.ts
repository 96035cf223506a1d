/** Adds lines to the texts of configs at places that it surely understands, and leaves other texts to their authors. */

import * as z from 'zod'

/** An addition to a config: an import and members. */
export interface ConfigAddition {
  /** A line that imports the plugin. */
  readonly importLine?: string
  /** ConfigMembers of the exported object. A list or an object that is there gets the element or the members. */
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

function expressionOf(value: string | ConfigMembers): string {
  if (typeof value === 'string') return value
  const members = Object.entries(value).map(([name, inner]) => `${name}: ${expressionOf(inner)}`)
  const line = `{ ${members.join(', ')} }`
  return line.length < MAX_LINE ? line : `{\n${members.map((member) => `  ${member},\n`).join('')}}`
}

/** Characters of the longest object on one line. */
const MAX_LINE = 80

/** Ends of statements that import, at the beginning of a line. */
const IMPORT = /^(?:import\b.*['"]|\} from ['"].*['"]|(?:(?:const|let|var) .* = )?require\(['"].*\));?$/gm

/** The text with an addition, in its style; undefined if it is not understood: the object begins and ends on lines of its own. */
export function addToConfig(source: string, { importLine, members }: ConfigAddition): string | undefined {
  const name = /^(?:export default|module\.exports =) (\w+);?$/m.exec(source)?.[1]
  const left = name === undefined ? '(?:export default|module\\.exports =)' : `const ${name}(?:: [\\w.]+)? =`
  const start = endOfOnly(source, `^${left} (?:defineConfig\\()?\\{$`)
  const added = start === undefined ? undefined : addMembers(source, start, members)
  if (added === undefined || importLine === undefined) return added
  const line = `${quoted(source, importLine)}${/;$/m.test(source) ? ';' : ''}\n`
  const last = [...added.matchAll(IMPORT)].at(-1)
  const end = last === undefined ? 0 : last.index + last[0].length + 1
  return insert(added, end, line)
}

/** Where the only match of a pattern ends. */
function endOfOnly(source: string, pattern: string): number | undefined {
  const [match, another] = source.matchAll(new RegExp(pattern, 'gm'))
  return match === undefined || another !== undefined ? undefined : match.index + match[0].length
}

/** Adds members at the beginning of the object that begins at an index, behind its bracket: the last one first. */
const addMembers = (source: string, start: number, members: ConfigMembers, indent = ''): string | undefined =>
  Object.entries(members)
    .toReversed()
    .reduce<string | undefined>((text, member) => text && addMember(text, start, member, indent), source)

function addMember(
  source: string,
  start: number,
  [name, value]: readonly [string, string | ConfigMembers],
  indent: string,
): string | undefined {
  const end = source.indexOf(`\n${indent}}`, start)
  const body = source.slice(start, end)
  const code = body.replaceAll(/^\s*(?:\/\/|\*|\/\*).*$/gm, '')
  // The members of a spread object, which come later, would win.
  if (end === -1 || code.includes('...')) return undefined
  const text = quoted(source, `${name}: ${expressionOf(value)},`)
  const inner = /^\n([^\S\n]+)\S/.exec(body)?.[1] ?? `${indent}  `
  if (!new RegExp(`\\b${name}(?:['"]?\\s*:|\\s*[,(])`).test(code))
    return insert(source, start, `\n${text}`.replaceAll('\n', `\n${inner}`))
  const at = endOfOnly(body, `^${inner}${name}: (?:\\[|\\{$)`)
  if (at === undefined) return undefined
  if (typeof value === 'object') return addMembers(source, start + at, value, inner)
  return value.startsWith('[') ? insert(source, start + at, `${value.slice(1, -1)}, `) : undefined
}

const insert = (source: string, at: number, text: string): string =>
  `${source.slice(0, at)}${text}${source.slice(at)}`

/** A text with the quotes that another one has more of. */
const quoted = (source: string, text: string): string =>
  source.split('"').length > source.split("'").length ? text.replaceAll("'", '"') : text

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
