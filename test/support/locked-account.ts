/** A node with an imported account that is locked. */

import { Wallet } from 'ethers'
import { ManualHost, call, freshNode } from './node.ts'
import { COW, COW1 } from './signing.ts'

/** Key and address of the imported account. */
export const KEY = `0x${'42'.repeat(32)}`
export const ACCOUNT = new Wallet(KEY).address.toLowerCase()

/** An account that the node does not have. */
export const ABSENT = `0x${'12'.repeat(20)}`

/** Imports, funds and locks the account. */
export async function withLocked() {
  const host = new ManualHost()
  const node = await freshNode({}, host)
  await call(node, 'personal_importRawKey', [KEY, 'secret'])
  await call(node, 'eth_sendTransaction', [{ from: COW, to: ACCOUNT, value: '0xde0b6b3a7640000' }])
  await call(node, 'personal_lockAccount', [ACCOUNT])
  return { node, host }
}

/** A transaction of the imported account. */
export const transfer = { from: ACCOUNT, to: COW1, value: '0x1' }
