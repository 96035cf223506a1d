/** Types of the plugin for Hardhat 2: a config may have the options of the node. */

import 'hardhat/types/config'

declare module 'hardhat/types/config' {
  interface HardhatUserConfig {
    /** Options of the node. They win over those of `networks.hardhat`. */
    devNode?: import('../../config/options.js', {
      with: { 'resolution-mode': 'import' },
    }).OptionsInput
  }
}
