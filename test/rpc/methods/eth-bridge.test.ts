/** The state of the Bridge. */

import { expect, test } from '@jest/globals'
import { call, freshNode } from '../../support/node.ts'

test('eth_bridgeState of a new chain has auxiliary height 0 and no waiting transactions', async () => {
  expect(await call(await freshNode(), 'eth_bridgeState')).toEqual({
    auxBlockchainBestChainHeight: 0,
    nodeTxsWaitingForSignatures: [],
  })
})
