const { parseEther } = require('ethers')
const { openClub } = require('./club.js')

const YEAR = 365 * 86_400

test('members enter for a year', async () => {
  const { club } = await openClub()
  await club.join({ value: parseEther('1') })
  await chain.rpc('evm_increaseTime', [YEAR - 60])
  await club.enter()
})

test('members do not enter later', async () => {
  const { club } = await openClub()
  await club.join({ value: parseEther('1') })
  const joined = await chain.snapshot()
  await chain.rpc('evm_increaseTime', [YEAR + 60])
  await chain.rpc('evm_mine')
  await expect(club.enter()).rejects.toThrow('execution reverted')
  await chain.revert(joined)
  await club.enter()
})
