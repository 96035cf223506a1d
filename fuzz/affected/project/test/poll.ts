import { loadFixture, time } from '@nomicfoundation/hardhat-network-helpers'
import { expect } from 'chai'
import { ethers } from 'hardhat'

async function deployPoll() {
  const ranking = await ethers.deployContract('Ranking')
  const libraries = { Ranking: await ranking.getAddress() }
  const poll: any = await ethers.deployContract('Poll', [3, 3600], { libraries })
  return { poll, voters: await ethers.getSigners() }
}

describe('Poll', () => {
  it('is won by the choice with most votes', async () => {
    const { poll, voters } = await loadFixture(deployPoll)
    for (const [index, choice] of [0, 2, 2].entries()) await poll.connect(voters[index]).vote(choice)
    expect(await poll.winner()).to.equal(2n)
  })

  it('needs two votes, of two accounts', async () => {
    const { poll, voters } = await loadFixture(deployPoll)
    await poll.vote(1)
    await expect(poll.winner()).to.be.revertedWith('too few votes')
    await expect(poll.vote(1)).to.be.revertedWithCustomError(poll, 'AlreadyVoted')
    await poll.connect(voters[1]).vote(1)
    expect(await poll.winner()).to.equal(1n)
  })

  it('ends', async () => {
    const { poll } = await loadFixture(deployPoll)
    await time.increaseTo(await poll.endsAt())
    await expect(poll.vote(1)).to.be.revertedWith('has ended')
  })
})
