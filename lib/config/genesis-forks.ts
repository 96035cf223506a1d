/** Finds the hard fork at block 0 in a chain configuration of geth (params/config.go). */

import { HARDFORKS } from './hardfork.ts'
import type { Hardfork } from './hardfork.ts'
import { readWhole, show } from './values.ts'

/** A chain configuration: members of the file by name. */
export type ChainConfig = Readonly<Record<string, unknown>>

/** Fields of the genesis that decide which forks are active at block 0. */
export interface GenesisPoint {
  readonly timestamp: bigint
  readonly difficulty: bigint
}

/** A hard fork, or a sentence on the unsupported member of the configuration. */
export type ForkResult = { readonly hardfork: Hardfork | undefined } | { readonly problem: string }

/** Forks by the member that holds their time. */
const FORK_BY_TIME: Readonly<Record<string, Hardfork>> = {
  shanghaiTime: 'shanghai',
  cancunTime: 'cancun',
  pragueTime: 'prague',
  osakaTime: 'osaka',
}

/**
 * The newest fork that is active at block 0; no fork if the configuration names none. Forks that are scheduled for
 * later are ignored: a chain of this node has one fork.
 */
export function forkAtGenesis(config: ChainConfig, { timestamp, difficulty }: GenesisPoint): ForkResult {
  const members = Object.keys(config).filter((name) => /(Block|Time|^terminalTotalDifficulty)$/.test(name))
  if (members.length === 0) return { hardfork: undefined }
  const times = members.filter((name) => name.endsWith('Time'))
  const active = times.filter((name) => isReached(config[name], timestamp))
  const unknown = active.find((name) => FORK_BY_TIME[name] === undefined && !isBlobSchedule(name))
  if (unknown !== undefined) return { problem: `config.${unknown}: the newest hard fork known is osaka` }
  const timed = HARDFORKS.findLast((fork) => active.some((name) => FORK_BY_TIME[name] === fork))
  if (timed !== undefined) return { hardfork: timed }
  if (isMerged(config, difficulty)) return { hardfork: 'paris' }
  if (isReached(config['londonBlock'], 0n)) return { hardfork: 'london' }
  return {
    problem: `config.londonBlock: expected 0, got ${show(config['londonBlock'])}: the oldest hard fork known is london (--hardfork)`,
  }
}

/** Times of forks that change nothing but the blob schedule (EIP-7892). */
const isBlobSchedule = (name: string): boolean => /^bpo\d+Time$/.test(name)

function isMerged(config: ChainConfig, difficulty: bigint): boolean {
  return (
    isReached(config['terminalTotalDifficulty'], difficulty) || isReached(config['mergeNetsplitBlock'], 0n)
  )
}

/** Whether the value of a member is at most the point; false if the member is absent or not a number. */
function isReached(value: unknown, point: bigint): boolean {
  const whole = typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : readWhole(value)
  return whole !== undefined && whole <= point
}
