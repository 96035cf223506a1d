/** Every function of the network helpers, each with what the chain says afterwards. */
const published = require('@nomicfoundation/hardhat-network-helpers')
const { expect } = require('chai')
const { ethers, network } = require('hardhat')

const NOBODY = '0x00000000000000000000000000000000000a11ce'

/** Names of the functions that were called, as `mine` or `time.increase`. */
const called = new Set()
const helpers = watched(published, '')
const { time } = helpers

/** The same functions, each of which tells when it is called. */
function watched(functions, prefix) {
  const entries = Object.entries(functions).map(([name, value]) => {
    const path = `${prefix}${name}`
    if (typeof value !== 'function') return [name, watched(value, `${path}.`)]
    return [name, (...args) => (called.add(path), value(...args))]
  })
  return Object.fromEntries(entries)
}

/** Names of all functions there are. */
function namesIn(functions, prefix = '') {
  return Object.entries(functions).flatMap(([name, value]) =>
    typeof value === 'function' ? [`${prefix}${name}`] : namesIn(value, `${prefix}${name}.`),
  )
}

const latest = () => ethers.provider.getBlock('latest')
const hasBaseFee = async () => (await latest()).baseFeePerGas !== null

describe('network helpers', () => {
  beforeEach(() => helpers.reset())

  describe('time', () => {
    it('latest and latestBlock tell of the newest block', async () => {
      const { timestamp, number } = await latest()
      expect(await time.latest()).to.equal(timestamp)
      expect(await time.latestBlock()).to.equal(number)
    })

    it('increase makes a block so much later, and answers its time', async () => {
      const before = await time.latest()
      expect(await time.increase(time.duration.hours(1))).to.equal(before + 3600)
      expect(await time.latest()).to.equal(before + 3600)
    })

    it('increaseTo makes a block at that time', async () => {
      await time.increaseTo(4_000_000_000n)
      expect(await time.latest()).to.equal(4_000_000_000)
    })

    it('setNextBlockTimestamp makes none by itself', async () => {
      const { number } = await latest()
      await time.setNextBlockTimestamp(new Date('2100-01-01T00:00:00Z'))
      expect(await time.latestBlock()).to.equal(number)
      await helpers.mine()
      expect(await time.latest()).to.equal(4_102_444_800)
    })

    it('advanceBlock and advanceBlockTo make blocks', async () => {
      const { number } = await latest()
      await time.advanceBlock(2)
      expect(await time.latestBlock()).to.equal(number + 2)
      await time.advanceBlockTo(number + 5)
      expect(await time.latestBlock()).to.equal(number + 5)
    })

    it('duration counts seconds', () => {
      const { millis, seconds, minutes, hours, days, weeks, years } = time.duration
      const counted = [millis(2000), seconds(1), minutes(1), hours(1), days(1), weeks(1), years(1)]
      expect(counted).to.deep.equal([2, 1, 60, 3600, 86_400, 604_800, 31_536_000])
    })
  })

  describe('blocks', () => {
    it('mine makes one, or several so many seconds apart', async () => {
      const first = await latest()
      await helpers.mine()
      expect(await time.latestBlock()).to.equal(first.number + 1)
      const second = await latest()
      await helpers.mine(100, { interval: 60 })
      const last = await latest()
      expect(last.number).to.equal(second.number + 100)
      expect(last.timestamp - second.timestamp).to.be.at.least(99 * 60)
    })

    it('mineUpTo makes blocks up to a number', async () => {
      await helpers.mineUpTo(50n)
      expect(await time.latestBlock()).to.equal(50)
      await expect(helpers.mineUpTo(50)).to.be.rejectedWith('is not larger than current')
    })

    it('setBlockGasLimit and setCoinbase hold for every later block', async () => {
      await helpers.setBlockGasLimit(9_000_000)
      await helpers.setCoinbase(NOBODY)
      await helpers.mine(2)
      const { gasLimit, miner } = await latest()
      expect(gasLimit).to.equal(9_000_000n)
      expect(miner.toLowerCase()).to.equal(NOBODY)
    })

    it('setPrevRandao holds for one block, where blocks have it', async () => {
      const value = `0x${'00'.repeat(31)}2a`
      await helpers.setPrevRandao(42)
      await helpers.mine()
      const { mixHash } = await network.provider.send('eth_getBlockByNumber', ['latest', false])
      if (await hasBaseFee()) expect(mixHash).to.equal(value)
    })

    it('setNextBlockBaseFeePerGas holds for one block, or says what there is instead', async () => {
      const setting = helpers.setNextBlockBaseFeePerGas(123_456_789n)
      if (!(await hasBaseFee())) {
        await expect(setting).to.be.rejectedWith('hardhat_setMinGasPrice')
        return
      }
      await setting
      await helpers.mine()
      expect((await latest()).baseFeePerGas).to.equal(123_456_789n)
    })
  })

  describe('accounts', () => {
    it('setBalance', async () => {
      await helpers.setBalance(NOBODY, 100n ** 10n)
      expect(await ethers.provider.getBalance(NOBODY)).to.equal(100n ** 10n)
    })

    it('setCode', async () => {
      await helpers.setCode(NOBODY, '0x600160005260206000f3')
      expect(await ethers.provider.call({ to: NOBODY })).to.equal(`0x${'00'.repeat(31)}01`)
    })

    it('setNonce', async () => {
      await helpers.setNonce(NOBODY, 7)
      expect(await ethers.provider.getTransactionCount(NOBODY)).to.equal(7)
    })

    it('setStorageAt and getStorageAt', async () => {
      await helpers.setStorageAt(NOBODY, 3, 42)
      expect(BigInt(await helpers.getStorageAt(NOBODY, 3))).to.equal(42n)
      expect(BigInt(await helpers.getStorageAt(NOBODY, 4, 'pending'))).to.equal(0n)
    })

    it('impersonateAccount and stopImpersonatingAccount', async () => {
      await helpers.setBalance(NOBODY, ethers.parseEther('1'))
      await helpers.impersonateAccount(NOBODY)
      const signer = await ethers.getSigner(NOBODY)
      const transaction = await signer.sendTransaction({ to: NOBODY, value: 1n })
      expect((await transaction.wait()).from.toLowerCase()).to.equal(NOBODY)
      await helpers.stopImpersonatingAccount(NOBODY)
      await expect(signer.sendTransaction({ to: NOBODY, value: 1n })).to.be.rejectedWith('unknown account')
    })
  })

  it('dropTransaction takes out what waits', async () => {
    const [sender] = await ethers.getSigners()
    await network.provider.send('evm_setAutomine', [false])
    try {
      const { hash } = await sender.sendTransaction({ to: NOBODY, value: 1n, gasLimit: 21_000n })
      expect(await helpers.dropTransaction(hash)).to.equal(true)
      expect(await helpers.dropTransaction(hash)).to.equal(false)
      expect(await ethers.provider.getTransaction(hash)).to.equal(null)
    } finally {
      await network.provider.send('evm_setAutomine', [true])
    }
  })

  describe('snapshots', () => {
    it('takeSnapshot goes back as often as one likes', async () => {
      const snapshot = await helpers.takeSnapshot()
      for (let round = 0; round < 3; round++) {
        await helpers.setBalance(NOBODY, 5n)
        await snapshot.restore()
        expect(await ethers.provider.getBalance(NOBODY)).to.equal(0n)
      }
    })

    it('loadFixture builds once and reverts afterwards', async () => {
      let built = 0
      async function wealthyNobody() {
        built++
        await helpers.setBalance(NOBODY, 7n)
        return 'built'
      }
      for (let round = 0; round < 3; round++) {
        expect(await helpers.loadFixture(wealthyNobody)).to.equal('built')
        expect(await ethers.provider.getBalance(NOBODY)).to.equal(7n)
        await helpers.setBalance(NOBODY, 8n)
      }
      expect(built).to.equal(1)
    })

    it('clearSnapshots has fixtures built again', async () => {
      let built = 0
      async function counted() {
        return ++built
      }
      await helpers.loadFixture(counted)
      await helpers.clearSnapshots()
      expect(await helpers.loadFixture(counted)).to.equal(2)
    })

    it('reset goes back to the genesis, and to a remote chain only if that can be reached', async () => {
      const genesisNumber = await time.latestBlock()
      await helpers.mine(3)
      await helpers.setBalance(NOBODY, 5n)
      await helpers.reset()
      expect(await time.latestBlock()).to.equal(genesisNumber)
      expect(await ethers.provider.getBalance(NOBODY)).to.equal(0n)
      await expect(helpers.reset('http://127.0.0.1:1', 5)).to.be.rejectedWith('the remote http://127.0.0.1:1')
    })
  })

  // A group, as those run behind single tests.
  describe('all there are', () => {
    it('were called', () => {
      const names = namesIn(published)
      expect(names).to.include.members(['mine', 'time.increase', 'time.duration.days'])
      expect(names.filter((name) => !called.has(name))).to.deep.equal([])
    })
  })
})
