import { loadFixture } from '@nomicfoundation/hardhat-network-helpers'
import { expect } from 'chai'
import { ethers } from 'hardhat'
import { deploy } from './helpers/deploy'

async function deployVoucher() {
  const [owner, user] = await ethers.getSigners()
  return { voucher: await deploy('Voucher', 100), owner, user }
}

describe('Voucher', () => {
  it('has a maximum', async () => {
    const { voucher, user } = await loadFixture(deployVoucher)
    await voucher.mint(user.address, 100)
    await expect(voucher.mint(user.address, 1)).to.be.revertedWith('more than the maximum')
  })

  it('moves until it is closed', async () => {
    const { voucher, owner, user } = await loadFixture(deployVoucher)
    await voucher.mint(user.address, 10)
    await voucher.connect(user).transfer(owner.address, 4)
    await expect(voucher.connect(user).close()).to.be.revertedWithCustomError(voucher, 'NotOwner')
    await voucher.close()
    await expect(voucher.connect(user).transfer(owner.address, 4)).to.be.revertedWith('closed')
    expect(await voucher.balanceOf(owner.address)).to.equal(4n)
  })
})
