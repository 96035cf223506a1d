import { expect } from 'chai'
import { ethers } from 'hardhat'
import { deploy } from './helpers/deploy'

const ADMIN_SLOT = BigInt(ethers.id('eip1967.proxy.admin')) - 1n

describe('Proxy', () => {
  it('keeps the storage when it gets new code', async () => {
    const [admin, user, other] = await ethers.getSigners()
    const first = await deploy('Registry')
    const proxy = await deploy('Proxy', await first.getAddress())
    const at = await proxy.getAddress()
    expect(await ethers.provider.getStorage(at, ADMIN_SLOT)).to.equal(ethers.zeroPadValue(admin.address, 32))
    const registry: any = await ethers.getContractAt('Registry', at)
    await registry.connect(user).claim('anna')
    await expect(registry.claim('an')).to.be.revertedWith('too short')

    const next = await deploy('RegistryWithTransfers')
    await expect(proxy.connect(user).upgradeTo(await next.getAddress())).to.be.revertedWith('not the admin')
    await expect(proxy.upgradeTo(user.address)).to.be.revertedWith('no code')
    await proxy.upgradeTo(await next.getAddress())
    const upgraded: any = await ethers.getContractAt('RegistryWithTransfers', at)
    await upgraded.connect(user).transfer('anna', other.address)
    expect(await upgraded.accountOf('anna')).to.equal(other.address)
    expect(await upgraded.transfers()).to.equal(1n)
    await expect(upgraded.connect(user).transfer('anna', other.address)).to.be.revertedWith('not yours')
  })
})
