const { loadFixture, time } = require('@nomicfoundation/hardhat-network-helpers')
const { expect } = require('chai')
const { ethers } = require('hardhat')

/** Runs once. Later tests revert to a snapshot of its end. */
async function openShop() {
  const [, customer] = await ethers.getSigners()
  const token = await ethers.deployContract('Token')
  const shop = await ethers.deployContract('Shop', [token])
  await token.transfer(customer, 1000)
  await token.connect(customer).approve(shop, ethers.MaxUint256)
  return { token, shop: shop.connect(customer), customer }
}

describe('Shop', () => {
  it('sells tickets', async () => {
    const { token, shop, customer } = await loadFixture(openShop)
    await expect(shop.buy(3)).to.emit(shop, 'Sold').withArgs(customer, 3)
    expect(await token.balanceOf(customer)).to.equal(700)
  })

  it('sells no more than a customer can pay', async () => {
    const { token, shop, customer } = await loadFixture(openShop)
    await expect(shop.buy(11))
      .to.be.revertedWithCustomError(token, 'InsufficientBalance')
      .withArgs(customer, 1000, 1100)
  })

  it('takes tickets back for a day', async () => {
    const { token, shop, customer } = await loadFixture(openShop)
    await shop.buy(3)
    await time.increase(86_300)
    await expect(shop.giveBack()).to.changeTokenBalances(token, [shop, customer], [-300, 300])
  })

  it('takes nothing back later', async () => {
    const { shop } = await loadFixture(openShop)
    await shop.buy(3)
    await time.increase(86_401)
    await expect(shop.giveBack()).to.be.revertedWith('too late')
  })
})
