import { expect, test } from '@jest/globals'
import { call, freshNode, refusal } from '../../support/node.ts'

test.each(['eth_getBlockAccessList', 'debug_getRawBlockAccessList'])(
  '%s returns null for a block that is unknown or has no list',
  async (method) => {
    const node = await freshNode({ network: 'ethereum' })
    await call(node, 'evm_mine')
    for (const block of ['latest', '0x99', `0x${'12'.repeat(32)}`])
      expect(await call(node, method, [block])).toBeNull()
    expect((await refusal(node, method, ['newest'])).message).toMatch(/block/)
  },
)

test('eth_getBlockAccessList has the changes of each part of a block', async () => {
  const node = await freshNode({ network: 'ethereum', hardfork: 'amsterdam' })
  const from = node.funded[0]!.address
  await call(node, 'evm_setAutomine', [false])
  // Each stores the number of its own value and reads the slot after it: SSTORE, SLOAD.
  const address = `0x${'c0'.repeat(20)}`
  await call(node, 'hardhat_setCode', [address, '0x345f556001545000'])
  for (const value of ['0x1', '0x2'])
    await call(node, 'eth_sendTransaction', [{ from, to: address, value, gas: '0x30000' }])
  await call(node, 'evm_mine')
  const list: { address: string }[] = await call(node, 'eth_getBlockAccessList', ['latest'])
  const word = (value: number) => `0x${value.toString(16).padStart(64, '0')}`
  expect(list.find((account) => account.address === address)).toEqual({
    address,
    storageChanges: [
      {
        key: word(0),
        changes: [
          { index: '0x1', value: word(1) },
          { index: '0x2', value: word(2) },
        ],
      },
    ],
    storageReads: [word(1)],
    balanceChanges: [
      { index: '0x1', value: '0x1' },
      { index: '0x2', value: '0x3' },
    ],
    nonceChanges: [],
    codeChanges: [],
  })
})
