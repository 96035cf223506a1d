/** Signatures with the keys of the node. */

import { expect, test } from '@jest/globals'
import { call, freshNode } from '../../support/node.ts'
import { COW, COW1 } from '../../support/signing.ts'

test('eth_signTransaction signs the transaction that eth_sendTransaction sends', async () => {
  const node = await freshNode()
  const { raw, tx } = await call(node, 'eth_signTransaction', [{ from: COW, to: COW1, value: '0x1' }])
  expect(tx).toMatchObject({ from: COW, to: COW1, value: '0x1', nonce: '0x0', blockHash: null })
  expect(await call(node, 'eth_blockNumber')).toBe('0x0')
  const params = [{ from: COW, to: COW1, value: '0x1' }]
  expect(await call(node, 'eth_signTransaction', params, 'ethereum')).toBe(raw)
  expect(await call(node, 'eth_sendRawTransaction', [raw])).toBe(tx.hash)
})
