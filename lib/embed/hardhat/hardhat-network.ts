/** Translates the settings of the network `hardhat` in a Hardhat config into options of a node and its first requests. */

import type { createHardhatNetworkProvider } from 'hardhat/internal/hardhat-network/provider/provider.js'
import { refuseOption } from '../../base/errors.ts'
import { HARDFORKS } from '../../config/eips.ts'
import { OPTION_LIST, type AllOptions, type OptionsInput } from '../../modules/options.ts'
import { resolveOptions } from '../../modules/resolve-options.ts'
import { withCacheFolder } from '../../fork/cache-folder.ts'

/** Settings of the network `hardhat` as Hardhat 2 passes them to its provider: defaults filled in, keys derived. */
export type HardhatNetwork = Readonly<
  Omit<
    Parameters<typeof createHardhatNetworkProvider>[0],
    'chains' | 'enableRip7212' | 'enableTransientStorage' | 'forkCachePath' | 'mempoolOrder' | 'networkId'
  >
> & {
  readonly mempoolOrder: string
  /** The chain id by default. */
  readonly networkId?: number
}

export type HardhatFork = NonNullable<HardhatNetwork['forkConfig']>

/** Settings that networks other than Ethereum determine themselves. */
const RULES = [
  'chainId',
  'networkId',
  'hardfork',
  'blockGasLimit',
  'defaultGas',
  'minimumGasPrice',
  'baseFee',
]

/** Options that a mnemonic or a number of accounts replaces. */
const KEYS = ['privateKeys', 'accounts']

/**
 * Options of a node for the network. Environment variables override its settings, and other options override both. @throws
 * NodeError 'invalidOption'
 */
export function hardhatOptions(
  network: HardhatNetwork,
  options: OptionsInput,
  env: Readonly<Record<string, string | undefined>>,
): AllOptions {
  const named = OPTION_LIST.filter(({ env: variable }) => env[variable]).map(({ name }) => name)
  const own = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
  const given = new Set<string>([...named, ...Object.keys(own)])
  const isOwn = (options.network ?? env['DEV_NODE_NETWORK'] ?? 'ethereum') !== 'ethereum'
  const left = [...(isOwn ? RULES : []), ...(given.has('mnemonic') || given.has('accounts') ? KEYS : [])]
  const settings = Object.entries(nodeOptions(network)).filter(
    ([name]) => !given.has(name) && !left.includes(name),
  )
  const resolved = resolveOptions({ values: { ...Object.fromEntries(settings), ...own }, env })
  if (resolved.faithful)
    refuseOption(
      'DN-PAIR',
      `faithful: Hardhat's own network needs methods that the reference node lacks; run dev-node exec --faithful -- npx hardhat test --network localhost`,
    )
  return withCacheFolder(resolved, env)
}

export function nodeOptions(network: HardhatNetwork): OptionsInput {
  const { hardfork, genesisAccounts, initialBaseFeePerGas, initialDate, coinbase, forkConfig } = network
  const fork = forkConfig === undefined ? {} : forkOptions(forkConfig)
  return {
    network: 'ethereum',
    dialect: 'hardhat',
    port: 0,
    chainId: network.chainId,
    networkId: network.networkId ?? network.chainId,
    // Hard forks before London run with London's rules.
    hardfork: hardfork === 'merge' ? 'paris' : (HARDFORKS.find((known) => known === hardfork) ?? 'london'),
    blockGasLimit: network.blockGasLimit,
    // As in Hardhat, a request without gas gets the maximum of a transaction (EIP-7825), and is mined even if it fails.
    defaultGas: Math.min(network.blockGasLimit, 2 ** 24),
    privateKeys: genesisAccounts.map(({ privateKey }) => privateKey),
    ...(genesisAccounts[0] === undefined ? { accounts: 0 } : { balance: BigInt(genesisAccounts[0].balance) }),
    order: network.mempoolOrder === 'fifo' ? 'fifo' : 'fees',
    allowUnlimitedContractSize: network.allowUnlimitedContractSize,
    allowSameTimestamp: network.allowBlocksWithSameTimestamp,
    returnHashOnRevert: !network.throwOnTransactionFailures,
    minimumGasPrice: network.minGasPrice,
    ...(initialBaseFeePerGas === undefined ? {} : { baseFee: initialBaseFeePerGas }),
    ...(initialDate === undefined ? {} : { genesisTimestamp: Math.floor(initialDate.getTime() / 1000) }),
    ...(coinbase === undefined ? {} : { coinbase }),
    ...fork,
  }
}

function forkOptions({ jsonRpcUrl, blockNumber, httpHeaders = {} }: HardhatFork): OptionsInput {
  const forkHeaders = Object.entries(httpHeaders).map(([name, value]) => `${name}: ${value}`)
  return {
    forkUrl: jsonRpcUrl,
    forkHeaders,
    ...(blockNumber === undefined ? {} : { forkBlockNumber: blockNumber }),
  }
}

type Request = readonly [method: string, ...params: unknown[]]

/** Requests for settings that no option covers, sent at the start. */
export function firstRequests(network: HardhatNetwork, addresses: readonly string[]): readonly Request[] {
  const { automine, intervalMining, initialDate } = network
  return [
    ...balanceRequests(network, addresses),
    ...(automine ? [] : [['evm_setAutomine', false] as const]),
    ...(intervalMining === 0 ? [] : [['evm_setIntervalMining', intervalMining] as const]),
    ...(initialDate === undefined ? [] : [['evm_setTime', initialDate.getTime()] as const]),
  ]
}

/** The option sets one balance for all accounts. */
function balanceRequests(
  { genesisAccounts }: HardhatNetwork,
  addresses: readonly string[],
): readonly Request[] {
  const first = genesisAccounts[0]?.balance
  return genesisAccounts.flatMap(({ balance }, index) =>
    balance === first
      ? []
      : [['hardhat_setBalance', addresses[index], `0x${BigInt(balance).toString(16)}`] as const],
  )
}
