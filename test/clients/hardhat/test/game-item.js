const { loadFixture } = require('@nomicfoundation/hardhat-network-helpers')
const { expect } = require('chai')
const { ethers } = require('hardhat')
const { gameItemFixture } = require('./fixtures')

describe('GameItem', () => {
  it('numbers items in the order of their awards', async () => {
    const { item, bob } = await loadFixture(gameItemFixture)
    expect(await item.award.staticCall(bob.address)).to.equal(2n)
    await expect(item.award(bob.address))
      .to.emit(item, 'Transfer')
      .withArgs(ethers.ZeroAddress, bob.address, 2n)
    expect(await item.ownerOf(2n)).to.equal(bob.address)
    expect(await item.tokenURI(2n)).to.equal('https://game.example/items/2')
  })

  it('moves an item and clears its approval', async () => {
    const { item, alice, bob, market } = await loadFixture(gameItemFixture)
    await item.connect(alice).approve(market.address, 1n)
    await expect(item.connect(alice).transferFrom(alice.address, bob.address, 1n)).to.changeTokenBalances(
      item,
      [alice, bob],
      [-1, 1],
    )
    expect(await item.getApproved(1n)).to.equal(ethers.ZeroAddress)
  })

  it('lets an approved account move one item', async () => {
    const { item, alice, bob, market } = await loadFixture(gameItemFixture)
    await expect(item.connect(alice).approve(market.address, 1n))
      .to.emit(item, 'Approval')
      .withArgs(alice.address, market.address, 1n)
    await item.connect(market).transferFrom(alice.address, bob.address, 1n)
    expect(await item.ownerOf(1n)).to.equal(bob.address)
  })

  it('lets an operator move every item', async () => {
    const { item, alice, bob, market } = await loadFixture(gameItemFixture)
    await item.award(alice.address)
    await expect(item.connect(alice).setApprovalForAll(market.address, true))
      .to.emit(item, 'ApprovalForAll')
      .withArgs(alice.address, market.address, true)
    for (const id of [1n, 2n]) {
      await item.connect(market)['safeTransferFrom(address,address,uint256)'](alice.address, bob.address, id)
    }
    expect(await item.balanceOf(bob.address)).to.equal(2n)
  })

  it('refuses a stranger', async () => {
    const { item, alice, bob } = await loadFixture(gameItemFixture)
    await expect(item.connect(bob).transferFrom(alice.address, bob.address, 1n))
      .to.be.revertedWithCustomError(item, 'ERC721InsufficientApproval')
      .withArgs(bob.address, 1n)
  })

  it('does not know an item never awarded', async () => {
    const { item } = await loadFixture(gameItemFixture)
    await expect(item.ownerOf(99n))
      .to.be.revertedWithCustomError(item, 'ERC721NonexistentToken')
      .withArgs(99n)
  })

  it('refuses a contract that cannot hold items', async () => {
    const { item, alice } = await loadFixture(gameItemFixture)
    await expect(
      item.connect(alice)['safeTransferFrom(address,address,uint256)'](alice.address, item.target, 1n),
    )
      .to.be.revertedWithCustomError(item, 'ERC721InvalidReceiver')
      .withArgs(item.target)
  })
})
