/** Names of a network, and the rule that replaces the neutral names in a text by them. */

import * as z from 'zod'
import { readable } from './values.ts'

/** Replacements of the neutral names. */
export type NetworkNames = z.output<typeof networkNames>

/** Default names: those of the service specification. */
export const NEUTRAL_NAMES = { module: 'node', aux: 'aux' } as const

/** Modules of the node whose names are fixed. */
export const OTHER_MODULES: readonly string[] =
  'anvil debug dev erigon eth evm ganache hardhat miner mnr net ots personal rpc sco tenderly trace txpool web3'.split(
    ' ',
  )

/** Prefixes of the tracers whose names are fixed; letter case is ignored. */
const OTHER_TRACERS = ['call', 'flatcall', 'mux', 'noop', 'prestate']

const IDENTIFIER = /^[a-z][a-z0-9]{0,31}$/

const identifier = readable<string, string>('a lower-case identifier such as "acme"', (given) =>
  typeof given === 'string' && IDENTIFIER.test(given) ? given : undefined,
)

const moduleName = identifier
  .refine((name) => !OTHER_MODULES.includes(name), {
    error: ({ input }) => `${String(input)} is another module`,
  })
  .refine((name) => !OTHER_TRACERS.includes(name), {
    error: ({ input }) => `${String(input)}Tracer is another tracer`,
  })

/** Schema of the names in a preset; missing names stay neutral. */
export const networkNames = z
  .strictObject({
    /** Prefix of the module `node_`, and of members and values that begin with `node`. */
    module: moduleName.default(NEUTRAL_NAMES.module),
    /** Name of the auxiliary chain in members and methods: `aux` and `Aux`. */
    aux: identifier.default(NEUTRAL_NAMES.aux),
  })
  .readonly()

/**
 * Matches neutral names in a text: `node_` and `node` before a capital, `aux` and `Aux` as a word or before a capital.
 * The words "node" and "auxiliary" themselves are not replaced.
 */
const NAME = /\bnode(?=_[a-z]|[A-Z])|\baux(?=[A-Z]|\b)|Aux(?=[A-Z]|\b)/g

/** A text with the neutral names replaced by those of a network. */
export function named(names: NetworkNames, text: string): string {
  return text.replace(NAME, (name) => {
    if (name === 'node') return names.module
    return name === 'aux' ? names.aux : `${names.aux.slice(0, 1).toUpperCase()}${names.aux.slice(1)}`
  })
}

/** Whether a network has no names of its own. */
export function isNeutral({ module, aux }: NetworkNames): boolean {
  return module === NEUTRAL_NAMES.module && aux === NEUTRAL_NAMES.aux
}
