/** Methods about peers and the network id. */

import { expect, test } from '@jest/globals'
import { call, freshNode } from '../../support/node.ts'

test('net_version and eth_networkId return the chain id, also after anvil_setChainId', async () => {
  const node = await freshNode({ network: 'ethereum', chainId: '1234' })
  for (const name of ['net_version', 'eth_networkId']) expect(await call(node, name)).toBe('1234')
  await call(node, 'anvil_setChainId', ['0x5'])
  expect(await call(node, 'net_version')).toBe('5')
})

test('the node listens and has no peers', async () => {
  const node = await freshNode()
  expect(await call(node, 'net_listening')).toBe(true)
  expect(await call(node, 'net_peerCount')).toBe('0x0')
})
