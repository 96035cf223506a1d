/** Ten tests of three contracts, for Hardhat 2 and 3. With FAILS in the environment, one of them fails in a transaction. */

module.exports = ({ ethers, loadFixture, time, expect }) => {
  async function deployToken() {
    const [owner, user, other] = await ethers.getSigners()
    const token = await ethers.deployContract('Token')
    await token.mint(owner.address, 1000)
    return { token, owner, user, other }
  }

  async function deployVault() {
    const deployed = await deployToken()
    const vault = await ethers.deployContract('Vault', [await deployed.token.getAddress()])
    await deployed.token.approve(await vault.getAddress(), 500)
    return { vault, ...deployed }
  }

  const deployBallot = async () => ({ ballot: await ethers.deployContract('Ballot', [3]) })

  describe('Token', () => {
    it('mints', async () => {
      const { token, owner } = await loadFixture(deployToken)
      expect(await token.totalSupply()).to.equal(1000n)
      expect(await token.balanceOf(owner.address)).to.equal(1000n)
    })

    it('mints for its owner only', async () => {
      const { token, user } = await loadFixture(deployToken)
      await expect(token.connect(user).mint(user.address, 1)).to.be.revertedWith('only the owner mints')
    })

    it('transfers', async () => {
      const { token, owner, user } = await loadFixture(deployToken)
      const value = process.env.FAILS ? 1001 : 10
      await expect(token.transfer(user.address, value))
        .to.emit(token, 'Transfer')
        .withArgs(owner.address, user.address, 10)
    })

    it('refuses a transfer beyond the balance', async () => {
      const { token, owner, user } = await loadFixture(deployToken)
      await expect(token.transfer(user.address, 1001))
        .to.be.revertedWithCustomError(token, 'InsufficientBalance')
        .withArgs(owner.address, 1000, 1001)
    })
  })

  describe('Vault', () => {
    it('takes deposits', async () => {
      const { vault, owner } = await loadFixture(deployVault)
      await expect(vault.deposit(100)).to.emit(vault, 'Deposited').withArgs(owner.address, 100)
      expect(await vault.deposits(owner.address)).to.equal(100n)
    })

    it('takes no more than was approved', async () => {
      const { vault } = await loadFixture(deployVault)
      await expect(vault.deposit(501)).to.be.revertedWith('allowance is too low')
    })

    it('is locked for a day', async () => {
      const { vault } = await loadFixture(deployVault)
      await vault.deposit(100)
      await expect(vault.withdraw()).to.be.revertedWith('still locked')
    })

    it('returns deposits', async () => {
      const { vault, token, owner } = await loadFixture(deployVault)
      await vault.deposit(100)
      await time.increase(86_400)
      await vault.withdraw()
      expect(await token.balanceOf(owner.address)).to.equal(1000n)
    })
  })

  describe('Ballot', () => {
    it('counts votes', async () => {
      const { ballot } = await loadFixture(deployBallot)
      const voters = await ethers.getSigners()
      for (const [index, voter] of voters.slice(0, 5).entries())
        await ballot.connect(voter).vote(index === 0 ? 1 : 2)
      expect(await ballot.winner()).to.equal(2n)
    })

    it('takes one vote of each account', async () => {
      const { ballot } = await loadFixture(deployBallot)
      await ballot.vote(1)
      await expect(ballot.vote(2)).to.be.revertedWithCustomError(ballot, 'AlreadyVoted')
    })
  })
}
