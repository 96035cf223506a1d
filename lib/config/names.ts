/** The names a network goes by, and the rule that puts them in the place of the neutral ones in a text. */

import * as z from 'zod'
import { readable } from './values.ts'

/** What stands in the place of the neutral names. */
export type NetworkNames = z.output<typeof networkNames>

/** Names of a network that has none of its own: those of the service specification. */
export const NEUTRAL_NAMES = { module: 'node', aux: 'aux' } as const

/** Modules the node has besides the one that can be named. */
export const OTHER_MODULES: readonly string[] =
  'anvil debug dev erigon eth evm ganache hardhat miner mnr net ots personal rpc sco tenderly trace txpool web3'.split(
    ' ',
  )

/** Beginnings of the names of tracers, which are read in any case, besides the one that can be named. */
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

/** Schema of the names in a preset; what is left out stays neutral. */
export const networkNames = z
  .strictObject({
    /** Prefix of the module `node_`, and of members and values that begin with `node`. */
    module: moduleName.default(NEUTRAL_NAMES.module),
    /** Name of the auxiliary chain in members and methods: `aux` and `Aux`. */
    aux: identifier.default(NEUTRAL_NAMES.aux),
  })
  .readonly()

/**
 * Where a text names the network: `node_` and `node` before a capital, `aux` and `Aux` as a word or before a capital.
 * A node, and what is auxiliary, are ordinary words.
 */
const NAME = /\bnode(?=_[a-z]|[A-Z])|\baux(?=[A-Z]|\b)|Aux(?=[A-Z]|\b)/g

/** A text with the names of a network in the place of the neutral ones. */
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
