/** Hardhat 2 on its own chain, and with DEV in the environment on dev-node. */

require('@nomicfoundation/hardhat-chai-matchers')
require('@nomicfoundation/hardhat-ethers')
const { TASK_COMPILE_SOLIDITY_GET_SOLC_BUILD } = require('hardhat/builtin-tasks/task-names')
const { subtask } = require('hardhat/config')

if (process.env.DEV) require('dev-node/hardhat')

const { SOLC: compilerPath, SOLC_VERSION: version } = process.env

subtask(TASK_COMPILE_SOLIDITY_GET_SOLC_BUILD, async () => ({
  version,
  longVersion: `${version}-npm`,
  compilerPath,
  isSolcJs: true,
}))

module.exports = { solidity: version }
