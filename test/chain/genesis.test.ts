import { describe, expect, test } from '@jest/globals'
import { precompileAddress } from '../../lib/evm/precompile.ts'
import { freshNode } from '../support/node.ts'

/** The precompiles of network 33 (node-chain 10.1). */
const NATIVES = [
  1, 2, 3, 4, 5, 6, 7, 8, 9, 0x01000006, 0x01000008, 0x01000009, 0x01000010, 0x01000011, 0x01000016,
  0x01000017,
].map(precompileAddress)

const BRIDGE = precompileAddress(0x01000006)
const COINS = 21_000_000n * 10n ** 18n

describe('the genesis state', () => {
  test('of network 33 has an account of every precompile, and all coins at the bridge', async () => {
    const { state } = (await freshNode()).chain.genesis
    const expected = NATIVES.map((address) => [address, 0n, address === BRIDGE ? COINS : 0n])
    const found = NATIVES.map((address) => {
      const account = state.account(address)
      return [address, account?.nonce, account?.balance]
    })
    expect(found).toEqual(expected)
  })
})
