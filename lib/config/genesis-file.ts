/** Reads a genesis file of geth (core/genesis.go) and applies it to a network. */

import { readFileSync } from 'node:fs'
import * as z from 'zod'
import { EMPTY_BYTES, ZERO_ADDRESS, bigIntToBytes32 } from '../base/hex.ts'
import { trouble, type NodeError } from '../base/errors.ts'
import { MAX_UINT64 } from '../base/limits.ts'
import { HARDFORKS, type Hardfork } from './eips.ts'
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

/** A member that only consensus tests set: geth refuses values other than zero. */
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
  const refuse = (problem: string): NodeError => trouble('DN-GENESIS', `genesis file ${file}: ${problem}`)
  if (!network.sharesEthereumFormats)
    throw refuse(`${network.name} has another form of genesis (--network ethereum)`)
  const parsed = genesisFile.safeParse(readJson(file, refuse))
  if (!parsed.success) throw refuse(describeIssues(parsed.error.issues))
  const { config, ...genesis } = parsed.data
  const active = hardfork ?? forkAtGenesis(config, genesis, refuse)
  const chainId = config.chainId ?? network.chainId
  const gasLimit = genesis.gasLimit ?? network.genesis.gasLimit
  const initial = genesis.baseFeePerGas ?? undefined
  return {
    ...network,
    chainId,
    networkId: chainId,
    hardfork: active ?? network.hardfork,
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
      nonce: bigIntToBytes32(genesis.nonce).subarray(24),
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

/**
 * The newest fork that is active at block 0; no fork if the configuration (params/config.go) names none. Forks that are scheduled for
 * later are ignored: a chain of this node has one fork.
 */
function forkAtGenesis(
  config: Readonly<Record<string, unknown>>,
  { timestamp, difficulty }: Pick<z.output<typeof genesisFile>, 'timestamp' | 'difficulty'>,
  refuse: (problem: string) => NodeError,
): Hardfork | undefined {
  const members = Object.keys(config).filter((name) => /(Block|Time|^terminalTotalDifficulty)$/.test(name))
  if (members.length === 0) return undefined
  const times = members.filter((name) => name.endsWith('Time'))
  const active = times.filter((name) => isReached(config[name], timestamp))
  // Forks with the names bpo1, bpo2 and so on change nothing but the blob schedule (EIP-7892).
  const unknown = active.find(
    (name) => !HARDFORKS.some((fork) => name === `${fork}Time`) && !/^bpo\d+Time$/.test(name),
  )
  if (unknown !== undefined)
    throw refuse(`config.${unknown}: the newest hard fork known is ${HARDFORKS.at(-1)}`)
  const timed = HARDFORKS.findLast((fork) => active.includes(`${fork}Time`))
  if (timed !== undefined) return timed
  if (isReached(config['terminalTotalDifficulty'], difficulty) || isReached(config['mergeNetsplitBlock'], 0n))
    return 'paris'
  if (isReached(config['londonBlock'], 0n)) return 'london'
  throw refuse(
    `config.londonBlock: expected 0, got ${show(config['londonBlock'])}: the oldest hard fork known is london (--hardfork)`,
  )
}

/** Whether the value of a member is at most the point; false if the member is absent or not a number. */
function isReached(value: unknown, point: bigint): boolean {
  const whole = typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : readWhole(value)
  return whole !== undefined && whole <= point
}
