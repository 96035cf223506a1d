/** Hardhat 3 on its own chain, and with DEV in the environment on dev-node. */

import chaiMatchers from '@nomicfoundation/hardhat-ethers-chai-matchers'
import ethers from '@nomicfoundation/hardhat-ethers'
import mocha from '@nomicfoundation/hardhat-mocha'
import networkHelpers from '@nomicfoundation/hardhat-network-helpers'
import { defineConfig } from 'hardhat/config'

const { DEV, SOLC: path, SOLC_VERSION: version } = process.env

const plugins = [chaiMatchers, ethers, mocha, networkHelpers]

export default defineConfig({
  plugins: DEV ? [...plugins, (await import('dev-node/hardhat')).default] : plugins,
  solidity: { version, path },
  ...(DEV ? { networks: { default: { type: 'dev-node' } } } : {}),
})
