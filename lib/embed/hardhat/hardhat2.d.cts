/** Types of the plugin for Hardhat 2: a config may have the options of the node. */

import 'hardhat/types/config'

declare module 'hardhat/types/config' {
  interface HardhatUserConfig {
    /**
     * Options of the node. They win over those of `networks.hardhat`. `explorer: true` opens a port; `waitForDebugger` and
     * `hold` do too, and `hold` keeps the process at its end until Ctrl-C.
     */
    devNode?: import('../../modules/options.js', {
      with: { 'resolution-mode': 'import' },
    }).OptionsInput
  }
}
