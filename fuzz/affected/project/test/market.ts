import { loadFixture } from '@nomicfoundation/hardhat-network-helpers'
import { expect } from 'chai'
import { deployMarket } from './helpers/deploy'

describe('Market', () => {
  it('sells for the price, less a fee', async () => {
    const { market, token, owner, user, other } = await loadFixture(deployMarket)
    await expect(market.connect(other).offer(7, 400)).to.emit(market, 'PriceChanged').withArgs(7, 400)
    await expect(market.connect(user).buy(7)).to.emit(market, 'Sold').withArgs(7, user.address, 400, 10)
    expect(await token.balanceOf(other.address)).to.equal(390n)
    expect(await token.balanceOf(owner.address)).to.equal(10n)
    expect(await market.sales()).to.equal(1n)
    await expect(market.connect(user).buy(7)).to.be.revertedWithCustomError(market, 'NotForSale').withArgs(7)
  })

  it('takes new prices of the seller only', async () => {
    const { market, user, other } = await loadFixture(deployMarket)
    await market.connect(other).offer(7, 400)
    await market.connect(other).offer(7, 300)
    expect(await market.priceOf(7)).to.equal(300n)
    await expect(market.connect(user).offer(7, 1)).to.be.revertedWith('of another seller')
    await expect(market.connect(other).offer(8, 0)).to.be.revertedWith('no price')
  })

  it('gets another rate from its owner', async () => {
    const { market, user } = await loadFixture(deployMarket)
    await market.changeRate(4999)
    expect(await market.rate()).to.equal(4999n)
    await expect(market.changeRate(5000)).to.be.revertedWith('rate is too high')
    await expect(market.connect(user).changeRate(1)).to.be.revertedWithCustomError(market, 'NotOwner')
  })
})
