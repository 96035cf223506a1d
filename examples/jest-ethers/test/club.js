const { Contract, ContractFactory, JsonRpcProvider } = require('ethers')
const { contracts } = require('../artifacts/contracts.json').output

const { abi, evm } = contracts['contracts/Club.sol'].Club
const bytecode = evm.bytecode.object

// `chain` is that of this worker of Jest. ethers would keep answers for a quarter of a second.
const provider = new JsonRpcProvider(chain.url, undefined, { cacheTimeout: -1 })

/** Runs once for all workers of Jest. Later calls load what it built. */
const build = async () => {
  const club = await new ContractFactory(abi, bytecode, await provider.getSigner(0)).deploy()
  return club.waitForDeployment().then(() => club.target)
}

/** A new club, and a visitor. */
async function openClub() {
  const address = await chain.fixture('club', build, { key: bytecode })
  const visitor = await provider.getSigner(1)
  return { club: new Contract(address, abi, visitor), visitor }
}

module.exports = { openClub, provider }
