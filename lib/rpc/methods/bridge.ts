/** Methods that read the state of the Bridge to the auxiliary chain and script its responses. */

import * as z from 'zod'
import {
  bridgeSummary,
  bridgeSelectors,
  scriptBridge,
} from '../../networks/network-33/bridge/state-access.ts'
import { invalidParams, param, readMethod } from '../../kernel/method.ts'
import { isHexData, type Hex } from '../../base/hex.ts'
import { NEUTRAL_NAMES, type NetworkNames } from '../../config/names.ts'
import { didYouMean } from '../../config/nearest.ts'
import { data, text } from '../../schema/wire.ts'
import { command } from '../../kernel/control.ts'
import { requireBridge } from './federator.ts'
import { shorten } from '../../base/shorten.ts'

export const bridgeState = readMethod({
  name: 'eth_bridgeState',
  summary: 'Height of the auxiliary chain in the Bridge, and hashes, without 0x, of peg-outs to sign.',
  result: z.strictObject({
    auxBlockchainBestChainHeight: z.int(),
    nodeTxsWaitingForSignatures: z.array(z.string().regex(/^[0-9a-f]{64}$/)),
  }),
  example: { params: [], result: { auxBlockchainBestChainHeight: 0, nodeTxsWaitingForSignatures: [] } },
  run: (_, { chain }) => {
    const { bestHeight, awaitingSignatures } = bridgeSummary(chain.head.state)
    return {
      auxBlockchainBestChainHeight: Number(bestHeight),
      nodeTxsWaitingForSignatures: awaitingSignatures.map((hash) => hash.slice(2)),
    }
  },
})

const SELECTOR = /^0x[0-9a-fA-F]{8}$/

/** A name and types without spaces, as signatures are hashed; types may be tuples and arrays. */
const SIGNATURE = /^[a-zA-Z_$][\w$]*\([\w,()[\]]*\)$/

const scripted = text('a selector (4 bytes) or a signature such as "getFeePerKb()"', (value) =>
  SELECTOR.test(value) || SIGNATURE.test(value) ? value : undefined,
)

/**
 * The selector, or the selector of a signature of the deployed contract, also with the names of the network.
 * @throws NodeError 'invalidParams'
 */
function selectorOf(name: string, names: NetworkNames): Hex {
  const lower = name.toLowerCase()
  if (isHexData(lower)) return lower
  const own = bridgeSelectors(names)
  const found = own.get(name) ?? bridgeSelectors(NEUTRAL_NAMES).get(name)
  if (found !== undefined) return found
  const hint = didYouMean(name, [...own.keys()])
  throw invalidParams(`params[0] (method): the Bridge has no method ${shorten(name)}${hint}`)
}

const RESPONSE_EXPECTED =
  'expected hex data to return, {"revert": data} to revert with, or null for no script'

const response = z.union(
  [
    data.transform((bytes) => ({ isRevert: false, data: bytes })),
    z.strictObject({ revert: data }).transform(({ revert }) => ({ isRevert: true, data: revert })),
    z.null().transform(() => undefined),
  ],
  RESPONSE_EXPECTED,
)

export const setBridgeResponse = command({
  name: 'dev_setBridgeResponse',
  summary:
    'Scripts a method of the Bridge: every call, with any sender and arguments, returns the given data or reverts with it, for the gas of the method. The script is part of the state after the newest block, so evm_revert and resets remove it.',
  params: [
    param('method', scripted, 'Selector or signature of the method.'),
    param('response', response, 'Encoded return data; {revert: data}; null to remove the script.'),
  ],
  errors: ['invalidParams'],
  example: { params: ['getFeePerKb()', `0x${'00'.repeat(31)}2a`], result: null },
  run: ({ method: name, response: scriptedResult }, node) => {
    requireBridge(node)
    const { chain, network } = node
    const selector = selectorOf(name, network.names)
    chain.editHead((state) => scriptBridge(state, selector, scriptedResult))
  },
})
