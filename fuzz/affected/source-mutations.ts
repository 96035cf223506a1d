/** Small changes of Solidity, each in one line, such as mutation testing makes. Many compile and let a test fail. */

export interface SourceMutation {
  readonly kind: string
  /** From zero on. */
  readonly line: number
  readonly before: string
  readonly after: string
}

/** Makes another line of one, or returns it as it is. */
type Change = (line: string) => string

const operator =
  (from: string, to: string): Change =>
  (line) =>
    line.replace(` ${from} `, ` ${to} `)

/** Changes by kind. */
const CHANGES: readonly (readonly [string, Change])[] = [
  ...[
    ['+', '-'],
    ['-', '+'],
    ['*', '/'],
    ['/', '*'],
    ['<', '<='],
    ['<=', '<'],
    ['>', '>='],
    ['>=', '>'],
    ['==', '!='],
    ['!=', '=='],
    ['&&', '||'],
    ['||', '&&'],
    ['+=', '-='],
    ['-=', '+='],
  ].map(([from, to]) => ['operator', operator(from!, to!)] as const),
  ['constant', (line) => line.replace(/(?<![\w.])\d+(?![\w.])/, (digits) => String(Number(digits) + 1))],
  ['text', (line) => line.replace(/"([^"]+)"/, '"other $1"')],
  ['condition', (line) => line.replace(/\brequire\((.+?)(, (?:"|\w+\()|\);)/, 'require(!($1)$2')],
  ['condition', (line) => line.replace(/\bif \((.+?)\) (\{|revert|return)/, 'if (!($1)) $2')],
  ['modifier', (line) => line.replace(/(\).*) (?:only|when)\w+(?:\([^)]*\))?(.*\{)$/, '$1$2')],
  ['statement', (line) => (DECLARATION.test(line) ? line : line.replace(/^\s+.*;\s*$/, ''))],
]

/** A line that declares something: without it nothing compiles, or nothing changes. */
const DECLARATION =
  /^\s*(?:return\b|using\b|[\w.]+(?:\[\])*(?: \w+)* (?:public|private|internal|constant|immutable)\b|mapping\b|(?:u?int|bytes|address|bool|string)\w* )/
const NO_CODE =
  /^\s*(?:$|\/|\*|import\b|pragma\b|event\b|error\b|using\b|contract\b|abstract\b|library\b|interface\b|struct\b|enum\b)/

/** All changes of a source. */
export const sourceMutations = (source: string): readonly SourceMutation[] =>
  source.split('\n').flatMap((before, line) =>
    NO_CODE.test(before)
      ? []
      : CHANGES.flatMap(([kind, change]) => {
          const after = change(before)
          return after === before ? [] : [{ kind, line, before, after }]
        }),
  )

/** The source with a change. */
export const mutated = (source: string, { line, after }: SourceMutation): string =>
  source
    .split('\n')
    .map((text, index) => (index === line ? after : text))
    .join('\n')
