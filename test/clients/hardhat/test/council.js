const { loadFixture, mine, time } = require('@nomicfoundation/hardhat-network-helpers')
const { expect } = require('chai')
const { ethers } = require('hardhat')
const { councilFixture, unit } = require('./fixtures')

const ProposalState = { pending: 0n, active: 1n, succeeded: 4n, queued: 5n, executed: 7n }
const Vote = { against: 0, for: 1 }

describe('Council', () => {
  /** A council with one proposal: to mint game tokens to its third member. */
  async function proposedFixture() {
    const fixture = await councilFixture()
    const { council, token, members } = fixture
    const description = 'Mint 50 GAME to the third member'
    const mint = token.interface.encodeFunctionData('mint', [members[2].address, 50n * unit])
    const actions = [[token.target], [0n], [mint]]
    await council.connect(members[0]).propose(...actions, description)
    const call = [...actions, ethers.id(description)]
    const proposalId = await council.hashProposal(...call)
    return { ...fixture, call, proposalId, description }
  }

  async function votableFixture() {
    const fixture = await proposedFixture()
    await mine(fixture.settings.delayBlocks + 1n)
    return fixture
  }

  async function succeededFixture() {
    const fixture = await votableFixture()
    const { council, members, proposalId, settings } = fixture
    await council.connect(members[0]).castVote(proposalId, Vote.for)
    await council.connect(members[1]).castVote(proposalId, Vote.for)
    await council.connect(members[2]).castVote(proposalId, Vote.against)
    await mine(settings.periodBlocks)
    return fixture
  }

  async function queuedFixture() {
    const fixture = await succeededFixture()
    await fixture.council.queue(...fixture.call)
    return fixture
  }

  it('remembers the votes of earlier blocks', async () => {
    const { votes, members } = await loadFixture(councilFixture)
    const before = await time.latestBlock()
    await votes.connect(members[0]).transfer(members[3].address, 100n * unit)
    await mine()
    expect(await votes.getPastVotes(members[0].address, before)).to.equal(400n * unit)
    expect(await votes.getPastVotes(members[0].address, before + 1)).to.equal(300n * unit)
  })

  it('takes a proposal of a member', async () => {
    const { council, token, members, settings } = await loadFixture(councilFixture)
    const actions = [[token.target], [0n], ['0x']]
    const proposalId = await council.hashProposal(...actions, ethers.id('Nothing'))
    const block = BigInt(await time.latestBlock()) + 1n
    await expect(council.connect(members[0]).propose(...actions, 'Nothing'))
      .to.emit(council, 'ProposalCreated')
      .withArgs(
        proposalId,
        members[0].address,
        [token.target],
        [0n],
        [''],
        ['0x'],
        block + settings.delayBlocks,
        block + settings.delayBlocks + settings.periodBlocks,
        'Nothing',
      )
    expect(await council.state(proposalId)).to.equal(ProposalState.pending)
  })

  it('lets a proposal succeed with a quorum and a majority', async () => {
    const { council, proposalId } = await loadFixture(succeededFixture)
    expect(await council.state(proposalId)).to.equal(ProposalState.succeeded)
    expect(await council.proposalVotes(proposalId)).to.deep.equal([200n * unit, 700n * unit, 0n])
  })

  it('queues it in the timelock for a day', async () => {
    const { council, call, proposalId, settings } = await loadFixture(succeededFixture)
    const moment = BigInt(await time.latest()) + 100n
    await time.setNextBlockTimestamp(moment)
    await expect(council.queue(...call))
      .to.emit(council, 'ProposalQueued')
      .withArgs(proposalId, moment + settings.timelockSeconds)
    expect(await council.proposalEta(proposalId)).to.equal(moment + settings.timelockSeconds)
    expect(await council.state(proposalId)).to.equal(ProposalState.queued)
  })

  it('refuses to execute it before the day is over', async () => {
    const { council, timelock, call, settings } = await loadFixture(queuedFixture)
    await time.increase(settings.timelockSeconds - 60n)
    await expect(council.execute(...call)).to.be.revertedWithCustomError(
      timelock,
      'TimelockUnexpectedOperationState',
    )
  })

  it('executes it after the day', async () => {
    const { council, token, members, call, proposalId } = await loadFixture(queuedFixture)
    await time.increaseTo(await council.proposalEta(proposalId))
    const execution = council.execute(...call)
    await expect(execution).to.emit(council, 'ProposalExecuted').withArgs(proposalId)
    await expect(execution).to.changeTokenBalance(token, members[2], 50n * unit)
    expect(await council.state(proposalId)).to.equal(ProposalState.executed)
  })
})
