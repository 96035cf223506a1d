/** Types of the plugin for Hardhat 3: a config may have networks of the type `dev-node`. */

import type { EdrNetworkUserConfig, HardhatUserConfig, NetworkUserConfig } from 'hardhat/types/config'
import type { HardhatPlugin } from 'hardhat/types/plugins'
import type { OptionsInput } from '../../modules/options.js'

/** Names that options of the node share with settings of Hardhat's own network. The settings hold. */
type Shared =
  | 'accounts'
  | 'allowUnlimitedContractSize'
  | 'blockGasLimit'
  | 'chainId'
  | 'coinbase'
  | 'hardfork'
  | 'mining'
  | 'networkId'
type NodeOptions = Omit<OptionsInput, Shared>

/** A network that runs on a node inside the process: the settings of Hardhat's own network, and options of the node. */
export interface DevNodeUserConfig extends Omit<EdrNetworkUserConfig, 'type'> {
  type: 'dev-node'
}

/** A config with such networks. */
export type DevNodeHardhatUserConfig = Omit<HardhatUserConfig, 'networks'> & {
  networks?: Record<string, NetworkUserConfig | DevNodeUserConfig>
}

declare module 'hardhat/config' {
  export function defineConfig(config: DevNodeHardhatUserConfig): HardhatUserConfig
}

declare module 'hardhat/types/config' {
  // Settings of a connection, in `override`.
  interface EdrNetworkUserConfig extends NodeOptions {}
}

declare const plugin: HardhatPlugin
export default plugin
