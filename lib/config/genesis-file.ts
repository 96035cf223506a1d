/** Reads a genesis file of geth (core/genesis.go) and applies it to a network. */

import { readFileSync } from 'node:fs'
import * as z from 'zod'
import { EMPTY_BYTES, ZERO_ADDRESS, bigIntToBytes } from '../base/hex.ts'
import { NodeError } from '../base/errors.ts'
import { MAX_UINT64 } from '../base/limits.ts'
import { HARDFORKS } from './hardfork.ts'
import type { Hardfork } from './hardfork.ts'
import { describeIssues } from './issues.ts'
import type { Network } from './network.ts'
import type { Options } from './options.ts'
import type { GenesisAccount } from './network-schema.ts'
import {
  address,
  bytes,
  hash,
  quantityBetween,
  readable,
  readWhole,
  show,
  uint64,
  uint256,
} from './values.ts'

/** Reads hex of up to 32 bytes, with or without prefix. */
function readWord(given: unknown): bigint | undefined {
  if (typeof given !== 'string' || !/^(0x)?[0-9a-fA-F]{1,64}$/.test(given)) return undefined
  return BigInt(given.startsWith('0x') ? given : `0x${given}`)
}

const word = readable<string, bigint>('up to 32 bytes as hex', readWord)

/** A member that only consensus tests set: geth starts no chain with a value other than zero. */
const zero = quantityBetween(0n, 0n, 'a whole number').nullish()

const storage = z.record(z.string(), word).transform((slots, context): ReadonlyMap<bigint, bigint> => {
  const entries = Object.entries(slots).map(([name, value]): [bigint, bigint] => {
    const slot = readWord(name)
    if (slot === undefined) context.addIssue(`expected slots of up to 32 bytes as hex, got ${show(name)}`)
    return [slot ?? 0n, value]
  })
  return new Map(entries)
})

const account = z.object({
  balance: uint256.default(0n),
  nonce: uint64.default(0n),
  code: bytes.default(EMPTY_BYTES),
  storage: storage.default(new Map()),
})

const alloc = z.record(z.string(), account).transform((accounts, context): readonly GenesisAccount[] => {
  return Object.entries(accounts).flatMap(([name, content]) => {
    const parsed = address.safeParse(name.startsWith('0x') ? name : `0x${name}`)
    if (parsed.success) return [{ address: parsed.data, ...content }]
    context.addIssue(`expected addresses of 20 bytes as hex, got ${show(name)}`)
    return []
  })
})

const genesisFile = z.object({
  config: z
    .looseObject({ chainId: quantityBetween(1n, BigInt(Number.MAX_SAFE_INTEGER)).optional() })
    .default({}),
  nonce: uint64.default(0n),
  timestamp: uint64.default(0n),
  extraData: bytes.default(EMPTY_BYTES),
  gasLimit: quantityBetween(1n, MAX_UINT64).optional(),
  difficulty: uint256.default(0n),
  mixHash: hash.optional(),
  coinbase: address.default(ZERO_ADDRESS),
  baseFeePerGas: uint256.nullish(),
  alloc,
  number: zero,
  gasUsed: zero,
  excessBlobGas: zero,
  blobGasUsed: zero,
  parentHash: readable<string, bigint>('32 zero bytes', (given) =>
    readWord(given) === 0n ? 0n : undefined,
  ).nullish(),
})

/**
 * The network with the chain id, the hard fork and the genesis of a file. A missing chain id, hard fork,
 * gas limit or base fee is taken from the network; other missing members are zero, as in geth. Predeploys and system
 * contracts are not added: the file lists all contracts.
 * @throws NodeError 'invalidOption' that names the file and the member.
 */
export function withGenesisFile(
  network: Network,
  file: string,
  { hardfork }: Pick<Options, 'hardfork'>,
): Network {
  const refuse = (problem: string): NodeError =>
    new NodeError('invalidOption', `genesis file ${file}: ${problem}`)
  if (!network.sharesEthereumFormats)
    throw refuse(`${network.name} has another form of genesis (--network ethereum)`)
  const parsed = genesisFile.safeParse(readJson(file, refuse))
  if (!parsed.success) throw refuse(describeIssues(parsed.error.issues))
  const { config, ...genesis } = parsed.data
  const found = hardfork === undefined ? forkAtGenesis(config, genesis) : { hardfork }
  if ('problem' in found) throw refuse(found.problem)
  const chainId = config.chainId ?? network.chainId
  const gasLimit = genesis.gasLimit ?? network.genesis.gasLimit
  const initial = genesis.baseFeePerGas ?? undefined
  return {
    ...network,
    chainId,
    networkId: chainId,
    hardfork: found.hardfork ?? network.hardfork,
    blockGasLimit: gasLimit,
    predeploys: false,
    callGasCap: network.callGasCap > gasLimit ? network.callGasCap : gasLimit,
    estimateGasCap: network.estimateGasCap > gasLimit ? network.estimateGasCap : gasLimit,
    baseFee: initial === undefined ? network.baseFee : { initial },
    genesis: {
      timestamp: genesis.timestamp,
      difficulty: genesis.difficulty,
      gasLimit,
      coinbase: genesis.coinbase,
      extraData: genesis.extraData,
      mixHash: genesis.mixHash,
      nonce: eightBytes(genesis.nonce),
      accounts: genesis.alloc,
      systemContracts: false,
    },
  }
}

function readJson(file: string, refuse: (problem: string) => NodeError): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw refuse(`it cannot be read as JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function eightBytes(value: bigint): Uint8Array {
  const bytes = bigIntToBytes(value)
  const padded = new Uint8Array(8)
  padded.set(bytes, 8 - bytes.length)
  return padded
}

/** The chain configuration of a genesis file (params/config.go): its members by name. */
type ChainConfig = Readonly<Record<string, unknown>>

/** Fields of the genesis that decide which forks are active at block 0. */
interface GenesisPoint {
  readonly timestamp: bigint
  readonly difficulty: bigint
}

/** A hard fork, or a sentence on the unsupported member of the configuration. */
type ForkResult = { readonly hardfork: Hardfork | undefined } | { readonly problem: string }

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
function forkAtGenesis(config: ChainConfig, { timestamp, difficulty }: GenesisPoint): ForkResult {
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
