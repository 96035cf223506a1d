/** Makes the node's network, a preset with the options applied, and the networks of worlds that use another one. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import { refuseOption } from '../base/errors.ts'
import { activeEips, checkEips } from './active-eips.ts'
import { withGenesisFile } from './genesis-file.ts'
import { loadNetwork, type AccountSource, type Network } from './network.ts'
import type { NetworkKind } from './network-kind.ts'
import { genesisAccount, type GenesisAccount } from './network-schema.ts'
import type { Options } from './options.ts'
import { findPackage } from './package.ts'
import { PARSE_ONCE } from './values.ts'

declare module './network-kind.ts' {
  interface NetworkKind {
    /** What a module's options change in a network of this or another kind. @throws NodeError 'invalidOption' */
    appliedOptions?(network: Network, options: Options): Partial<Network>
    /** Replaces the module's options that describe the default chain. */
    readonly ofDefaultChain?: Readonly<Record<string, unknown>>
  }
}

/** Default balance of accounts in wei: 10,000 coins. */
const DEFAULT_BALANCE = 10n ** 22n

/** Derivation path of other development nodes (BIP-44). */
const DEFAULT_PATH = "m/44'/60'/0'/0"

/**
 * Loads the network of the option `network` and applies the other options to it.
 * @throws NodeError 'invalidOption' for an unknown network or an option that the network does not have.
 */
export function resolveNetwork(options: Options, kinds: readonly NetworkKind[]): Network {
  const preset = presetOf(options, kinds)
  const hardfork = options.hardfork ?? preset.hardfork
  const forked = { ...preset, hardfork, ...preset.kind.traits(hardfork) }
  checkEips(preset.name, forked)
  const { transactionTypes } = activeEips(forked)
  const chainId = options.chainId ?? preset.chainId
  const resolved: Network = {
    ...forked,
    chainId,
    networkId: options.networkId ?? networkIdUnder(chainId, preset),
    ...resolveGas(preset, options),
    ...resolveCodeSize(preset, options),
    port: options.port ?? preset.port,
    dialect: options.dialect ?? preset.dialect,
    transactionTypes: preset.transactionTypes.filter((type) => transactionTypes.has(type)),
    accounts: resolveAccounts(preset.accounts, options),
    coinbase: options.coinbase ?? preset.coinbase,
    baseFee: resolveBaseFee(preset, options),
  }
  return kinds.reduce<Network>(
    (network, kind) => ({ ...network, ...kind.appliedOptions?.(network, options) }),
    resolved,
  )
}

/** The network of the option `network`, or the default one, with the genesis file applied. */
function presetOf(options: Options, kinds: readonly NetworkKind[]): Network {
  const { genesis, network } = options
  if (genesis === undefined) return loadNetwork(network ?? 'network-33', kinds)
  return withGenesisFile(loadNetwork(network ?? 'ethereum', kinds), genesis, options)
}

/** Network id for a chain id: the chain id itself if the network uses one number for both, as most do. */
export function networkIdUnder(
  chainId: bigint,
  { chainId: own, networkId }: Pick<Network, 'chainId' | 'networkId'>,
): bigint {
  return networkId === own ? chainId : networkId
}

/**
 * Gas values from the options apply from the first block on and do not change. If the options set the gas limit, blocks
 * have no sub-lists: a transaction can use the whole block, and calls and estimates that fit into a block are allowed.
 */
function resolveGas(preset: Network, { blockGasLimit, callGasLimit, ...options }: Options) {
  const minimum = blockGasLimit ?? 0n
  return {
    blockGasLimit: blockGasLimit ?? preset.blockGasLimit,
    sequentialGas: blockGasLimit === undefined ? preset.sequentialGas : undefined,
    callGasCap: callGasLimit ?? larger(preset.callGasCap, minimum),
    estimateGasCap: larger(preset.estimateGasCap, minimum),
    defaultGas: options.defaultGas ?? preset.defaultGas,
    // If the minimum moves from block to block, the option sets its target.
    ...(preset.minimumGasPriceTarget === undefined
      ? { minimumGasPrice: options.minimumGasPrice ?? preset.minimumGasPrice }
      : { minimumGasPriceTarget: options.minimumGasPrice ?? preset.minimumGasPriceTarget }),
    genesis: {
      ...preset.genesis,
      gasLimit: blockGasLimit ?? preset.genesis.gasLimit,
      timestamp: resolveTimestamp(options.genesisTimestamp, options.number) ?? preset.genesis.timestamp,
      accounts: [...resolvePredeploys(preset, options), ...preset.genesis.accounts],
    },
  }
}

/** Time of block 0: the blocks up to the first one of the option `number` are a second apart. */
function resolveTimestamp(time: bigint | undefined, number: bigint): bigint | undefined {
  if (time === undefined || time >= number) return time && time - number
  refuseOption(
    'DN-RULES',
    `number ${number}: with the genesis timestamp ${time}, the blocks before it would be older than 1970`,
  )
}

function resolveCodeSize({ maxCodeSize, maxInitCodeSize }: Network, { codeSizeLimit }: Options) {
  if (codeSizeLimit === undefined) return { maxCodeSize, maxInitCodeSize }
  return { maxCodeSize: codeSizeLimit, maxInitCodeSize: 2 * codeSizeLimit }
}

/** The predeployed contracts, except those whose address the genesis uses for another account. */
function resolvePredeploys(
  { predeploys, genesis }: Network,
  options: Pick<Options, 'predeploys' | 'noPredeploys'>,
): readonly GenesisAccount[] {
  const choice = !options.noPredeploys && (options.predeploys ?? predeploys)
  if (choice === false) return []
  const taken = new Set(genesis.accounts.map(({ address }) => address))
  const files = choice === 'erc4337' ? ['predeploys.json', 'predeploys-erc4337.json'] : ['predeploys.json']
  return files.flatMap(loadPredeploys).filter(({ address }) => !taken.has(address))
}

const predeploysSchema = z.array(genesisAccount).readonly()

function loadPredeploys(name: string): readonly GenesisAccount[] {
  const file = join(findPackage().folder, 'fixtures', name)
  return predeploysSchema.parse(JSON.parse(readFileSync(file, 'utf8')), PARSE_ONCE)
}

export const larger = (one: bigint, other: bigint): bigint => (one > other ? one : other)

function resolveBaseFee(preset: Network, { baseFee }: Options): Network['baseFee'] {
  if (baseFee === undefined) return preset.baseFee
  if (preset.baseFee !== false) return { ...preset.baseFee, initial: baseFee }
  refuseOption('DN-RULES', `base fee ${baseFee.toString()}: blocks of ${preset.name} have no base fee`)
}

/** The funded accounts: from private keys or a mnemonic in the options, or a chosen number of the preset's accounts. */
function resolveAccounts(preset: AccountSource, options: Options): AccountSource {
  const balance = options.balance ?? balanceOf(preset)
  if (options.privateKeys.length > 0) {
    return { source: 'keys', keys: options.privateKeys.map((privateKey) => ({ privateKey, balance })) }
  }
  if (options.mnemonic !== undefined) {
    const path = preset.source === 'mnemonic' ? preset.path : DEFAULT_PATH
    const count = options.accounts ?? (preset.source === 'keys' ? 10 : preset.count)
    return { source: 'mnemonic', mnemonic: options.mnemonic, path, count, balance }
  }
  if (preset.source === 'keys') return resolveKeys(preset.keys, options)
  return { ...preset, count: options.accounts ?? preset.count, balance }
}

const balanceOf = (preset: AccountSource): bigint =>
  preset.source === 'keys' ? (preset.keys[0]?.balance ?? DEFAULT_BALANCE) : preset.balance

type Keys = Extract<AccountSource, { source: 'keys' }>['keys']

function resolveKeys(keys: Keys, { accounts = keys.length, balance }: Options): AccountSource {
  if (accounts > keys.length) {
    refuseOption('DN-KEYS', `accounts ${accounts}: the network has ${keys.length} keys`)
  }
  const chosen = keys.slice(0, accounts)
  return { source: 'keys', keys: chosen.map((key) => ({ ...key, balance: balance ?? key.balance })) }
}

/** Members of a world's network that replace those of its node. */
export type WorldNetwork = Partial<Pick<Options, 'network' | 'hardfork' | 'chainId'>>

/** Replaces options that describe the default chain or that some networks reject. */
export const otherChains = (kinds: readonly NetworkKind[]): Partial<Options> =>
  kinds.reduce<Partial<Options>>((others, kind) => ({ ...others, ...kind.ofDefaultChain }), OF_DEFAULT_CHAIN)

const OF_DEFAULT_CHAIN = {
  network: undefined,
  genesis: undefined,
  hardfork: undefined,
  chainId: undefined,
  networkId: undefined,
  baseFee: undefined,
  number: 0n,
} satisfies Partial<Options>

/**
 * The network of a world: a preset with the options that fit every network, or the node's network with another hard fork or chain
 * id. It keeps the node's accounts. @throws NodeError 'invalidOption'
 */
export function networkOfWorld(
  own: WorldNetwork,
  {
    options,
    network,
    kinds,
  }: { readonly options: Options; readonly network: Network; readonly kinds: readonly NetworkKind[] },
): Network {
  const { hardfork = network.hardfork, chainId = network.chainId } = own
  const networkId = own.chainId === undefined ? options.networkId : undefined
  // The node's network may be that of a remote chain.
  const likeNode = { network: options.network ?? network.name, hardfork, chainId, networkId, number: 0n }
  const members = own.network === undefined ? likeNode : { ...otherChains(kinds), ...own }
  return { ...resolveNetwork({ ...options, ...members }, kinds), accounts: network.accounts }
}
