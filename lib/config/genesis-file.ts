/** Reads a genesis file of geth (core/genesis.go) and applies it to a network. */

import { readFileSync } from 'node:fs'
import * as z from 'zod'
import { EMPTY_BYTES, ZERO_ADDRESS, bigIntToBytes } from '../base/hex.ts'
import { NodeError } from '../base/errors.ts'
import { MAX_UINT64 } from '../base/limits.ts'
import { forkAtGenesis } from './genesis-forks.ts'
import { describeIssues } from './issues.ts'
import type { Network } from './network.ts'
import type { Options } from './options.ts'
import type { GenesisAccount } from './predeploys.ts'
import { address, bytes, hash, quantityBetween, readable, show, uint64, uint256 } from './values.ts'

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
 * The network with the chain id, the hard fork and the genesis of a file. If the file lacks the chain id, the hard fork, the
 * gas limit or the base fee, that of the network is used; other missing members are zero, as in geth. Predeploys and system
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
