/** The bridge to the auxiliary chain, as its contract describes itself. */

import { z } from 'zod'
import { asAddress, bytesToBigInt, fromHex } from '../../base/hex.ts'
import type { Node } from '../../node.ts'
import { method } from '../method.ts'
import { asView } from '../render/block.ts'

/** Address of the bridge contract (node-chain 10.1). */
const BRIDGE = asAddress('0x0000000000000000000000000000000001000006')

/** `getAuxBlockchainBestChainHeight()` of the bridge (node-chain 10.4). */
const GET_BEST_HEIGHT = fromHex('0x14c89c01')

const bridgeState = method({
  name: 'eth_bridgeState',
  summary:
    'Height of the auxiliary chain as the bridge contract knows it, and releases that wait for signatures. Nothing releases coins on a local chain, so that none wait.',
  params: [],
  result: z.strictObject({
    auxBlockchainBestChainHeight: z.int(),
    nodeTxsWaitingForSignatures: z.array(z.string().regex(/^[0-9a-f]{64}$/)),
  }),
  access: 'read',
  example: {
    params: [],
    result: { auxBlockchainBestChainHeight: 0, nodeTxsWaitingForSignatures: [] },
  },
  run: async (_, node) => ({
    auxBlockchainBestChainHeight: Number(await bestHeight(node)),
    nodeTxsWaitingForSignatures: [],
  }),
})

/** Asks the contract at the head; zero, as on a fresh chain, where the address has no code to answer. */
async function bestHeight({ chain, simulator }: Node): Promise<bigint> {
  const outcome = await simulator.call(asView(chain.head), { to: BRIDGE, data: GET_BEST_HEIGHT })
  if (outcome.status !== 'success' || outcome.returnData.length !== 32) return 0n
  return BigInt.asIntN(256, bytesToBigInt(outcome.returnData))
}

export const ethBridgeMethods = [bridgeState]
