/** Resets to blocks of a remote chain, with Hardhat's own client and with the network helpers. FORK_URL is the remote. */
const helpers = require('@nomicfoundation/hardhat-network-helpers')
const { expect } = require('chai')
const { artifacts, ethers, network } = require('hardhat')

const ALICE = '0x00000000000000000000000000000000000A11cE'

const isSameBlock = async (provider, other) => {
  const number = await provider.getBlockNumber()
  const [{ hash }, { hash: expected }] = [await provider.getBlock(number), await other.getBlock(number)]
  expect(hash).to.equal(expected)
  return number
}

describe('forks', () => {
  const jsonRpcUrl = process.env.FORK_URL
  let remote
  /** Block of the remote in which Alice got 5 tokens; she gets 4 more in the next one. */
  let minted
  /** The token on the remote. */
  let token

  before(async () => {
    remote = new ethers.JsonRpcProvider(jsonRpcUrl, undefined, { cacheTimeout: -1 })
    const { abi, bytecode } = await artifacts.readArtifact('GameToken')
    const owner = await remote.getSigner(0)
    const factory = new ethers.ContractFactory(abi, bytecode, owner)
    const deployed = await factory.deploy(owner.address)
    await deployed.waitForDeployment()
    minted = (await (await deployed.mint(ALICE, 5n)).wait()).blockNumber
    await (await deployed.mint(ALICE, 4n)).wait()
    token = await ethers.getContractAt('GameToken', await deployed.getAddress())
  })

  afterEach(() => helpers.reset())
  after(() => remote.destroy())

  it('hardhat_reset continues the block that is named', async () => {
    const forking = { jsonRpcUrl, blockNumber: minted }
    expect(await network.provider.request({ method: 'hardhat_reset', params: [{ forking }] })).to.equal(true)
    expect(await isSameBlock(ethers.provider, remote)).to.equal(minted)
    expect(await token.balanceOf(ALICE)).to.equal(5n)
    const [owner] = await ethers.getSigners()
    await expect(token.mint(ALICE, 2n)).to.changeTokenBalance(token, ALICE, 2n)
    await expect(token.mint(ALICE, 1n)).to.emit(token, 'Transfer').withArgs(ethers.ZeroAddress, ALICE, 1n)
    await expect(token.connect(owner).transfer(ALICE, 10n ** 30n)).to.be.revertedWithCustomError(
      token,
      'ERC20InsufficientBalance',
    )
    const events = await token.queryFilter(token.filters.Transfer(null, ALICE), 0)
    expect(events.map(({ args }) => args.value)).to.deep.equal([5n, 2n, 1n])
    expect(events[0].blockNumber).to.equal(minted)
    expect(await token.balanceOf(ALICE, { blockTag: minted - 1 })).to.equal(0n)
  })

  it('hardhat_reset without a block continues the newest one, and again another block', async () => {
    await network.provider.request({ method: 'hardhat_reset', params: [{ forking: { jsonRpcUrl } }] })
    await isSameBlock(ethers.provider, remote)
    expect(await token.balanceOf(ALICE)).to.equal(9n)
    const forking = { blockNumber: minted }
    await network.provider.request({ method: 'hardhat_reset', params: [{ forking }] })
    expect(await token.balanceOf(ALICE)).to.equal(5n)
  })

  it('reset of the helpers continues a block, and fixtures begin there', async () => {
    async function richAlice() {
      await helpers.setBalance(ALICE, 10n ** 20n)
      await helpers.impersonateAccount(ALICE)
      return ethers.getSigner(ALICE)
    }
    for (const blockNumber of [minted, BigInt(minted)]) {
      await helpers.reset(jsonRpcUrl, blockNumber)
      expect(await helpers.time.latestBlock()).to.equal(minted)
      for (let round = 0; round < 2; round++) {
        const alice = await helpers.loadFixture(richAlice)
        await (await token.connect(alice).transfer(token.target, 3n)).wait()
        expect(await token.balanceOf(ALICE)).to.equal(2n)
      }
    }
    await helpers.reset(jsonRpcUrl)
    expect(await token.balanceOf(ALICE)).to.equal(9n)
  })

  it('reset without a URL goes back to the genesis of the node', async () => {
    const genesis = await ethers.provider.getBlock('latest')
    await helpers.reset(jsonRpcUrl, minted)
    await helpers.mine(2)
    await helpers.reset()
    expect((await ethers.provider.getBlock('latest')).hash).to.equal(genesis.hash)
    expect(await ethers.provider.getCode(token.target)).to.equal('0x')
  })

  it('time and blocks go on from the remote block', async () => {
    await helpers.reset(jsonRpcUrl, minted)
    const before = await helpers.time.latest()
    await helpers.time.increaseTo(before + 86_400)
    await helpers.mine(300)
    expect(await helpers.time.latestBlock()).to.equal(minted + 301)
    expect(await token.balanceOf(ALICE)).to.equal(5n)
  })

  it('a block that the remote lacks is named, and nothing changes', async () => {
    await helpers.reset(jsonRpcUrl, minted)
    await expect(helpers.reset(jsonRpcUrl, 4_000_000_000)).to.be.rejectedWith(
      /has no block 4000000000: its newest block is \d+/,
    )
    expect(await token.balanceOf(ALICE)).to.equal(5n)
  })
})
