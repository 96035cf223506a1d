require('@nomicfoundation/hardhat-chai-matchers')
require('@nomicfoundation/hardhat-ethers')
require('dev-node/hardhat')

module.exports = { solidity: '0.8.28' }
