/** Hardhat 2 on dev-node, with the compiler of the package solc. */

import '@nomicfoundation/hardhat-chai-matchers'
import '@nomicfoundation/hardhat-ethers'
import 'dev-node/hardhat'
import { TASK_COMPILE_SOLIDITY_GET_SOLC_BUILD } from 'hardhat/builtin-tasks/task-names'
import { subtask } from 'hardhat/config'

const version = '0.8.37'

subtask(TASK_COMPILE_SOLIDITY_GET_SOLC_BUILD, () =>
  Promise.resolve({
    version,
    longVersion: `${version}-npm`,
    compilerPath: require.resolve('solc/soljson.js'),
    isSolcJs: true,
  }),
)

export default { solidity: version }
