/** The starting points of the suites. Each is a named function, as loadFixture demands. */
const { ethers } = require('hardhat')

const unit = ethers.parseEther('1')

async function gameTokenFixture() {
  const [owner, alice, bob] = await ethers.getSigners()
  const token = await ethers.deployContract('GameToken', [owner.address])
  await token.mint(alice.address, 1000n * unit)
  return { token, owner, alice, bob }
}

async function vaultFixture() {
  const [admin, keeper, alice, bob] = await ethers.getSigners()
  const vault = await ethers.deployContract('Vault', [admin.address])
  await vault.grantRole(await vault.KEEPER_ROLE(), keeper.address)
  return { vault, admin, keeper, alice, bob }
}

async function reverterFixture() {
  const [caller] = await ethers.getSigners()
  return { reverter: await ethers.deployContract('Reverter'), caller }
}

async function storageFixture() {
  const [writer, other] = await ethers.getSigners()
  return { storage: await ethers.deployContract('Storage', [7n]), writer, other }
}

/** A council whose four members hold 400, 300, 200 and 100 votes, and which owns a game token. */
async function councilFixture() {
  const [deployer, ...others] = await ethers.getSigners()
  const members = others.slice(0, 4)
  const settings = { delayBlocks: 2n, periodBlocks: 50n, timelockSeconds: 86_400n }
  const votes = await ethers.deployContract('VoteToken', [deployer.address, 1000n * unit])
  for (const [index, share] of [400n, 300n, 200n, 100n].entries()) {
    await votes.transfer(members[index].address, share * unit)
    await votes.connect(members[index]).delegate(members[index].address)
  }
  const timelock = await ethers.deployContract('CouncilTimelock', [
    settings.timelockSeconds,
    deployer.address,
  ])
  const council = await ethers.deployContract('Council', [
    votes.target,
    timelock.target,
    settings.delayBlocks,
    settings.periodBlocks,
    100n * unit,
    500n * unit,
  ])
  await timelock.grantRole(await timelock.PROPOSER_ROLE(), council.target)
  await timelock.grantRole(await timelock.CANCELLER_ROLE(), council.target)
  await timelock.grantRole(await timelock.EXECUTOR_ROLE(), ethers.ZeroAddress)
  await timelock.renounceRole(await timelock.DEFAULT_ADMIN_ROLE(), deployer.address)
  const token = await ethers.deployContract('GameToken', [timelock.target])
  return { council, timelock, votes, token, deployer, members, settings }
}

module.exports = {
  unit,
  councilFixture,
  gameTokenFixture,
  reverterFixture,
  storageFixture,
  vaultFixture,
}
