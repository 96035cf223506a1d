/** The nodes that are fuzzed: presets, dialects and mining modes. */

import type { OptionsInput } from '../lib/modules/options.ts'

/** A node to fuzz. */
export interface Setting {
  readonly name: string
  readonly options: OptionsInput
}

/** Gas with which calls run until their time is up. */
const ENDLESS_GAS = 2 ** 50

/** Milliseconds after which calls end. */
export const CALL_TIMEOUT_MS = 700

/** Bytes that an answer may have. */
export const ANSWER_LIMIT = 16 * 1024 * 1024

const COMMON: OptionsInput = {
  port: 0,
  quiet: true,
  noArtifacts: true,
  frozenTime: true,
  callTimeout: CALL_TIMEOUT_MS,
  callGasLimit: ENDLESS_GAS,
  answerLimit: ANSWER_LIMIT,
  filterTimeout: 1,
  worldLimit: 20,
  forkRetries: 0,
  forkTimeout: 500,
  forkCache: false,
}

const MINING = { blockGasLimit: 10_000_000 } as const

/** Every preset of importance, each dialect and each mining mode at least once. */
export const SETTINGS: readonly Setting[] = [
  { name: 'network-33', options: { ...COMMON, network: 'network-33' } },
  {
    name: 'ethereum prague',
    options: { ...COMMON, ...MINING, network: 'ethereum', hardfork: 'prague', dialect: 'hardhat' },
  },
  {
    name: 'ethereum osaka, manual',
    options: {
      ...COMMON,
      ...MINING,
      network: 'ethereum',
      hardfork: 'osaka',
      dialect: 'ethereum',
      mining: 'manual',
    },
  },
  {
    name: 'network-31, fifo',
    options: { ...COMMON, network: 'network-31', dialect: 'ethereum', order: 'fifo' },
  },
  {
    name: 'ethereum london, interval',
    options: {
      ...COMMON,
      ...MINING,
      network: 'ethereum',
      hardfork: 'london',
      dialect: 'ethereum',
      blockTime: 0.2,
    },
  },
  {
    name: 'network-33, impersonating',
    options: {
      ...COMMON,
      network: 'network-33',
      dialect: 'hardhat',
      autoImpersonate: true,
      systemTransaction: true,
    },
  },
]
