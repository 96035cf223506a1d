/**
 * Random Solidity programs with loops, jumps and branches. Each is written twice: plain, and as a twin that counts its own statements,
 * ways and functions in its memory. The counters stand in the twin alone, because they would change the code that is tested.
 */

import { drawsFrom } from '../../support/random-draws.ts'
import type { Draw } from '../../support/random-draws.ts'

/** A part of a program in both texts. The plain one has marks where something is counted. */
interface Part {
  readonly plain: string
  readonly twin: string
}

/** Something that is counted, and where it begins in the plain text. */
export interface CountedItem {
  readonly kind: 'statement' | 'branch' | 'function'
  /** From 1. */
  readonly line: number
  /** From 0. */
  readonly column: number
  /** Its counters; those of both ways for a branch. */
  readonly counters: readonly number[]
  /** Whether solc may drop it with its condition, because it does nothing or jumps to what follows anyway. */
  readonly isDropped: boolean
}

/** A program with its twin. */
export interface CountedProgram {
  readonly name: string
  readonly plain: string
  readonly twin: string
  readonly items: readonly CountedItem[]
}

/** What surrounds a statement. */
interface Place {
  /** How many statements may still be nested. */
  readonly depth: number
  readonly isInLoop: boolean
  readonly isUnchecked?: boolean
  /** Functions that may be called. */
  readonly callable: number
  /** Whether the function can return. */
  readonly returns: boolean
}

const MARK = /<(statement|branch|function) ([\d,]+)( dropped)?>/

/** Code that solc may drop. */
const SILENT =
  /^(<[^>]*>|unchecked|break|continue|return s|s( = s)?(?=;)|uint256 n|uint256 \w+ = (s|a|b|n|3|K)|[;{}\s])*$/

/** Sum of parts and of texts that both have. */
function join(...parts: readonly (Part | string)[]): Part {
  const textOf = (key: keyof Part): string =>
    parts.map((part) => (typeof part === 'string' ? part : part[key])).join('')
  return { plain: textOf('plain'), twin: textOf('twin') }
}

const lines = (parts: readonly Part[]): Part => join(...parts.flatMap((part) => [part, '\n']))

/** A part with other marks if solc may drop it. */
const dropped = (part: Part): Part =>
  SILENT.test(part.plain)
    ? { ...part, plain: part.plain.replaceAll(/<(\w+ [\d,]+)>/g, '<$1 dropped>') }
    : part

/** The same for each statement without code: after the `_` it may be that the function always failed. */
const unknownIfSilent = (part: Part): Part => ({
  ...part,
  plain: part.plain.replaceAll(/<(statement \d+)>(?=s( = s)?;)/g, '<$1 dropped>'),
})

const only = (part: Partial<Part>): Part => ({ plain: '', twin: '', ...part })

/** The counters of a twin lie from here on in its memory. */
const COUNTERS = 0x80
const MOST_COUNTERS = 900

/** Where Solidity's own memory begins in a twin. */
const FREE = COUNTERS + 32 * MOST_COUNTERS

const TWIN_HEAD = `
    function enter() private pure { assembly { mstore(0x40, ${FREE}) } }
    function leave_() private pure { assembly { return(${COUNTERS}, ${32 * MOST_COUNTERS}) } }
    function h(uint256 i) private pure { assembly { let p := add(${COUNTERS}, mul(i, 32)) mstore(p, add(mload(p), 1)) } }
    modifier entered(uint256 i) { h(i); _; }
    function t(uint256 i, uint256 v) private pure returns (uint256) { h(i); return v; }
`

class Program {
  readonly #draw: Draw
  readonly #isOld: boolean
  #counters = 0
  #names = 0

  constructor(seed: number, version: string) {
    this.#draw = drawsFrom(seed)
    this.#isOld = version.startsWith('0.7')
  }

  #one<T>(...choices: readonly T[]): T {
    return choices[this.#draw(choices.length)]!
  }

  #chance(percent: number): boolean {
    return this.#draw(100) < percent
  }

  #counter(): number {
    if (this.#counters === MOST_COUNTERS) throw new Error('too many counters')
    return this.#counters++
  }

  #counted(make: (id: number) => Part): Part {
    const id = this.#counter()
    return join(only({ plain: `<statement ${id}>` }), make(id))
  }

  /** A statement that the twin counts before it. */
  #statement(part: Part | string): Part {
    return this.#counted((id) => join(only({ twin: `h(${id}); ` }), part))
  }

  #expression(): string {
    return this.#one('s', 'a', 'b', 'n', 's + 1', '(a ^ b)', 's + b', 'K', '3', '(s & 7)')
  }

  #condition(): string {
    const simple = (): string =>
      this.#one(
        `s % ${2 + this.#draw(4)} == ${this.#draw(3)}`,
        `n < ${this.#draw(8)}`,
        'a > b',
        `a == ${this.#draw(4)}`,
        `!(b > ${this.#draw(4)})`,
        '((s ^ b) & 1) != 0',
        'flag',
      )
    const kind = this.#draw(10)
    if (kind < 6) return simple()
    return `${simple()} ${this.#one('&&', '||')} ${simple()}`
  }

  /** Ends all loops, however they are nested. */
  #bounded(): string {
    return `n++ < ${3 + this.#draw(12)}${this.#chance(50) ? ` && (${this.#condition()})` : ''}`
  }

  #simple({ callable }: Place): Part {
    switch (this.#draw(callable > 0 ? 9 : 8)) {
      case 0:
        return this.#statement('s++;')
      case 1:
        return this.#statement(`s = ${this.#expression()};`)
      case 2: {
        const name = `x${this.#names++}`
        return this.#statement(`uint256 ${name} = ${this.#expression()}; `)
      }
      case 3:
        return this.#conditional()
      case 4:
        return this.#check()
      case 5:
        return this.#statement('s;')
      case 6:
        return this.#statement(`s = ${this.#expression()} & 0xffff;`)
      case 7: {
        const divisor = this.#one('(b & 3)', '(s & 7)', 'a')
        return this.#counted((id) =>
          join(only({ twin: `h(${id}); if (${divisor} == 0) leave_(); ` }), `s = 100 / ${divisor};`),
        )
      }
      default:
        return this.#statement(`s = g${this.#draw(callable)}(s & 7, b);`)
    }
  }

  #conditional(): Part {
    const ways = [this.#counter(), this.#counter()]
    const way = (id: number | undefined): Part => {
      const value = this.#expression()
      return { plain: value, twin: `t(${id}, ${value})` }
    }
    const branch = only({ plain: `<branch ${ways.join()}>` })
    return this.#statement(
      join('s = ', branch, `(${this.#condition()}) ? `, way(ways[0]), ' : ', way(ways[1]), ';'),
    )
  }

  #check(): Part {
    const ways = [this.#counter(), this.#counter()]
    const condition = this.#one(
      `n < ${3 + this.#draw(20)}`,
      `s != ${this.#draw(6)}`,
      `a + ${this.#draw(3)} != b`,
    )
    const text = this.#chance(50) ? ', "no"' : ''
    return this.#counted((id) => ({
      plain: `<branch ${ways.join()}>require(${condition}${text});`,
      twin: `h(${id}); if (${condition}) h(${ways[0]}); else { h(${ways[1]}); leave_(); }`,
    }))
  }

  #exit({ isInLoop, returns }: Place): Part {
    const kind = this.#draw(10)
    if (isInLoop && kind < 8) return this.#statement(this.#one('break;', 'continue;'))
    if (returns && kind < 9)
      return this.#statement(this.#one('return s;', 'return 5;', `return ${this.#expression()};`))
    return this.#counted((id) => ({ plain: 'revert("no");', twin: `h(${id}); leave_();` }))
  }

  /** Statements of a block, the last of which may leave it. */
  #statements(place: Place, most = 3): Part {
    const count = 1 + this.#draw(most)
    const parts = Array.from({ length: count }, () => this.#any(place))
    if (this.#chance(15)) parts[parts.length - 1] = this.#exit(place)
    return lines(parts)
  }

  #body(place: Place, counter?: number): Part {
    const count = counter === undefined ? '' : only({ twin: `h(${counter}); ` })
    const inner = { ...place, depth: place.depth - 1 }
    if (this.#chance(30)) {
      const alone = this.#chance(50) ? this.#exit(inner) : this.#any(inner)
      if (!/uint256 x|if \(|^unchecked/.test(alone.plain))
        return dropped(join(only({ twin: '{ ' }), count, alone, only({ twin: ' }' })))
    }
    if (this.#chance(25)) return dropped(join('{ ', count, this.#exit(inner), ' }'))
    return dropped(join('{\n', count, this.#statements(inner), '}'))
  }

  #if(place: Place): Part {
    const ways = [this.#counter(), this.#counter()] as const
    const first = this.#body(place, ways[0])
    const second = this.#else(place, ways[1])
    const isSilent = SILENT.test(first.plain + second.plain.replace(' else ', ''))
    const id = this.#counter()
    const marks = [`statement ${id}`, `branch ${ways.join()}`].map(
      (mark) => `<${mark}${isSilent ? ' dropped' : ''}>`,
    )
    const counted = only({ plain: marks.join(''), twin: `h(${id}); ` })
    return join(counted, `if (${this.#condition()}) `, first, second)
  }

  #else(place: Place, way: number): Part {
    if (this.#chance(50)) return only({ twin: ` else h(${way});` })
    if (this.#chance(40) && place.depth > 1) {
      const next = this.#if({ ...place, depth: place.depth - 1 })
      return join(' else ', only({ twin: `{ h(${way}); ` }), next, only({ twin: ' }' }))
    }
    return join(' else ', this.#body(place, way))
  }

  #loop(place: Place): Part {
    const inner = { ...place, isInLoop: true }
    switch (this.#draw(4)) {
      case 0:
        return this.#statement(join(`while (${this.#bounded()}) `, this.#body(inner)))
      case 1: {
        // A loop of nothing but a jump is no loop.
        const body = this.#body(inner)
        const isSilent = SILENT.test(body.plain)
        return this.#statement(
          join(
            'do ',
            isSilent ? join('{ ', this.#statement('s++;'), ' }') : body,
            ` while (${this.#bounded()});`,
          ),
        )
      }
      case 2: {
        const rest = this.#statements(inner)
        const body = SILENT.test(rest.plain) ? this.#statement('s++;') : rest
        return this.#statement(
          join(this.#one('while (true) ', 'for (;;) '), '{\n', this.#endless(inner), '\n', body, '}'),
        )
      }
      default:
        return this.#for(inner)
    }
  }

  /** Leaves an endless loop in the end. */
  #endless(place: Place): Part {
    const ways = [this.#counter(), this.#counter()] as const
    const exit = this.#chance(80) || !place.returns ? 'break;' : 'return s;'
    return this.#counted((id) =>
      join(
        only({ plain: `<branch ${ways.join()}>`, twin: `h(${id}); ` }),
        `if (n++ > ${3 + this.#draw(6)}) {`,
        only({ twin: `h(${ways[0]}); ` }),
        this.#statement(exit),
        '}',
        only({ twin: ` else h(${ways[1]});` }),
      ),
    )
  }

  #for(place: Place): Part {
    const name = `i${this.#names++}`
    const isWhole = this.#chance(60)
    const [init, next] = [this.#counter(), this.#counter()]
    return this.#statement(
      join(
        isWhole
          ? {
              plain: `for (<statement ${init}>uint256 ${name} = 0; `,
              twin: `for (uint256 ${name} = t(${init}, 0); `,
            }
          : 'for (; ',
        `${this.#bounded()}; `,
        isWhole ? { plain: `<statement ${next}>${name}++) `, twin: `${name} += t(${next}, 1)) ` } : ') ',
        this.#body(place),
      ),
    )
  }

  #any(place: Place): Part {
    const kind = this.#draw(100)
    if (place.depth <= 0 || kind < 35) return this.#simple(place)
    if (kind < 60) return this.#if(place)
    if (kind < 85) return this.#loop(place)
    const inner = { ...place, depth: place.depth - 1 }
    if (kind < 93) return this.#assembly(inner)
    const isUnchecked = !this.#isOld && place.isUnchecked !== true && this.#chance(50)
    const statements = this.#statements(isUnchecked ? { ...inner, isUnchecked } : inner)
    const body = SILENT.test(statements.plain) ? this.#statement('s++;') : statements
    return join(isUnchecked ? 'unchecked {\n' : '{\n', body, '}')
  }

  #assembly(place: Place): Part {
    const name = `y${this.#names++}`
    return this.#statement(
      join(
        'assembly {\n',
        this.#yul(`let ${name} := 0`),
        '\n',
        this.#yulBlock(name, place.depth + 1, false),
        '}',
      ),
    )
  }

  /** A statement of assembly that the twin counts before it. */
  #yul(part: Part | string): Part {
    return this.#counted((id) => join(only({ twin: yulCount(id) }), part))
  }

  #yulBlock(name: string, depth: number, isInLoop: boolean): Part {
    const parts = Array.from({ length: 1 + this.#draw(3) }, () => this.#yulAny(name, depth, isInLoop))
    // Conditions of nothing but jumps are dropped at the end of a loop.
    if (isInLoop) parts.push(this.#yul('s := xor(s, b)'))
    if (isInLoop && this.#chance(20)) parts.push(this.#yul(this.#one('break', 'continue')))
    return lines(parts)
  }

  #yulBody(name: string, depth: number, isInLoop: boolean): Part {
    if (isInLoop && this.#chance(30))
      return dropped(join('{ ', this.#yul(this.#one('break', 'continue')), ' }'))
    return join('{\n', this.#yulBlock(name, depth - 1, isInLoop), '}')
  }

  #yulAny(name: string, depth: number, isInLoop: boolean): Part {
    const condition = (): string =>
      this.#one(
        `gt(s, ${this.#draw(9)})`,
        `lt(${name}, 2)`,
        `iszero(and(s, 1))`,
        'eq(a, b)',
        `and(${name}, 1)`,
      )
    switch (depth <= 0 ? 0 : this.#draw(5)) {
      case 1:
        return this.#yul(join(`if ${condition()} `, this.#yulBody(name, depth, isInLoop)))
      case 2: {
        const next = this.#counter()
        const body = this.#yulBody(name, depth, true)
        const head = `for { } lt(${name}, ${1 + this.#draw(6)}) { `
        return this.#yul(
          join(
            head,
            { plain: `<statement ${next}>`, twin: yulCount(next) },
            `${name} := add(${name}, 1) } `,
            // A loop of nothing but a jump is no loop.
            SILENT.test(body.plain) ? join('{ ', this.#yul('s := add(s, 1)'), ' }') : body,
          ),
        )
      }
      case 3:
        return this.#yul(
          join(
            `switch and(s, 3) case 0 `,
            this.#yulBody(name, depth, isInLoop),
            this.#chance(50) ? join('\ncase 1 ', this.#yulBody(name, depth, isInLoop)) : '',
            this.#chance(50) ? join('\ndefault ', this.#yulBody(name, depth, isInLoop)) : '',
          ),
        )
      default:
        return this.#yul(
          this.#one(`s := add(s, ${name})`, 's := and(s, 0xff)', 's := xor(s, a)', `s := add(s, 1)`),
        )
    }
  }

  #function(name: string, callable: number, modifiers: readonly string[]): Part {
    const id = this.#counter()
    const place = { depth: 3, isInLoop: false, callable, returns: true }
    // Without code in the body nothing tells whether the modifiers let it run.
    const begin = [
      this.#statement('uint256 n;'),
      ...(modifiers.length > 0 ? [this.#statement('s += b;')] : []),
    ]
    return join(
      only({ plain: `<function ${id}>` }),
      `function ${name}(uint256 a, uint256 b) ${name === 'f' ? 'public' : 'internal'} `,
      only({ twin: `entered(${id}) ` }),
      `${modifiers.join(' ')} returns (uint256 s) {\n`,
      lines([...begin, this.#statements(place, 4)]),
      '}\n',
    )
  }

  /** A modifier with statements before and after the function, or without any. */
  #modifier(name: string, isEmpty: boolean): Part {
    const id = this.#counter()
    const place = { depth: 1, isInLoop: false, callable: 0, returns: false }
    return join(
      only({ plain: `<function ${id}>` }),
      `modifier ${name}(uint256 a, uint256 b) virtual {\n`,
      only({ twin: `h(${id}); ` }),
      isEmpty
        ? ''
        : lines([
            this.#statement('uint256 n;'),
            this.#statement('uint256 s = a;'),
            this.#statements(place, 2),
          ]),
      '_;\n',
      isEmpty ? '' : unknownIfSilent(this.#statements(place, 2)),
      '}\n',
    )
  }

  #modifiers(): readonly string[] {
    return ['empty(a, b)', 'check(b, a)', 'last(a, a)'].filter(() => this.#chance(30))
  }

  make(name: string): CountedProgram {
    const modifiers = [
      this.#modifier('empty', true),
      this.#modifier('check', false),
      this.#modifier('last', true),
    ]
    const functions = [0, 1].map((index) => this.#function(`g${index}`, index, this.#modifiers()))
    const body = join(...modifiers, ...functions, this.#function('f', 2, this.#modifiers()))
    const head = `contract ${name} {\n    bool private flag;\n    uint256 private constant K = 2;\n`
    const run = `function run(uint256 a, uint256 b) external { enter(); f(a, b); leave_(); }\n`
    const { plain, items } = withoutMarks(`${head}${body.plain}}\n`)
    return { name, plain, twin: `${head}${TWIN_HEAD}${body.twin}${run}}\n`, items }
  }
}

const yulCount = (id: number): string => {
  const at = COUNTERS + 32 * id
  return `mstore(${at}, add(mload(${at}), 1)) `
}

/** A text without its marks, and what they say. */
function withoutMarks(marked: string): Pick<CountedProgram, 'plain' | 'items'> {
  const items: CountedItem[] = []
  let plain = ''
  for (let rest = marked; ;) {
    const mark = MARK.exec(rest)
    plain += rest.slice(0, mark?.index)
    if (mark === null) return { plain, items }
    const before = plain.split('\n')
    const [text, kind, counters, isDropped] = mark
    items.push({
      kind: kind as CountedItem['kind'],
      line: before.length,
      column: before.at(-1)!.length,
      counters: counters!.split(',').map(Number),
      isDropped: isDropped !== undefined,
    })
    rest = rest.slice(mark.index + text.length)
  }
}

/** The program of a seed, for a version of solc. */
export const countedProgram = (seed: number, version: string): CountedProgram =>
  new Program(seed, version).make(`P${seed}`)
