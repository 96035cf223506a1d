/** Accounts and keys of the reference node (node-rpc 5.12). */

import { expect, test } from '@jest/globals'
import { faithfulNode } from '../../support/faithful.ts'

const UNKNOWN = `0x${'ab'.repeat(20)}`
const FAILS = { code: -32603, message: 'Internal server error' }

test('the account of the miner is listed after those of the network, and before new ones', async () => {
  const { ask, node } = await faithfulNode()
  const added = await ask('personal_newAccount', 'secret')
  const funded = node.funded.map(({ address }) => address)
  expect(await ask('eth_accounts')).toEqual([...funded, node.network.coinbase, added])
})

test('what needs a key that is not there fails', async () => {
  const { ask, owner } = await faithfulNode()
  expect(await ask('personal_dumpRawKey', UNKNOWN)).toEqual(FAILS)
  expect(await ask('personal_unlockAccount', UNKNOWN, 'secret', '0x1')).toBe(false)
  expect(await ask('personal_lockAccount', UNKNOWN)).toBe(false)
  expect(await ask('eth_sign', UNKNOWN, '0x12')).toEqual({ code: -32602, message: 'Account not found' })
  expect(await ask('eth_sendTransaction', { from: UNKNOWN, to: owner })).toEqual({
    code: -32602,
    message: `Could not find account for address: ${UNKNOWN}`,
  })
})

test('a wrong passphrase is an internal error', async () => {
  const { ask } = await faithfulNode()
  const account = await ask('personal_newAccount', 'secret')
  await ask('personal_lockAccount', account)
  expect(await ask('personal_unlockAccount', account, 'other', '0x1')).toEqual(FAILS)
})
