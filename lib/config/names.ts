/** The names a network goes by on the wire. What they replace, and where, is in rpc/names.ts. */

import * as z from 'zod'
import { readable } from './values.ts'

/** What stands in the place of the neutral names. */
export type NetworkNames = z.output<typeof networkNames>

/** Names of a network that has none of its own: those of the service specification. */
export const NEUTRAL_NAMES = { module: 'node', aux: 'aux' } as const

/** Modules the node has besides the one that can be named. */
export const OTHER_MODULES: readonly string[] =
  'anvil debug erigon eth evm ganache hardhat miner mnr net ots personal rpc sco tenderly trace txpool web3'.split(
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
