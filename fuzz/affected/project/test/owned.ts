import { loadFixture } from '@nomicfoundation/hardhat-network-helpers'
import { expect } from 'chai'
import { ethers } from 'hardhat'
import { deployToken } from './helpers/deploy'

describe('Owned', () => {
  it('is handed over', async () => {
    const { token, owner, user } = await loadFixture(deployToken)
    await expect(token.changeOwner(user.address))
      .to.emit(token, 'OwnerChanged')
      .withArgs(owner.address, user.address)
    await token.connect(user).mint(user.address, 1)
    await expect(token.mint(user.address, 1)).to.be.revertedWithCustomError(token, 'NotOwner')
  })

  it('always has an owner', async () => {
    const { token } = await loadFixture(deployToken)
    await expect(token.changeOwner(ethers.ZeroAddress)).to.be.revertedWith('no new owner')
  })
})
