/** Hashes for clients. */

import { expect, test } from '@jest/globals'
import { keccak256 } from 'viem'
import { call, freshNode } from '../../support/node.ts'

test.each(['0x', '0x00', `0x${'ab'.repeat(200)}`] as const)('web3_sha3 hashes %s like viem', async (data) => {
  expect(await call(await freshNode(), 'web3_sha3', [data])).toBe(keccak256(data))
})
