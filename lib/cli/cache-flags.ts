/** The actions and flags of `dev-node cache`, and how they are read from a command line. */

import { NodeError } from '../base/errors.ts'
import type { Hash } from '../base/hex.ts'
import { nearest } from '../config/nearest.ts'
import { hash, readWhole } from '../config/values.ts'

/** The actions of `dev-node cache`, with a sentence for the help. The first one is the default. */
export const CACHE_ACTIONS = {
  list: 'Lists the forks in the cache: chain, block, facts, size, last use.',
  clear: 'Removes forks from the cache, except those that a running node uses.',
  path: 'Prints the folder of the cache.',
} as const

type CacheAction = keyof typeof CACHE_ACTIONS

/** A flag of `dev-node cache`. */
interface CacheFlag {
  readonly flag: string
  readonly form: 'value' | 'switch'
  readonly summary: string
  readonly actions: readonly CacheAction[]
}

/** All flags but --help. */
export const CACHE_FLAGS: readonly CacheFlag[] = [
  {
    flag: 'chain',
    form: 'value',
    summary: 'Only forks of the chain with this id.',
    actions: ['list', 'clear'],
  },
  {
    flag: 'block',
    form: 'value',
    summary: 'Only forks of the block with this number or hash.',
    actions: ['list', 'clear'],
  },
  {
    flag: 'fork-cache',
    form: 'value',
    summary: 'The folder of the cache, also set by DEV_NODE_FORK_CACHE.',
    actions: ['list', 'clear', 'path'],
  },
  {
    flag: 'json',
    form: 'switch',
    summary: 'Print JSON on one line, for programs.',
    actions: ['list', 'clear', 'path'],
  },
]

/** A command line of `dev-node cache`. */
export interface CacheCommand {
  readonly action: CacheAction
  /** The folder, if a flag names one. */
  readonly folder: string | undefined
  readonly chainId: bigint | undefined
  readonly block: bigint | Hash | undefined
  readonly isJson: boolean
}

type Flags = Readonly<Record<string, unknown>>

/**
 * Reads the words after `cache`, and the flags.
 * @throws NodeError 'invalidOption' naming the word or the flag
 */
export function readCacheCommand([word, extra]: readonly string[], flags: Flags): CacheCommand {
  const action = readAction(word)
  if (extra !== undefined) throw new NodeError('invalidOption', `unexpected argument ${extra}`)
  refuseUnknown(Object.keys(flags), action)
  return {
    action,
    folder: readText(flags, 'fork-cache'),
    chainId: read(flags, 'chain', 'a chain id', readWhole),
    block: read(flags, 'block', 'a block number or a block hash', readBlock),
    isJson: flags['json'] === true,
  }
}

function readAction(word = 'list'): CacheAction {
  if (word === 'list' || word === 'clear' || word === 'path') return word
  const actions = Object.keys(CACHE_ACTIONS)
  const meant = nearest(word, actions)
  const hint = meant === undefined ? `; there are ${actions.join(', ')}` : `; did you mean ${meant}?`
  throw new NodeError('invalidOption', `dev-node cache cannot ${word}${hint}`)
}

function refuseUnknown(names: readonly string[], action: CacheAction): void {
  const known = CACHE_FLAGS.filter(({ actions }) => actions.includes(action)).map(({ flag }) => flag)
  const unknown = names.find((name) => !known.includes(name))
  if (unknown === undefined) return
  const meant = nearest(unknown, known)
  const hint = meant === undefined ? '' : `; did you mean --${meant}?`
  throw new NodeError('invalidOption', `dev-node cache ${action} has no flag --${unknown}${hint}`)
}

function readText(flags: Flags, flag: string): string | undefined {
  const given = flags[flag]
  if (given === undefined) return undefined
  if (typeof given === 'string' && given !== '') return given
  const problem = Array.isArray(given) ? 'give it once' : 'expected a value behind it'
  throw new NodeError('invalidOption', `--${flag}: ${problem}`)
}

function read<T>(
  flags: Flags,
  flag: string,
  expected: string,
  parse: (given: string) => T | undefined,
): T | undefined {
  const given = readText(flags, flag)
  if (given === undefined) return undefined
  const value = parse(given)
  if (value !== undefined) return value
  throw new NodeError('invalidOption', `--${flag}: expected ${expected}, got "${given}"`)
}

/** A hash, or else a number: a hash is a number of 32 bytes, too. */
function readBlock(given: string): bigint | Hash | undefined {
  return hash.safeParse(given).data ?? readWhole(given)
}
