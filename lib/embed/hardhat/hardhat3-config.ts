/**
 * The networks of type `dev-node` in a config of Hardhat 3, which knows only two types. The plugin checks and resolves them as type
 * `edr-simulated`, and creates their connections as those of a network with a URL.
 */

import { NodeError, seeHelp, trouble, withHelp } from '../../base/errors.ts'
import type { OptionsInput } from '../../modules/options.ts'
import { withHooks } from '../testing/mocha-hooks.ts'
import { unknownOption } from './ignored-settings.ts'

/** A network as users write it: settings of Hardhat's own network, and options of the node. */
interface NetworkUserConfig {
  readonly type?: string
  readonly initialDate?: string | Date
  /** Whether the config had type `dev-node`. */
  readonly isDevNode?: boolean
}

interface Hardhat3UserConfig {
  readonly networks?: Readonly<Record<string, NetworkUserConfig>>
  readonly test?: { readonly mocha?: MochaConfig }
}

interface MochaConfig {
  readonly rootHooks?: object
  /** Modules with root hooks for the workers of a parallel run. */
  readonly require?: readonly string[]
}

/** A value that Hardhat reads when it needs it, such as from a keystore. */
interface ConfigurationVariable {
  readonly get: () => Promise<string>
}

export type Accounts =
  | readonly { readonly balance: bigint; readonly privateKey: ConfigurationVariable }[]
  | {
      readonly mnemonic: ConfigurationVariable
      readonly accountsBalance: bigint
      readonly count: number
      readonly initialIndex: number
      readonly passphrase: ConfigurationVariable
      readonly path: string
    }

export interface Forking {
  readonly enabled: boolean
  readonly url: ConfigurationVariable
  readonly blockNumber?: bigint | undefined
  readonly httpHeaders?: Readonly<Record<string, string>> | undefined
}

/** A network of the type `edr-simulated` as Hardhat resolves it. */
interface ResolvedNetwork {
  readonly type: string
  readonly accounts: Accounts
  readonly chainId: number
  readonly allowBlocksWithSameTimestamp: boolean
  readonly allowUnlimitedContractSize?: boolean | undefined
  readonly blockGasLimit?: bigint | false | undefined
  readonly coinbase: Uint8Array
  readonly forking?: Forking | undefined
  readonly hardfork: string
  readonly initialBaseFeePerGas?: bigint | undefined
  readonly loggingEnabled: boolean
  readonly minGasPrice: bigint
  readonly mining: {
    readonly auto: boolean
    readonly interval: number | [min: number, max: number]
    readonly mempool: { readonly order: string }
  }
  readonly networkId: number
  readonly throwOnCallFailures: boolean
  readonly throwOnTransactionFailures: boolean
}

/** A resolved network of type `dev-node`. */
export interface DevNodeNetwork extends ResolvedNetwork {
  /** Absent unless the user gave it. */
  readonly initialDate: string | Date | undefined
  /** The network in the user's config, with Hardhat's settings and options of the node and its process. */
  readonly userConfig: Readonly<Record<string, unknown>>
  readonly artifactsFolder: string
}

export const isDevNode = (network: { readonly type: string }): network is DevNodeNetwork =>
  network.type === 'dev-node'

export interface HardhatRuntime {
  readonly config: { readonly networks: Readonly<Record<string, { readonly type: string }>> }
  readonly globalOptions: { readonly network?: string }
}

/** The network of a run, if it has type `dev-node`. */
export function networkOf({ config, globalOptions }: HardhatRuntime, fallback = 'default') {
  const { network: name = fallback } = globalOptions
  const network = config.networks[name]
  return { name, network: network !== undefined && isDevNode(network) ? network : undefined }
}

interface ResolvedConfig {
  readonly paths: { readonly artifacts: string }
  readonly networks: Record<string, ResolvedNetwork>
}

/** The URL that Hardhat knows for the connection. No request goes there. */
export const URL_IN_PROCESS = 'http://dev-node-in-this-process.invalid'

export const createConfigHandlers = (hooks: Required<MochaConfig>) => ({
  extendUserConfig: <Config extends Hardhat3UserConfig>(
    config: Config,
    next: (config: Config) => Promise<Config>,
  ): Promise<Config> => {
    const networks: Record<string, NetworkUserConfig> = { ...config.networks }
    for (const [name, network] of Object.entries(networks)) {
      if (network.type === 'dev-node') networks[name] = { ...network, type: 'edr-simulated', isDevNode: true }
    }
    const { default: first, node = first?.isDevNode === true ? first : undefined } = networks
    if (!Object.values(networks).some(({ isDevNode }) => isDevNode)) {
      console.warn(NO_NETWORK)
      return next(config)
    }
    const mocha = {
      ...config.test?.mocha,
      rootHooks: withHooks(config.test?.mocha?.rootHooks, hooks.rootHooks),
      require: [...(config.test?.mocha?.require ?? []), ...hooks.require],
    }
    return next({
      ...config,
      networks: { ...networks, ...(node === undefined ? {} : { node }) },
      test: { ...config.test, mocha },
    })
  },

  resolveUserConfig: async <Resolver>(
    config: Hardhat3UserConfig,
    resolver: Resolver,
    next: (config: Hardhat3UserConfig, resolver: Resolver) => Promise<ResolvedConfig>,
  ): Promise<ResolvedConfig> => {
    const resolved = await next(config, resolver)
    const { paths, networks } = resolved
    for (const [name, given] of Object.entries(config.networks ?? {})) {
      const network = networks[name]
      if (given.isDevNode !== true || network === undefined) continue
      const own = devNodeNetwork(given, network, paths)
      const unknown = unknownOption(ownOptions(own))
      if (unknown !== undefined) throw asPluginError(trouble('DN-FLAG', `networks.${name}: ${unknown}`))
      networks[name] = own
    }
    return resolved
  },
})

const NO_NETWORK = `dev-node: no network of the config has its type, so that tests run on Hardhat's own chain; add networks: { default: { type: 'dev-node' } }${seeHelp('DN-PLUGIN')}`

/** Marks an error about the config as one of a plugin, so that Hardhat prints only its message. Others stay unchanged. */
export function asPluginError(error: unknown): unknown {
  if (!(error instanceof NodeError)) return error
  Object.defineProperty(error, '_isHardhatPluginError', { value: true })
  return withHelp(Object.assign(error, { pluginId: 'dev-node' }))
}

/** Options of the node and its process. Hardhat and its plugins resolve only members they know, and drop the others. */
export const ownOptions = ({ userConfig, ...network }: DevNodeNetwork): OptionsInput =>
  Object.fromEntries(Object.entries(userConfig).filter(([name]) => !(name in network)))

function devNodeNetwork(
  { isDevNode: _, ...given }: NetworkUserConfig,
  network: ResolvedNetwork,
  { artifacts }: ResolvedConfig['paths'],
): DevNodeNetwork {
  const carrier = { url: { getUrl: () => Promise.resolve(URL_IN_PROCESS) }, httpHeaders: {}, timeout: 0 }
  return {
    ...network,
    ...carrier,
    type: 'dev-node',
    initialDate: given.initialDate,
    userConfig: { ...given },
    artifactsFolder: artifacts,
  }
}
