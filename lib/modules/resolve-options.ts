/** Resolves options from flags, environment and the API. resolve-network.ts applies them to the network. */

import { refuseOption } from '../base/errors.ts'
import { NEED_FORK_URL } from '../config/fork-options.ts'
import { describeIssue } from '../config/issues.ts'
import { didYouMean } from '../config/nearest.ts'
import { readSwitch } from '../config/option-values.ts'
import {
  type AllOptions,
  OPTION_LIST,
  optionsSchema,
  type OptionEntry,
  type OptionsInput,
} from './options.ts'
import { PARSE_ONCE, show } from '../config/values.ts'

export interface GivenOptions {
  /** Flags without dashes: text, a list of texts, or true for a flag without value. */
  readonly flags?: Readonly<Record<string, unknown>>
  /** Environment variables; an empty one counts as absent. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** By name, as in the API. */
  readonly values?: OptionsInput
}

interface Given {
  readonly value: unknown
  readonly label: string
}

/**
 * Resolves all options. Flags have precedence over API values, these over the environment, and all over defaults. @throws NodeError
 * 'invalidOption' naming the flag, variable or option, the value, and what is expected.
 */
export function resolveOptions(input: GivenOptions): AllOptions {
  refuseUnknown(Object.keys(input.flags ?? {}), 'flag', (entry) => entry.flag)
  refuseUnknown(Object.keys(input.values ?? {}), 'option', (entry) => entry.name)
  const settings = new Map<string, Given>()
  for (const entry of OPTION_LIST) {
    const setting = find(entry, input)
    if (setting !== undefined) settings.set(entry.name, setting)
  }
  const labelOf = (name: string): string => settings.get(name)?.label ?? name
  const raw = Object.fromEntries([...settings].map(([name, { value }]) => [name, value]))
  const parsed = optionsSchema.safeParse(raw, PARSE_ONCE)
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) =>
      describeIssue({ ...issue, path: [labelOf(String(issue.path[0])), ...issue.path.slice(1)] }),
    )
    refuseOption('DN-VALUE', problems.join('; '))
  }
  refuseConflicts(parsed.data, labelOf)
  if (parsed.data.forkUrl === undefined) refuseForkOptions(parsed.data, [...settings.keys()], labelOf)
  refuseMissingInterval(parsed.data, labelOf)
  return parsed.data
}

function refuseMissingInterval(
  { mining, mixedMining, blockTime }: AllOptions,
  labelOf: (name: string) => string,
): void {
  const name = mixedMining ? 'mixedMining' : 'mining'
  if (blockTime !== undefined || !(mixedMining || mining === 'interval' || mining === 'mixed')) return
  const mode = mixedMining ? '' : `: ${mining}`
  refuseOption('DN-PAIR', `${labelOf(name)}${mode} needs the seconds, as --block-time 5`)
}

/** The answer to options of Anvil and of release 0.2.0 that this node lacks. */
const NO_PRUNING = '--keep-states <blocks> says how long the states after blocks are kept'

function refuseUnknown(names: readonly string[], what: string, nameOf: (entry: OptionEntry) => string): void {
  const known = OPTION_LIST.map(nameOf)
  const unknown = names.find((name) => !known.includes(name))
  if (unknown === undefined) return
  const asWritten = (name: string): string =>
    what === 'flag' ? `${name.length === 1 ? '-' : '--'}${name}` : name
  if (/^(prune-?history|max-?memory)$/i.test(unknown))
    refuseOption('DN-FLAG', `unknown ${what} ${asWritten(unknown)}: ${NO_PRUNING}`)
  const meant = what === 'option' ? optionOfFlag(unknown) : undefined
  const hint = meant === undefined ? didYouMean(unknown, known, asWritten) : `; did you mean ${meant}?`
  refuseOption('DN-FLAG', `unknown ${what} ${asWritten(unknown)}${hint}`)
}

/** A camel-case flag's option, as a program writes it. */
function optionOfFlag(name: string): string | undefined {
  const entry = OPTION_LIST.find(({ flag }) => flag.replaceAll('-', '') === name.toLowerCase())
  return entry?.form === 'off-switch' ? `${entry.name}: false` : entry?.name
}

function find(entry: OptionEntry, { flags, env, values }: GivenOptions): Given | undefined {
  const flag = flags?.[entry.flag]
  if (flag !== undefined) return externalValue(entry, flag, `--${entry.flag}`)
  const value = new Map<string, unknown>(Object.entries(values ?? {})).get(entry.name)
  if (value !== undefined) return { value, label: entry.name }
  for (const name of [entry.env, entry.otherEnv]) {
    const variable = name === undefined ? undefined : env?.[name]
    if (name !== undefined && variable !== undefined && variable !== '')
      return externalValue(entry, variable, name)
  }
  return undefined
}

/** A value given under the external name. For an off-switch it is the opposite of the option. */
function externalValue(entry: OptionEntry, value: unknown, label: string): Given {
  if (entry.form !== 'off-switch') return { value, label }
  const isOff = readSwitch(value)
  if (isOff !== undefined) return { value: !isOff, label }
  refuseOption('DN-VALUE', `${label}: expected true or false, got ${show(value)}`)
}

/** Whether an option has a value that asks for something. */
const isSet = (value: unknown): boolean =>
  value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0)

/** Pairs of options that contradict each other. Without a condition, setting both is the conflict. */
const CONFLICTS: readonly (readonly [
  keyof AllOptions,
  keyof AllOptions,
  ((options: AllOptions) => boolean)?,
])[] = [
  ['mnemonic', 'privateKeys'],
  ['accounts', 'privateKeys'],
  ['keystore', 'holdsKeys', (options) => options.keystore !== undefined && !options.holdsKeys],
  ['predeploys', 'noPredeploys'],
  ['blockTime', 'noMining'],
  ['mining', 'noMining', ({ mining, noMining }) => noMining && mining !== undefined && mining !== 'manual'],
  ['mixedMining', 'noMining'],
  [
    'mixedMining',
    'mining',
    ({ mining, mixedMining }) => mixedMining && mining !== undefined && mining !== 'mixed',
  ],
  [
    'blockTime',
    'mining',
    ({ blockTime, mining }) => blockTime !== undefined && ![undefined, 'interval', 'mixed'].includes(mining),
  ],
  ['state', 'loadState'],
  ['state', 'dumpState'],
  ['forkBlockNumber', 'forkTransaction'],
  ['forkUrl', 'number', ({ forkUrl, number }) => forkUrl !== undefined && number > 0n],
  [
    'forkBlockNumber',
    'number',
    ({ forkBlockNumber, number }) => forkBlockNumber !== undefined && number > 0n,
  ],
  ['allowUnlimitedContractSize', 'codeSizeLimit'],
  ['forkCache', 'noForkCache'],
  ['forkCacheOnly', 'noForkCache'],
  [
    'forkCacheOnly',
    'forkCache',
    ({ forkCacheOnly, forkCache }) => forkCacheOnly === true && forkCache === false,
  ],
  ['artifacts', 'noArtifacts'],
  ['explorer', 'explorerReadOnly', ({ explorer, explorerReadOnly }) => !explorer && explorerReadOnly],
  ['quiet', 'verbose'],
]

function refuseConflicts(options: AllOptions, labelOf: (name: string) => string): void {
  for (const [one, other, isConflict] of CONFLICTS) {
    if (!(isConflict?.(options) ?? (isSet(options[one]) && isSet(options[other])))) continue
    refuseOption('DN-PAIR', `${labelOf(one)} and ${labelOf(other)} exclude each other: give one of them`)
  }
}

/** Refuses options about a fork's block without its URL, and cache-only without a block. */
function refuseForkOptions(
  { forkCacheOnly, forkBlockNumber, forkTransaction, forkChainId }: AllOptions,
  names: readonly string[],
  labelOf: (name: string) => string,
): void {
  if (forkCacheOnly === true) {
    if ((forkBlockNumber ?? forkTransaction ?? forkChainId) !== undefined) return
    refuseOption(
      'DN-PAIR',
      `${labelOf('forkCacheOnly')} needs the block to continue from, as --fork-block-number 20000000`,
    )
  }
  const useless = names.find((name) => NEED_FORK_URL.includes(name))
  if (useless === undefined) return
  refuseOption(
    'DN-PAIR',
    `${labelOf(useless)} needs the URL of the chain to fork, as --fork-url http://127.0.0.1:8545`,
  )
}
