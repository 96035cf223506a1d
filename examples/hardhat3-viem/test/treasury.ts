import { describe, it } from 'node:test'
import { network } from 'hardhat'
import { getAddress, parseEther } from 'viem'

const { viem, networkHelpers } = await network.create()
const [stranger, receiver] = await viem.getWalletClients()

/** Nobody here has the key of this account. */
const COUNCIL = getAddress('0x00000000000000000000000000000000000c0c11')

/** Runs once. Later tests revert to a snapshot of its end. */
async function fillTreasury() {
  const treasury = await viem.deployContract('Treasury', [COUNCIL], { value: parseEther('10') })
  await networkHelpers.impersonateAccount(COUNCIL)
  await networkHelpers.setBalance(COUNCIL, parseEther('1'))
  return treasury
}

/** A payment that the council proposed. */
async function proposePayment() {
  const treasury = await networkHelpers.loadFixture(fillTreasury)
  await treasury.write.propose([receiver.account.address, parseEther('3')], { account: COUNCIL })
  return treasury
}

describe('Treasury', () => {
  it('takes proposals of the council, impersonated', async () => {
    const treasury = await networkHelpers.loadFixture(fillTreasury)
    const to = receiver.account.address
    await viem.assertions.emitWithArgs(
      treasury.write.propose([to, 1n], { account: COUNCIL }),
      treasury,
      'Proposed',
      [0n, getAddress(to), 1n],
    )
  })

  it('takes no proposals of others', async () => {
    const treasury = await networkHelpers.loadFixture(fillTreasury)
    await viem.assertions.revertWithCustomErrorWithArgs(
      treasury.write.propose([receiver.account.address, 1n], { account: stranger.account }),
      treasury,
      'NotCouncil',
      [getAddress(stranger.account.address)],
    )
  })

  it('pays nothing on the first day', async () => {
    const treasury = await proposePayment()
    await networkHelpers.time.increase(86_400)
    await viem.assertions.revertWithCustomError(treasury.write.pay([0n]), treasury, 'TooEarly')
  })

  it('pays after two days', async () => {
    const treasury = await proposePayment()
    await networkHelpers.time.increase(2 * 86_400)
    await viem.assertions.balancesHaveChanged(treasury.write.pay([0n]), [
      { address: treasury.address, amount: -parseEther('3') },
      { address: receiver.account.address, amount: parseEther('3') },
    ])
  })
})
