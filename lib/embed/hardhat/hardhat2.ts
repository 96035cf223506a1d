/** The plugin for Hardhat 2, `dev-node/hardhat`: the network `hardhat` of a config runs on a node inside the process. */

import type { EventEmitter } from 'node:events'
import { createRequire, Module } from 'node:module'
import { fileURLToPath } from 'node:url'
import { invariant } from '../../base/invariant.ts'
import type { OptionsInput } from '../../config/options.ts'
import type { HardhatNetwork } from './hardhat-network.ts'
import type { HardhatErrors } from './hardhat-provider.ts'

/** A Hardhat config, and that of the user: the members that the plugin reads. */
interface HardhatConfig {
  readonly paths: { readonly artifacts: string; readonly configFile: string }
}
interface UserConfig {
  /** Options of the node, besides those of `networks.hardhat`. */
  readonly devNode?: OptionsInput | undefined
}

/** Members of Hardhat's modules that the plugin uses. */
interface HardhatModules {
  readonly 'hardhat/config': {
    readonly extendConfig: (extend: (config: HardhatConfig, userConfig: UserConfig) => void) => void
  }
  readonly 'hardhat/internal/core/providers/errors': HardhatErrors
}

/** The module whose function makes the provider of the network `hardhat`. It loads EDR, unless it is replaced before. */
const PROVIDER_MODULE = 'hardhat/internal/hardhat-network/provider/provider'

const own = createRequire(import.meta.url)

/** Loads modules as the config file does, so that they are those of the Hardhat that runs. */
const require = createRequire(loaderOf(fileURLToPath(import.meta.url)))

function load<Name extends keyof HardhatModules>(name: Name): HardhatModules[Name] {
  const loaded: unknown = require(name)
  invariant(isLoaded<Name>(loaded), `Hardhat has the module ${name}`)
  return loaded
}

/** Trusts the types above, which the tests with a real Hardhat check. */
const isLoaded = <Name extends keyof HardhatModules>(loaded: unknown): loaded is HardhatModules[Name] =>
  typeof loaded === 'object' && loaded !== null

/** The file that required a module. */
function loaderOf(file: string): string {
  const loaded = own.cache[file]
  const loader = Object.values(own.cache).find(
    (one) => loaded !== undefined && one?.children.includes(loaded),
  )
  return loader?.filename ?? file
}

let options: OptionsInput = {}

load('hardhat/config').extendConfig((resolved, { devNode = {} }) => {
  options = { artifacts: [resolved.paths.artifacts], ...devNode }
  // Hardhat does not pass --config to the workers of a parallel run, which would load another config or none.
  process.env['HARDHAT_CONFIG'] ??= resolved.paths.configFile
})

const provider = new Module(require.resolve(PROVIDER_MODULE))
provider.exports = { createHardhatNetworkProvider }
provider.loaded = true
own.cache[provider.id] = provider

/** As the function of Hardhat with this name, except that a node answers. */
async function createHardhatNetworkProvider(network: HardhatNetwork): Promise<EventEmitter> {
  const { createHardhatProvider } = await import('./hardhat-node.ts')
  return createHardhatProvider(network, {
    errors: load('hardhat/internal/core/providers/errors'),
    options,
  })
}
