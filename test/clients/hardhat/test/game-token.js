const { loadFixture, time } = require('@nomicfoundation/hardhat-network-helpers')
const { expect } = require('chai')
const { ethers } = require('hardhat')
const { gameTokenFixture, unit } = require('./fixtures')

describe('GameToken', () => {
  it('starts with the name, the symbol and the owner of its constructor', async () => {
    const { token, owner } = await loadFixture(gameTokenFixture)
    expect(await token.name()).to.equal('Game Token')
    expect(await token.symbol()).to.equal('GAME')
    expect(await token.owner()).to.equal(owner.address)
    expect(await token.getAddress()).to.be.properAddress
  })

  describe('mint', () => {
    it('raises the supply and the balance, from the zero address', async () => {
      const { token, bob } = await loadFixture(gameTokenFixture)
      await expect(token.mint(bob.address, 5n))
        .to.emit(token, 'Transfer')
        .withArgs(ethers.ZeroAddress, bob.address, 5n)
      expect(await token.totalSupply()).to.equal(1000n * unit + 5n)
      expect(await token.balanceOf(bob.address)).to.equal(5n)
    })

    it('is refused to anyone but the owner, with the name of the caller', async () => {
      const { token, alice } = await loadFixture(gameTokenFixture)
      await expect(token.connect(alice).mint(alice.address, 1n))
        .to.be.revertedWithCustomError(token, 'OwnableUnauthorizedAccount')
        .withArgs(alice.address)
    })

    it('was undone between the tests', async () => {
      const { token, bob } = await loadFixture(gameTokenFixture)
      expect(await token.balanceOf(bob.address)).to.equal(0n)
      expect(await token.totalSupply()).to.equal(1000n * unit)
    })
  })

  describe('transfer', () => {
    it('moves tokens from the sender to the recipient', async () => {
      const { token, alice, bob } = await loadFixture(gameTokenFixture)
      await expect(token.connect(alice).transfer(bob.address, 30n)).to.changeTokenBalances(
        token,
        [alice, bob],
        [-30n, 30n],
      )
    })

    it('refuses more than the balance, with all three numbers', async () => {
      const { token, alice, bob } = await loadFixture(gameTokenFixture)
      await expect(token.connect(bob).transfer(alice.address, 1n))
        .to.be.revertedWithCustomError(token, 'ERC20InsufficientBalance')
        .withArgs(bob.address, 0n, 1n)
    })

    it('answers true to a static call, which changes nothing', async () => {
      const { token, alice, bob } = await loadFixture(gameTokenFixture)
      expect(await token.connect(alice).transfer.staticCall(bob.address, 1n)).to.equal(true)
      expect(await token.balanceOf(bob.address)).to.equal(0n)
    })
  })

  describe('approve and transferFrom', () => {
    it('lets a spender move up to the allowance', async () => {
      const { token, alice, bob } = await loadFixture(gameTokenFixture)
      await expect(token.connect(alice).approve(bob.address, 10n))
        .to.emit(token, 'Approval')
        .withArgs(alice.address, bob.address, 10n)
      await expect(token.connect(bob).transferFrom(alice.address, bob.address, 4n)).to.changeTokenBalance(
        token,
        bob,
        4n,
      )
      expect(await token.allowance(alice.address, bob.address)).to.equal(6n)
    })
  })

  describe('permit', () => {
    /** A holder whose key is here and not in the node; it never sends a transaction. */
    const holder = new ethers.Wallet(ethers.id('a holder of game tokens'))

    async function signPermit(token, { spender, value, deadline }) {
      const { chainId } = await ethers.provider.getNetwork()
      const domain = { name: 'Game Token', version: '1', chainId, verifyingContract: token.target }
      const types = {
        Permit: [
          { name: 'owner', type: 'address' },
          { name: 'spender', type: 'address' },
          { name: 'value', type: 'uint256' },
          { name: 'nonce', type: 'uint256' },
          { name: 'deadline', type: 'uint256' },
        ],
      }
      const nonce = await token.nonces(holder.address)
      const message = { owner: holder.address, spender, value, nonce, deadline }
      return ethers.Signature.from(await holder.signTypedData(domain, types, message))
    }

    it('approves by signature, sent by anyone', async () => {
      const { token, alice, bob } = await loadFixture(gameTokenFixture)
      const deadline = BigInt(await time.latest()) + 3600n
      const { v, r, s } = await signPermit(token, { spender: alice.address, value: 9n, deadline })
      await expect(token.connect(bob).permit(holder.address, alice.address, 9n, deadline, v, r, s))
        .to.emit(token, 'Approval')
        .withArgs(holder.address, alice.address, 9n)
      expect(await token.nonces(holder.address)).to.equal(1n)
    })

    it('refuses a signature after its deadline', async () => {
      const { token, alice } = await loadFixture(gameTokenFixture)
      const deadline = BigInt(await time.latest()) + 60n
      const { v, r, s } = await signPermit(token, { spender: alice.address, value: 9n, deadline })
      await time.increaseTo(deadline + 1n)
      await expect(token.permit(holder.address, alice.address, 9n, deadline, v, r, s))
        .to.be.revertedWithCustomError(token, 'ERC2612ExpiredSignature')
        .withArgs(deadline)
    })
  })

  it('finds its past events by their indexed arguments', async () => {
    const { token, alice, bob } = await loadFixture(gameTokenFixture)
    await token.connect(alice).transfer(bob.address, 1n)
    await token.connect(alice).transfer(bob.address, 2n)
    const events = await token.queryFilter(token.filters.Transfer(alice.address, bob.address), 0)
    expect(events.map(({ args }) => args.value)).to.deep.equal([1n, 2n])
  })
})
