/** Finds contracts and functions in the text of a Solidity file, which may be newer than what the compiler knows. */

/** A contract, an interface or a library, or a function of it. */
export interface Declaration {
  /** From 0. */
  readonly line: number
  readonly contract: string
  /** Absent for the contract itself. */
  readonly function?: { readonly name: string; readonly types: readonly string[] }
}

/** Comments and texts, in which no declaration is. */
const HIDDEN = /\/\/.*|\/\*[^]*?\*\/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/g

const PART = /\b(?:contract|interface|library)\s+([\w$]+)|\bfunction\s+([\w$]+)\s*\(([^)]*)\)|[{}]/g

/** The contracts of a file and their functions, in order. */
export function declarationsIn(text: string): readonly Declaration[] {
  const found: Declaration[] = []
  const visible = text.replaceAll(HIDDEN, (hidden) => hidden.replaceAll(/[^\n]/g, ' '))
  let contract = ''
  let depth = 0
  for (const { 0: part, 1: next, 2: name, 3: parameters = '', index } of visible.matchAll(PART)) {
    const line = visible.slice(0, index).split('\n').length - 1
    if (part === '{') depth++
    else if (part === '}') depth--
    else if (next !== undefined) {
      contract = next
      found.push({ line, contract })
    }
    // A function outside of contracts has no gas of its own.
    else if (name !== undefined && depth === 1)
      found.push({ line, contract, function: { name, types: typesOf(parameters) } })
  }
  return found
}

const typesOf = (parameters: string): readonly string[] =>
  parameters.trim() === '' ? [] : parameters.split(',').map((one) => one.trim().split(/\s/)[0] ?? '')

/** Types that are the same in signatures. */
const ELEMENTARY = /^(?:address|bool|string|bytes\d*|u?int\d+)(?:\[\d*\])*$/

/** What a type of the project may be in a signature: an address, an enum, a type of a value, or a struct. */
const ANY_TYPE = '(?:[a-z]+\\d*|\\(.*\\))'

/**
 * The functions of a contract by their signatures, such as `transfer(address,uint256)`. A function that may have several of them is
 * left out, and so are overloads that may have the same.
 */
export function functionsBySignature(
  declarations: readonly Declaration[],
  signatures: readonly string[],
): ReadonlyMap<string, Declaration> {
  const pairs = signatures.flatMap((signature) =>
    declarations
      .filter(({ function: one }) => one !== undefined && patternOf(one).test(signature))
      .map((declaration) => [signature, declaration] as const),
  )
  const isOnly = ([signature, one]: (typeof pairs)[number]): boolean =>
    pairs.filter(([other, declaration]) => other === signature || declaration === one).length === 1
  return new Map(pairs.filter(isOnly))
}

/** The signatures that a function may have. */
function patternOf({ name, types }: NonNullable<Declaration['function']>): RegExp {
  const patterns = types.map((type) => {
    const whole = type.replace(/^(u?int)(?!\d)/, '$1256')
    return ELEMENTARY.test(whole)
      ? literal(whole)
      : ANY_TYPE + literal(/(?:\[\d*\])*$/.exec(whole)?.[0] ?? '')
  })
  return new RegExp(`^${literal(name)}\\(${patterns.join(',')}\\)$`)
}

const literal = (text: string): string => text.replaceAll(/[[\]$]/g, '\\$&')
