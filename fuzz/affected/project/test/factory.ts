import { expect } from 'chai'
import { ethers } from 'hardhat'
import { deploy } from './helpers/deploy'

describe('MarketFactory', () => {
  it('creates markets for whom asks', async () => {
    const [, user] = await ethers.getSigners()
    const factory = await deploy('MarketFactory')
    const token = await deploy('Token')
    const salt = ethers.id('first')
    await expect(factory.connect(user).create(await token.getAddress(), 9, salt)).to.emit(factory, 'Created')
    expect(await factory.count()).to.equal(1n)
    const market: any = await ethers.getContractAt('Market', await factory.markets(0))
    expect(await market.owner()).to.equal(user.address)
    expect(await market.rate()).to.equal(9n)
    await expect(factory.connect(user).create(await token.getAddress(), 9, salt)).to.be.reverted
  })
})
