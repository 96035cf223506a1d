const { loadFixture, takeSnapshot } = require('@nomicfoundation/hardhat-network-helpers')
const { expect } = require('chai')
const { ethers } = require('hardhat')
const { unit, vaultFixture } = require('./fixtures')

describe('Vault', () => {
  async function filledVaultFixture() {
    const fixture = await vaultFixture()
    await fixture.alice.sendTransaction({ to: fixture.vault.target, value: 5n * unit })
    return fixture
  }

  it('takes deposits', async () => {
    const { vault, alice } = await loadFixture(vaultFixture)
    const deposit = () => alice.sendTransaction({ to: vault.target, value: unit })
    await expect(deposit()).to.emit(vault, 'Deposited').withArgs(alice.address, unit)
    await expect(deposit()).to.changeEtherBalances([alice, vault], [-unit, unit])
    expect(await vault.deposits(alice.address)).to.equal(2n * unit)
  })

  it('pays out at the word of a keeper', async () => {
    const { vault, keeper, bob } = await loadFixture(filledVaultFixture)
    await expect(vault.connect(keeper).payOut(bob.address, 2n * unit)).to.changeEtherBalance(bob, 2n * unit)
    expect(await ethers.provider.getBalance(vault.target)).to.equal(3n * unit)
  })

  it('refuses more than it holds', async () => {
    const { vault, keeper } = await loadFixture(filledVaultFixture)
    await expect(vault.connect(keeper).payOut(keeper.address, 6n * unit))
      .to.be.revertedWithCustomError(vault, 'VaultTooEmpty')
      .withArgs(5n * unit, 6n * unit)
  })

  it('says so when the recipient refuses', async () => {
    const { vault, keeper } = await loadFixture(filledVaultFixture)
    const refuser = await ethers.deployContract('Reverter')
    await expect(vault.connect(keeper).payOut(refuser.target, 1n)).to.be.revertedWith(
      'Vault: the recipient refused',
    )
  })

  it('emits nothing when a role is granted twice', async () => {
    const { vault, keeper } = await loadFixture(vaultFixture)
    await expect(vault.grantRole(await vault.KEEPER_ROLE(), keeper.address)).not.to.emit(vault, 'RoleGranted')
  })

  it('is restored by a snapshot, as often as asked', async () => {
    const { vault, keeper, bob } = await loadFixture(filledVaultFixture)
    const snapshot = await takeSnapshot()
    for (const amount of [1n, 2n]) {
      await vault.connect(keeper).payOut(bob.address, amount)
      expect(await ethers.provider.getBalance(vault.target)).to.equal(5n * unit - amount)
      await snapshot.restore()
      expect(await ethers.provider.getBalance(vault.target)).to.equal(5n * unit)
    }
  })
})
