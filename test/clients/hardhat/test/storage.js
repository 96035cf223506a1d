const { loadFixture, mine, time } = require('@nomicfoundation/hardhat-network-helpers')
const { expect } = require('chai')
const { ethers } = require('hardhat')
const { storageFixture } = require('./fixtures')

describe('Storage', () => {
  it('holds what its constructor was given', async () => {
    const { storage } = await loadFixture(storageFixture)
    expect(await storage.value()).to.equal(7n)
    expect(await ethers.provider.getStorage(storage.target, 0)).to.equal(ethers.toBeHex(7n, 32))
  })

  it('emits the value before and the value after', async () => {
    const { storage, writer } = await loadFixture(storageFixture)
    await expect(storage.store(8n)).to.emit(storage, 'ValueChanged').withArgs(writer.address, 7n, 8n)
    await expect(storage.increment()).to.emit(storage, 'ValueChanged').withArgs(writer.address, 8n, 9n)
  })

  it('still answers its value of an earlier block', async () => {
    const { storage } = await loadFixture(storageFixture)
    const before = await ethers.provider.getBlockNumber()
    await storage.store(8n)
    expect(await storage.value({ blockTag: before })).to.equal(7n)
    expect(await storage.value()).to.equal(8n)
  })

  it('writes with no more gas than estimated', async () => {
    const { storage } = await loadFixture(storageFixture)
    const estimate = await storage.store.estimateGas(8n)
    const sent = await storage.store(8n, { gasLimit: estimate })
    const receipt = await sent.wait()
    expect(receipt.status).to.equal(1)
    expect(receipt.gasUsed).to.be.at.most(estimate)
  })

  it('has the code its artifact promises', async () => {
    const { storage } = await loadFixture(storageFixture)
    const factory = await ethers.getContractFactory('Storage')
    expect(await storage.getDeployedCode()).to.have.length.below(factory.bytecode.length)
    expect(storage.deploymentTransaction().data.startsWith(factory.bytecode)).to.equal(true)
  })

  describe('time and blocks', () => {
    it('mines a thousand blocks at once', async () => {
      await loadFixture(storageFixture)
      const before = await time.latestBlock()
      await mine(1000)
      expect(await time.latestBlock()).to.equal(before + 1000)
      const [middle, last] = await Promise.all(
        [before + 500, before + 1000].map((n) => ethers.provider.getBlock(n)),
      )
      expect(last.timestamp - middle.timestamp).to.equal(500)
    })

    it('gives the next transaction the timestamp set', async () => {
      const { storage } = await loadFixture(storageFixture)
      const moment = (await time.latest()) + 1234
      await time.setNextBlockTimestamp(moment)
      const sent = await storage.increment()
      const block = await ethers.provider.getBlock(sent.blockNumber ?? (await sent.wait()).blockNumber)
      expect(block.timestamp).to.equal(moment)
    })

    it('forgets all of it at the next fixture', async () => {
      const { storage } = await loadFixture(storageFixture)
      const deployed = await storage.deploymentTransaction().wait()
      expect(await time.latestBlock()).to.equal(deployed.blockNumber)
      expect((await time.latest()) - (await deployed.getBlock()).timestamp).to.equal(0)
    })
  })
})
