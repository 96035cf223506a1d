import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { ContractFactory, JsonRpcProvider, parseEther } from 'ethers'

const { contracts } = JSON.parse(readFileSync('artifacts/contracts.json', 'utf8')).output
const { abi, evm } = contracts['contracts/Auction.sol'].Auction

describe('Auction', () => {
  let provider, seller, ann, bob, auction, beginning

  before(async () => {
    // `chain` is that of this worker of Mocha. ethers would keep answers for a quarter of a second.
    provider = new JsonRpcProvider(chain.url, undefined, { cacheTimeout: -1 })
    ;[seller, ann, bob] = await Promise.all([0, 1, 2].map((index) => provider.getSigner(index)))
    auction = await new ContractFactory(abi, evm.bytecode.object, seller).deploy()
    await auction.waitForDeployment()
    beginning = await chain.snapshot()
  })

  afterEach(() => chain.revert(beginning))

  const bid = (bidder, coins) => auction.connect(bidder).bid({ value: parseEther(coins) })

  it('is led by the highest bid', async () => {
    await bid(ann, '1')
    await bid(bob, '2')
    assert.equal(await auction.leader(), bob.address)
  })

  it('returns the coins of who is outbid', async () => {
    await bid(ann, '1')
    await bid(bob, '2')
    await auction.connect(ann).takeBack()
    assert.equal(await provider.getBalance(auction), parseEther('2'))
  })

  it('refuses a lower bid', async () => {
    await bid(ann, '2')
    await assert.rejects(bid(bob, '1'), ({ data }) => auction.interface.parseError(data).name === 'TooLow')
  })

  it('ends after an hour', async () => {
    await chain.rpc('evm_increaseTime', [3601])
    await chain.rpc('evm_mine')
    await assert.rejects(bid(ann, '1'), ({ data }) => auction.interface.parseError(data).name === 'Ended')
  })
})
