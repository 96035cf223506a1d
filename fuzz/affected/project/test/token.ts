import { loadFixture } from '@nomicfoundation/hardhat-network-helpers'
import { expect } from 'chai'
import { deployToken } from './helpers/deploy'

describe('Token', () => {
  it('is minted by its owner only', async () => {
    const { token, user } = await loadFixture(deployToken)
    expect(await token.totalSupply()).to.equal(1000n)
    await expect(token.connect(user).mint(user.address, 1))
      .to.be.revertedWithCustomError(token, 'NotOwner')
      .withArgs(user.address)
  })

  it('moves', async () => {
    const { token, user, other } = await loadFixture(deployToken)
    await expect(token.connect(user).transfer(other.address, 400))
      .to.emit(token, 'Transfer')
      .withArgs(user.address, other.address, 400)
    expect(await token.balanceOf(user.address)).to.equal(600n)
    expect(await token.balanceOf(other.address)).to.equal(400n)
  })

  it('moves up to the balance', async () => {
    const { token, user, other } = await loadFixture(deployToken)
    await token.connect(user).transfer(other.address, 1000)
    await expect(token.connect(user).transfer(other.address, 1))
      .to.be.revertedWithCustomError(token, 'InsufficientBalance')
      .withArgs(user.address, 0, 1)
  })

  it('moves up to what was approved', async () => {
    const { token, user, other } = await loadFixture(deployToken)
    await token.connect(user).approve(other.address, 10)
    await token.connect(other).transferFrom(user.address, other.address, 6)
    await expect(token.connect(other).transferFrom(user.address, other.address, 5)).to.be.revertedWith(
      'allowance is too low',
    )
    expect(await token.allowance(user.address, other.address)).to.equal(4n)
  })
})
