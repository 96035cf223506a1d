/** The state of the Bridge. */

import { expect, test } from '@jest/globals'
import { call, freshNode } from '../../support/node.ts'

test('a fresh chain knows no auxiliary block, and no release waits', async () => {
  expect(await call(await freshNode(), 'eth_bridgeState')).toEqual({
    auxBlockchainBestChainHeight: 0,
    nodeTxsWaitingForSignatures: [],
  })
})
