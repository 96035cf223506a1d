/** Schemas of values of options only: switches, lists, coins, durations. Schemas shared with presets are in values.ts. */

import * as z from 'zod'
import type { Address, Hex } from '../base/hex.ts'
import { LAST_TIME, MAX_UINT256 } from '../base/limits.ts'
import { address, quantityBetween, readable, readPrivateKey, readWhole, show } from './values.ts'

const YES = ['true', '1', 'yes', 'on']
const NO = ['false', '0', 'no', 'off']

/** Reads a switch; a flag without a value arrives as true. */
export function readSwitch(given: unknown): boolean | undefined {
  if (typeof given === 'boolean') return given
  if (typeof given !== 'string') return undefined
  const word = given.trim().toLowerCase()
  if (YES.includes(word)) return true
  return NO.includes(word) ? false : undefined
}

export const onOff = readable<boolean | string, boolean>('true or false', readSwitch)

/** Reads a list, given as text with commas, as several values, or as both. */
function readList(given: unknown): readonly string[] | undefined {
  const parts: readonly unknown[] = Array.isArray(given) ? given : [given]
  const items: string[] = []
  for (const part of parts) {
    if (typeof part !== 'string') return undefined
    items.push(...part.split(',').map((item) => item.trim()))
  }
  return items.every((item) => item !== '') ? items : undefined
}

type ListInput = string | readonly string[]

export const textList = readable<ListInput, readonly string[]>(
  'one or more values with commas between',
  readList,
)

export const privateKeyList = readable<ListInput, readonly Hex[]>(
  'one or more private keys of 32 bytes as hex, with commas between',
  (given) => {
    const keys = readList(given)?.map(readPrivateKey)
    return keys?.every((key) => key !== undefined) ? keys : undefined
  },
  () => show('...'),
)

const DECIMALS = 18

/** An amount of coins, with decimals, read into wei. A bigint is in wei already: resolved options can be resolved again. */
export const coins = readable<string | number | bigint, bigint>(
  'an amount of coins, with at most 18 decimals, of less than 2^256 wei',
  (given) => {
    if (typeof given === 'bigint') return readWhole(given)
    const match = /^(\d+)(?:\.(\d{1,18}))?$/.exec(typeof given === 'number' ? String(given) : readText(given))
    if (match === null) return undefined
    const wei = BigInt(`${match[1] ?? ''}${(match[2] ?? '').padEnd(DECIMALS, '0')}`)
    return wei <= MAX_UINT256 ? wei : undefined
  },
)

const readText = (given: unknown): string => (typeof given === 'string' ? given.trim() : '')

/** Seconds of a day: longer durations are usually in the wrong unit. */
const MAX_SECONDS = 86_400

/** A duration in seconds, fractions allowed, at least a millisecond. */
export const seconds = readable<string | number, number>(
  `a number of seconds from 0.001 to ${MAX_SECONDS}`,
  (given) => {
    const isPlain =
      typeof given === 'number' || (typeof given === 'string' && /^\s*\d+(\.\d+)?\s*$/.test(given))
    const span = isPlain ? Number(given) : Number.NaN
    return span >= 0.001 && span <= MAX_SECONDS ? span : undefined
  },
)

const balance = z.tuple([address, coins])

/** Predeployed contracts: on or off, or on with the entry points of ERC-4337. */
export const predeployChoice = readable<boolean | string, boolean | 'erc4337'>(
  'true, false, or erc4337',
  (given) => (given === 'erc4337' ? given : readSwitch(given)),
)

/** Accounts with coins as "address:coins"; read into wei by address. A map has been read already. */
export const balanceList = readable<ListInput | ReadonlyMap<Address, bigint>, ReadonlyMap<Address, bigint>>(
  'addresses with coins of less than 2^256 wei, as 0x...:1000, with commas between',
  (given) => {
    const pairs = given instanceof Map ? [...given] : readList(given)?.map((one) => one.split(':'))
    const read = z.array(balance).safeParse(pairs)
    return read.success ? new Map(read.data) : undefined
  },
)

export const unixTime = quantityBetween(0n, LAST_TIME, 'a Unix time in seconds')

/** A frozen clock: on or off, or the Unix time that it shows. */
export const frozenClock = readable<boolean | string | number | bigint, boolean | bigint>(
  'nothing, false, or a Unix time in seconds',
  (given) => {
    const time = readWhole(given)
    // 0 and 1 are times here, not off and on.
    if (time === undefined) return readSwitch(given)
    return time <= LAST_TIME ? time : undefined
  },
)

/** A gas report: on or off, or the path of the file to write it to. */
export const reportFile = readable<boolean | string, boolean | string>(
  'nothing, false, or the path of a file',
  (given) => readSwitch(given) ?? (readText(given) || undefined),
)

export const gasOrEstimate = readable<string | number | bigint, bigint | 'estimate'>(
  'an amount of gas, or "estimate"',
  (given) => (given === 'estimate' ? given : readWhole(given)),
)

const MINING_KINDS = ['instant', 'interval', 'mixed', 'manual', 'external'] as const

/** A mining mode; programs may also give true for instant and false for manual. */
export const miningKind = readable<(typeof MINING_KINDS)[number] | boolean, (typeof MINING_KINDS)[number]>(
  `one of ${MINING_KINDS.join(', ')}`,
  (given) => {
    if (typeof given === 'boolean') return given ? 'instant' : 'manual'
    return MINING_KINDS.find((kind) => kind === given)
  },
)

export const STATE_PARTS = ['blocks', 'transactions', 'receipts', 'snapshots', 'keystore'] as const

export const statePartList = readable<ListInput, readonly (typeof STATE_PARTS)[number][]>(
  `some of ${STATE_PARTS.join(', ')}, with commas between`,
  (given) => {
    const wanted = readList(given)
    const known = STATE_PARTS.filter((part) => wanted?.includes(part))
    return known.length === wanted?.length ? known : undefined
  },
)
