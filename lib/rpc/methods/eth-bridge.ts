/** Returns the state of the Bridge to the auxiliary chain. */

import * as z from 'zod'
import { bridgeSummary } from '../../evm/precompiles/network-33/bridge/state-access.ts'
import { method } from '../method.ts'

export const bridgeState = method({
  name: 'eth_bridgeState',
  summary:
    'Height of the auxiliary chain in the Bridge, and hashes, without 0x, of the transactions whose peg-outs need signatures.',
  result: z.strictObject({
    auxBlockchainBestChainHeight: z.int(),
    nodeTxsWaitingForSignatures: z.array(z.string().regex(/^[0-9a-f]{64}$/)),
  }),
  example: {
    params: [],
    result: { auxBlockchainBestChainHeight: 0, nodeTxsWaitingForSignatures: [] },
  },
  run: (_, { chain }) => {
    const { bestHeight, awaitingSignatures } = bridgeSummary(chain.head.state)
    return {
      auxBlockchainBestChainHeight: Number(bestHeight),
      nodeTxsWaitingForSignatures: awaitingSignatures.map((hash) => hash.slice(2)),
    }
  },
})
