const { PANIC_CODES } = require('@nomicfoundation/hardhat-chai-matchers/panic')
const { anyValue } = require('@nomicfoundation/hardhat-chai-matchers/withArgs')
const { loadFixture } = require('@nomicfoundation/hardhat-network-helpers')
const { expect } = require('chai')
const { ethers } = require('hardhat')
const { reverterFixture } = require('./fixtures')

describe('Reverter', () => {
  /** Gas given by hand leaves out the estimate, so that the transaction itself is what fails. */
  const withGas = { gasLimit: 200_000n }

  for (const [how, overrides] of [
    ['estimated', {}],
    ['sent with gas given', withGas],
  ]) {
    describe(how, () => {
      it('fails with a reason', async () => {
        const { reverter } = await loadFixture(reverterFixture)
        await expect(reverter.withReason('out of order', overrides)).to.be.revertedWith('out of order')
      })

      it('fails with a reason that is empty, long, or not ASCII', async () => {
        const { reverter } = await loadFixture(reverterFixture)
        for (const reason of ['', 'long '.repeat(40), "naïve 'quotes' – ✓"]) {
          await expect(reverter.withReason(reason, overrides)).to.be.revertedWith(reason)
        }
      })

      it('fails with a custom error and its arguments', async () => {
        const { reverter, caller } = await loadFixture(reverterFixture)
        await expect(reverter.withCustomError(42n, 'no', overrides))
          .to.be.revertedWithCustomError(reverter, 'Refused')
          .withArgs(caller.address, 42n, 'no')
        await expect(reverter.withCustomError(42n, 'no', overrides))
          .to.be.revertedWithCustomError(reverter, 'Refused')
          .withArgs(anyValue, (code) => code > 41n, 'no')
      })

      it('fails with the panic of a division by zero', async () => {
        const { reverter } = await loadFixture(reverterFixture)
        await expect(reverter.withPanic(0n, overrides)).to.be.revertedWithPanic(PANIC_CODES.DIVISION_BY_ZERO)
      })

      it('fails with the panic of an assertion', async () => {
        const { reverter } = await loadFixture(reverterFixture)
        await expect(reverter.withFailedAssertion(overrides)).to.be.revertedWithPanic(
          PANIC_CODES.ASSERTION_ERROR,
        )
      })

      it('fails without a reason', async () => {
        const { reverter } = await loadFixture(reverterFixture)
        await expect(reverter.withoutReason(overrides)).to.be.revertedWithoutReason()
      })

      it('fails with an invalid opcode', async () => {
        const { reverter } = await loadFixture(reverterFixture)
        await expect(reverter.withInvalidOpcode(overrides)).to.be.reverted
      })

      it('does not fail where nothing is wrong', async () => {
        const { reverter } = await loadFixture(reverterFixture)
        await expect(reverter.withPanic(1n, overrides)).not.to.be.reverted
        expect(await reverter.attempts()).to.equal(1n)
      })
    })
  }

  describe('called', () => {
    it('fails with a reason', async () => {
      const { reverter } = await loadFixture(reverterFixture)
      await expect(reverter.callWithReason('out of order')).to.be.revertedWith('out of order')
    })

    it('fails with a custom error and its arguments', async () => {
      const { reverter, caller } = await loadFixture(reverterFixture)
      await expect(reverter.callWithCustomError(42n, 'no'))
        .to.be.revertedWithCustomError(reverter, 'Refused')
        .withArgs(caller.address, 42n, 'no')
    })

    it('fails with a panic', async () => {
      const { reverter } = await loadFixture(reverterFixture)
      await expect(reverter.callWithPanic(0n)).to.be.revertedWithPanic(PANIC_CODES.DIVISION_BY_ZERO)
    })

    it('fails without a reason', async () => {
      const { reverter } = await loadFixture(reverterFixture)
      await expect(reverter.callWithoutReason()).to.be.revertedWithoutReason()
    })
  })

  it('undoes what the failed transaction wrote, and counts it in the nonce of the sender', async () => {
    const { reverter, caller } = await loadFixture(reverterFixture)
    const nonce = await caller.getNonce()
    await expect(reverter.withReason('out of order', withGas)).to.be.revertedWith('out of order')
    expect(await reverter.attempts()).to.equal(0n)
    expect(await caller.getNonce()).to.equal(nonce + 1)
  })

  it('leaves a receipt of the failed transaction in its block', async () => {
    const { reverter } = await loadFixture(reverterFixture)
    await expect(reverter.withReason('out of order', withGas)).to.be.revertedWith('out of order')
    const block = await ethers.provider.getBlock('latest')
    const receipt = await ethers.provider.getTransactionReceipt(block.transactions[0])
    expect(receipt.status).to.equal(0)
    expect(receipt.to).to.equal(reverter.target)
  })
})
