import { expect } from 'chai'
import { ethers } from 'hardhat'
import { deploy } from './helpers/deploy'

describe('Registry', () => {
  it('has one account of a name', async () => {
    const [, user] = await ethers.getSigners()
    const registry = await deploy('Registry')
    await registry.connect(user).claim('anna')
    expect(await registry.accountOf('anna')).to.equal(user.address)
    await expect(registry.claim('anna')).to.be.revertedWith('taken')
    await expect(registry.claim('an')).to.be.revertedWith('too short')
    await registry.claim('bob')
    expect(await registry.count()).to.equal(2n)
  })
})
