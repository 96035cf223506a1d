const { parseEther } = require('ethers')
const { openClub, provider } = require('./club.js')

const value = parseEther('1')

test('a visitor joins', async () => {
  const { club, visitor } = await openClub()
  await club.join({ value })
  const [event] = await club.queryFilter('Joined')
  expect(event.args.member).toBe(visitor.address)
  expect(await provider.getBalance(club)).toBe(value)
})

test('a club begins without coins', async () => {
  const { club } = await openClub()
  expect(await provider.getBalance(club)).toBe(0n)
})

test('a wrong fee is refused', async () => {
  const { club } = await openClub()
  const { revert } = await club.join.staticCall({ value: 1n }).catch((error) => error)
  expect([revert.name, ...revert.args]).toEqual(['WrongFee', 1n, value])
})
