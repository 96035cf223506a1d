import { expect } from 'chai'
import { deploy } from './helpers/deploy'

describe('Fees', () => {
  let probe: any

  before(async () => {
    probe = await deploy('FeesProbe')
  })

  for (const [price, rate, fee] of [
    [1000, 250, 25n],
    [10, 0, 0n],
    [10, 1, 1n],
    [10, 10_000, 10n],
  ] as const) {
    it(`are ${fee} of ${price} at a rate of ${rate}`, async () => {
      expect(await probe.feeOf(price, rate)).to.equal(fee)
    })
  }

  it('are not more than the price', async () => {
    await expect(probe.feeOf(10, 10_001)).to.be.revertedWith('rate is too high')
  })
})
