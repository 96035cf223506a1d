/**
 * An ordinary Hardhat project. Its network is the one of the recipe in docs/hardhat.md, which the test that runs it hands over as
 * text; its contracts are those of fixtures/contracts, its compiler the solc of npm.
 */
require('@nomicfoundation/hardhat-chai-matchers')
require('@nomicfoundation/hardhat-ethers')
const { TASK_COMPILE_SOLIDITY_GET_SOLC_BUILD } = require('hardhat/builtin-tasks/task-names')
const { subtask } = require('hardhat/config')
const solc = require('solc/package.json')
const settings = require('../../../fixtures/contracts/compiler.json')

subtask(TASK_COMPILE_SOLIDITY_GET_SOLC_BUILD, async () => ({
  version: solc.version,
  longVersion: `${solc.version}-npm`,
  compilerPath: require.resolve('solc/soljson.js'),
  isSolcJs: true,
}))

/** What the code of a configuration file exports. */
function exported(code) {
  const file = { exports: {} }
  new Function('module', 'process', 'require', code)(file, process, require)
  return file.exports
}

module.exports = {
  solidity: { version: solc.version, settings },
  networks: exported(process.env.HARDHAT_RECIPE ?? '').networks,
  paths: {
    // Sources must lie below the root, and the packages they import in its node_modules.
    root: '../../..',
    sources: 'fixtures/contracts',
    tests: 'test/clients/hardhat/test',
    artifacts: 'test/clients/hardhat/artifacts',
    cache: 'test/clients/hardhat/cache',
  },
  mocha: { timeout: 60_000, jobs: 2 },
}
