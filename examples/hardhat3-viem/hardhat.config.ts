import hardhatToolboxViem from '@nomicfoundation/hardhat-toolbox-viem'
import devNode from 'dev-node/hardhat'
import { defineConfig } from 'hardhat/config'

export default defineConfig({
  plugins: [hardhatToolboxViem, devNode],
  solidity: '0.8.28',
  networks: { default: { type: 'dev-node' } },
})
