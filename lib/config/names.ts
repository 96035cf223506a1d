/** Names that a network chooses for itself, and the placeholders in declarations that are replaced by them. */

import * as z from 'zod'
import { matching } from './values.ts'

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
const OTHER_TRACERS = ['call', 'flatcall', 'noop', 'prestate']

const identifier = matching('a lower-case identifier such as "acme"', /^[a-z][a-z0-9]{0,31}$/)

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
    /** Name of the module `node_`, and prefix of members and tracers that begin with `node`. */
    module: moduleName.default(NEUTRAL_NAMES.module),
    /** Name of the auxiliary chain in members and methods: `aux` and `Aux`. */
    aux: identifier.default(NEUTRAL_NAMES.aux),
  })
  .readonly()

/** Members of results whose names contain a name of the network, by their neutral names in the schemas. */
const MEMBERS: Readonly<Record<string, string>> = {
  auxBlockchainBestChainHeight: '{aux}BlockchainBestChainHeight',
  auxMergedMiningCoinbaseTransaction: '{aux}MergedMiningCoinbaseTransaction',
  auxMergedMiningHeader: '{aux}MergedMiningHeader',
  auxMergedMiningMerkleProof: '{aux}MergedMiningMerkleProof',
  nodePteEdges: '{module}PteEdges',
  nodeTxsWaitingForSignatures: '{module}TxsWaitingForSignatures',
}

/** The text of a declaration with its placeholders `{module}`, `{aux}` and `{Aux}` replaced by the names of a network. */
export const filled = (text: string, { module, aux }: NetworkNames): string =>
  text.replaceAll('{module}', module).replaceAll('{aux}', aux).replaceAll('{Aux}', capitalized(aux))

/** A name as it begins a word within another name. */
export const capitalized = (name: string): string => `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`

/** Names of members, by other names of them. */
export type MemberNames = ReadonlyMap<string, string>

/** The names of the members in `MEMBERS` on a network. */
export const memberNames = (names: NetworkNames): MemberNames =>
  new Map(Object.entries(MEMBERS).map(([member, text]) => [member, filled(text, names)]))

export const isNeutral = ({ module, aux }: NetworkNames): boolean =>
  module === NEUTRAL_NAMES.module && aux === NEUTRAL_NAMES.aux

/** JSON with other names for members. Texts are data and stay unchanged, unless `ofText` changes them. */
export function renamed(
  value: unknown,
  names: MemberNames,
  ofText = (text: string): string => text,
): unknown {
  if (typeof value === 'string') return ofText(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item: unknown) => renamed(item, names, ofText))
  const members = Object.entries(value).map(([name, member]): [string, unknown] => [
    names.get(name) ?? name,
    renamed(member, names, ofText),
  ])
  return Object.fromEntries(members)
}
