import { expect, test } from '@jest/globals'
import { fromHex } from '../../lib/base/hex.ts'
import { crc32 } from '../../lib/crypto/crc32.ts'

test.each([
  // The check value of the algorithm, and the fork id of Ethereum's first blocks (EIP-2124).
  ['123456789 as text', `0x${Buffer.from('123456789').toString('hex')}`, 0xcbf43926],
  [
    'the genesis of Ethereum',
    '0xd4e56740f876aef8c010b86a40d5f56745a118d0906a34e69aec8c0db1cb8fa3',
    0xfc64ec04,
  ],
])('crc32 of %s', (_, bytes, expected) => {
  expect(crc32(fromHex(bytes))).toBe(expected)
})
