/** Warns about settings in a Hardhat config that the node does not support. */

import { didYouMean } from '../../config/nearest.ts'
import { OPTION_NAMES } from '../../config/option-names.ts'

const OF_HARDFORK = 'the rules are those of the hard fork'

/** The unsupported settings by name, and what applies instead. */
const IGNORED: Readonly<Record<string, string>> = {
  chains: OF_HARDFORK,
  enableTransientStorage: OF_HARDFORK,
  enableRip7212: OF_HARDFORK,
  transactionGasCap: OF_HARDFORK,
  gasEstimationMode: 'an estimate is the least gas with which the transaction succeeds',
}

const BEFORE_LONDON =
  /^(chainstart|frontier|homestead|dao|tangerineWhistle|spuriousDragon|byzantium|constantinople|petersburg|istanbul|muirGlacier|berlin)$/

const printed = new Set<string>()

/** Prints a sentence about each of the user's unsupported settings, once per process. */
export function warnOfIgnored(
  network: string,
  { hardfork, ...others }: Readonly<Record<string, unknown>>,
): void {
  const sentences = Object.entries(IGNORED)
    .filter(([name]) => others[name] !== undefined)
    .map(([name, instead]) => `${name} has no effect: ${instead}`)
  if (BEFORE_LONDON.test(String(hardfork)))
    sentences.push(`hardfork: london, not ${String(hardfork)}, is the oldest`)
  for (const sentence of sentences.map((text) => `dev-node: networks.${network}.${text}`)) {
    if (!printed.has(sentence)) console.warn(sentence)
    printed.add(sentence)
  }
}

/** A sentence about an unknown option; undefined if all exist. Their values are checked when the node starts. */
export function unknownOption(options: object): string | undefined {
  const unknown = Object.keys(options).find((name) => !OPTION_NAMES.includes(name))
  return unknown && `unknown option ${unknown}${didYouMean(unknown, OPTION_NAMES)}`
}
