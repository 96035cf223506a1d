/** Requests of a chain while a key is derived from a passphrase, which takes a second with --keystore-scrypt standard. */

import { describe, expect, test } from '@jest/globals'
import { call, freshNode } from '../support/node.ts'
import { ACCOUNT, KEY, transfer, withLocked } from '../support/locked-account.ts'

/** The names of requests in the order of their answers. */
async function answered(requests: Readonly<Record<string, Promise<unknown>>>): Promise<readonly string[]> {
  const names: string[] = []
  await Promise.all(Object.entries(requests).map(([name, answer]) => answer.then(() => names.push(name))))
  return names
}

describe('while a key is derived', () => {
  test.each([
    ['personal_newAccount', ['secret']],
    ['personal_importRawKey', [`0x${'43'.repeat(32)}`, 'secret']],
    ['evm_addAccount', [`0x${'44'.repeat(20)}`, 'secret']],
    ['personal_unlockAccount', [ACCOUNT, 'secret']],
    ['personal_sendTransaction', [transfer, 'secret']],
    ['evm_removeAccount', [ACCOUNT, 'secret']],
  ])('%s lets reads in, and no write', async (method, params) => {
    const { node } = await withLocked()
    const requests = {
      derivation: call(node, method, params),
      write: call(node, 'evm_mine', []),
      read: call(node, 'eth_accounts', []),
    }
    expect(await answered(requests)).toEqual(['read', 'derivation', 'write'])
  })

  test('reads see the accounts from before', async () => {
    const node = await freshNode()
    const [account, accounts] = await Promise.all([
      call(node, 'personal_importRawKey', [KEY, 'secret']),
      call(node, 'eth_accounts'),
    ])
    expect(accounts).not.toContain(account)
    expect(await call(node, 'eth_accounts')).toContain(account)
  })

  test('a revert waits, and removes the account', async () => {
    const node = await freshNode()
    const snapshot = await call(node, 'evm_snapshot')
    const [account, isReverted] = await Promise.all([
      call(node, 'personal_importRawKey', [KEY, 'secret']),
      call(node, 'evm_revert', [snapshot]),
    ])
    expect(isReverted).toBe(true)
    expect(await call(node, 'eth_accounts')).not.toContain(account)
  })

  test('a second import of the key adds no second account, and its passphrase is the last', async () => {
    const node = await freshNode()
    await Promise.all(['first', 'second'].map((given) => call(node, 'personal_importRawKey', [KEY, given])))
    expect((await call(node, 'eth_accounts')).filter((one: string) => one === ACCOUNT)).toHaveLength(1)
    expect(await call(node, 'personal_unlockAccount', [ACCOUNT, 'second'])).toBe(true)
  })
})
