/** The flags of the commands besides `start`, and how they are read from a command line. */

import { refuseOption } from '../base/errors.ts'
import { asHash, type Hash } from '../base/hex.ts'
import { didYouMean } from '../config/nearest.ts'
import { readWhole } from '../config/values.ts'

/** Networks that `dev-node init` sets up. The first one is the default. */
export const INIT_NETWORKS = ['ethereum', 'network-33'] as const

/** The rules of the chain that `dev-node init` sets up. */
export type InitNetwork = (typeof INIT_NETWORKS)[number]

export interface CommandFlag {
  readonly flag: string
  readonly isSwitch?: boolean
  readonly summary: string
}

const JSON_FLAG = { flag: 'json', isSwitch: true, summary: 'Print JSON on one line, for programs.' }

/** The flags of each command, except --help. */
export const COMMAND_FLAGS = {
  init: [
    { flag: 'network', summary: `The rules of the chain: ${INIT_NETWORKS.join(' or ')}; else init asks.` },
    { flag: 'yes', isSwitch: true, summary: 'Write the changes without a question.' },
  ],
  explain: [
    {
      flag: 'url',
      summary:
        'URL of the node, with the path of a world; if left out, DEV_NODE_URL, or that of the node on port 4444 or 8545 of this machine.',
    },
    {
      flag: 'last',
      summary: 'The newest failure; with a number, a list of so many, newest first, alike ones once.',
    },
    JSON_FLAG,
    { flag: 'flame', summary: 'Also draw the gas by call path as a flame graph, in this SVG file.' },
  ],
  exec: [
    {
      flag: 'hold',
      isSwitch: true,
      summary: 'Keep the node after the command until Ctrl-C, and print the URL of the explorer.',
    },
  ],
  'debug-adapter': [
    {
      flag: 'port',
      summary:
        'Port for editors that connect by TCP, 0 for any that is free; the standard streams if left out.',
    },
    { flag: 'host', summary: 'Address of this machine with that port; 127.0.0.1 if left out.' },
  ],
  'gas-diff': [
    {
      flag: 'threshold',
      summary: 'Percent by which the mean gas of a function may increase, such as 1%; 0 if left out.',
    },
    JSON_FLAG,
  ],
  cache: [
    { flag: 'chain-id', summary: 'Export the fork of the chain with this id.' },
    { flag: 'block', summary: 'Export the fork of the block with this number or hash.' },
    {
      flag: 'fork-cache',
      summary: 'Folder of the cache; if left out, that of the option --fork-cache of nodes.',
    },
  ],
} as const satisfies Readonly<Record<string, readonly CommandFlag[]>>

/** Flags by name without dashes. */
export type Flags = Readonly<Record<string, unknown>>

/** Refuses a word behind the last one that has a meaning. */
export function refuseExtra(word: string | undefined): void {
  if (word !== undefined) refuseOption(`unexpected argument ${word}`)
}

/** The end of the error for an unknown word: the word that was meant, or all known ones. */
export const hint = (word: string, known: readonly string[]): string =>
  didYouMean(word, known) || `; there are ${known.join(', ')}`

/** Refuses flags that a command does not have. `command` is its name in the error message. */
function refuseUnknown(flags: Flags, command: string, own: readonly CommandFlag[]): void {
  const known = own.map(({ flag }) => flag)
  const unknown = Object.keys(flags).find((name) => !known.includes(name))
  if (unknown === undefined) return
  refuseOption(`${command} has no flag --${unknown}${didYouMean(unknown, known, (flag) => `--${flag}`)}`)
}

/** A command line of `dev-node exec`. */
export interface ExecCommand {
  /** Program and arguments. */
  readonly command: readonly [string, ...string[]]
  readonly flags: Flags
  /** Whether the node stays after the command until a signal. */
  readonly isHeld: boolean
}

/** A command line of `dev-node init`. */
export type InitCommand = Readonly<ReturnType<typeof readInitCommand>>

/** Reads the words after `init`, and the flags. @throws NodeError 'invalidOption' naming the word or the flag */
export function readInitCommand([word]: readonly string[], flags: Flags) {
  refuseExtra(word)
  refuseUnknown(flags, 'init', COMMAND_FLAGS.init)
  const network = readText(flags, 'network')
  return {
    network: network === undefined ? undefined : readNetwork(network),
    isConfirmed: flags['yes'] === true,
  }
}

/** @throws NodeError 'invalidOption' */
export function readNetwork(given: string): InitNetwork {
  const known = INIT_NETWORKS.find((name) => name === given)
  return known ?? refuseOption(`--network: expected ${INIT_NETWORKS.join(' or ')}, got "${given}"`)
}

function readText(flags: Flags, flag: string): string | undefined {
  const given = flags[flag]
  if (given === undefined || (typeof given === 'string' && given !== '')) return given
  return refuseOption(`--${flag}: ${Array.isArray(given) ? 'give it once' : 'expected a value behind it'}`)
}

function read<T>(
  flags: Flags,
  flag: string,
  expected: string,
  parse: (given: string) => T | undefined,
): T | undefined {
  const given = readText(flags, flag)
  if (given === undefined) return undefined
  return parse(given) ?? refuseOption(`--${flag}: expected ${expected}, got "${given}"`)
}

/** A command line of `dev-node explain`. */
export type ExplainCommand = Readonly<ReturnType<typeof readExplainCommand>>

/** Reads the words after `explain`, and the flags. @throws NodeError 'invalidOption' naming the word or the flag */
export function readExplainCommand([word, extra]: readonly string[], flags: Flags) {
  refuseExtra(extra)
  refuseUnknown(flags, 'explain', COMMAND_FLAGS.explain)
  const { last } = flags
  if (last !== undefined) refuseExtra(word)
  const subject = last === undefined ? readSubject(word) : readLast(flags)
  const flame = readText(flags, 'flame')
  if (flame !== undefined && !('hash' in subject))
    refuseOption('--flame: expected the hash of a transaction with it')
  const url = read(flags, 'url', 'a URL such as http://127.0.0.1:4444/', readUrl)
  return { subject, url, isJson: flags['json'] === true, flame }
}

/** A transaction by its hash or the beginning of it, a failure by its id, the newest failure without an id, or a list of the newest. */
type ExplainSubject =
  | { readonly hash: string }
  | { readonly id: number | undefined }
  | { readonly last: number }

function readSubject(word = 'nothing'): ExplainSubject {
  if (/^0x[0-9a-f]{1,64}$/i.test(word)) return { hash: word.toLowerCase() }
  if (/^[1-9]\d{0,14}$/.test(word)) return { id: Number(word) }
  return refuseOption(
    `explain: expected the hash of a transaction, its beginning, the id of a failure, or --last, got ${word}`,
  )
}

/** The node checks the number. */
const readLast = (flags: Flags): ExplainSubject =>
  flags['last'] === true
    ? { id: undefined }
    : { last: Number(read(flags, 'last', 'a whole number', readWhole)) }

const readUrl = (given: string): string | undefined =>
  URL.canParse(given) && /^https?:$/.test(new URL(given).protocol) ? given : undefined

/** A command line of `dev-node debug-adapter`: the port for editors; undefined for the standard streams. */
export type DebugAdapterCommand = Readonly<ReturnType<typeof readDebugAdapterCommand>>

/** Reads the words after `debug-adapter`, and the flags. @throws NodeError 'invalidOption' naming the word or the flag */
export function readDebugAdapterCommand([word]: readonly string[], flags: Flags) {
  refuseExtra(word)
  refuseUnknown(flags, 'debug-adapter', COMMAND_FLAGS['debug-adapter'])
  const port = read(flags, 'port', 'a port from 0 to 65535', readPort)
  const host = read(flags, 'host', 'an address of this machine, such as 127.0.0.1 or ::1', readLoopback)
  if (host !== undefined && port === undefined) refuseOption('--host: expected --port with it')
  return { port, host: host ?? '127.0.0.1' }
}

const readPort = (given: string): number | undefined =>
  /^\d{1,5}$/.test(given) && Number(given) <= 65_535 ? Number(given) : undefined

/** Who can reach the adapter can read files of the user. */
const readLoopback = (given: string): string | undefined =>
  /^(localhost|::1|127(\.\d{1,3}){3})$/.test(given) ? given : undefined

/** A command line of `dev-node gas-diff`: the paths of two reports, and settings. */
export type GasDiffCommand = Readonly<ReturnType<typeof readGasDiffCommand>>

/** Reads the words after `gas-diff`, and the flags. @throws NodeError 'invalidOption' naming the word or the flag */
export function readGasDiffCommand([before, after, extra]: readonly string[], flags: Flags) {
  refuseExtra(extra)
  if (before === undefined || after === undefined)
    return refuseOption(`gas-diff: expected two files, got ${before ?? 'nothing'}`)
  refuseUnknown(flags, 'gas-diff', COMMAND_FLAGS['gas-diff'])
  const thresholdPercent = read(flags, 'threshold', 'a percentage such as 1%', readPercent) ?? 0
  return { before, after, thresholdPercent, isJson: flags['json'] === true }
}

function readPercent(given: string): number | undefined {
  const digits = /^(\d+(?:\.\d+)?)%?$/.exec(given)?.[1]
  return digits === undefined ? undefined : Number(digits)
}

/** A command line of `dev-node cache`. */
export type CacheCommand = Readonly<ReturnType<typeof readCacheCommand>>

/** Reads the words after `cache`, and the flags. @throws NodeError 'invalidOption' naming the word or the flag */
export function readCacheCommand([given, ...files]: readonly string[], flags: Flags) {
  if (given !== 'export' && given !== 'import')
    return refuseOption(`cache: expected export or import, got ${given ?? 'nothing'}`)
  const action = given
  if (files.length === 0) return refuseOption(`cache ${action}: expected a file behind it`)
  if (action === 'export') refuseExtra(files[1])
  const own = COMMAND_FLAGS.cache.filter(({ flag }) => action === 'export' || flag === 'fork-cache')
  refuseUnknown(flags, `cache ${action}`, own)
  const chainId = read(flags, 'chain-id', 'a whole number', readWhole)
  const block = read(flags, 'block', 'the number or the hash of a block', readBlock)
  return { action, files, chainId, block, folder: readText(flags, 'fork-cache') }
}

const readBlock = (given: string): Partial<{ blockNumber: bigint; blockHash: Hash }> | undefined => {
  if (/^0x[0-9a-f]{64}$/i.test(given)) return { blockHash: asHash(given.toLowerCase()) }
  const blockNumber = readWhole(given)
  return blockNumber === undefined ? undefined : { blockNumber }
}
