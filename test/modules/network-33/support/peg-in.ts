/** Peg-ins through the methods of a node: the Bridge's events, its registration by a user, payments to the federation. */

import { toHex, toQuantity } from '../../../../lib/base/hex.ts'
import { BRIDGE_EVENTS } from '../../../../lib/modules/network-33/bridge/events.ts'
import {
  federationOutputScript,
  genesisFederation,
} from '../../../../lib/modules/network-33/bridge/federation.ts'
import type { Node } from '../../../../lib/node/node.ts'
import { auxTransaction, keyScript } from './aux-chain.ts'
import type { Spent } from './aux-chain.ts'
import { readBridgeState } from './bridge-state.ts'
import { dataOf } from './bridge.ts'
import { call } from '../../../support/node.ts'
import { decoded } from '../../../support/precompile-calls.ts'
import { COW, keyOf } from '../../../support/signing.ts'

export const BRIDGE = '0x0000000000000000000000000000000001000006'
/** An account of which the chain knows nothing. */
export const UNUSED = `0x${'5a'.repeat(20)}`
/** The minimum of a peg-in, in wei. */
export const MINIMUM = toQuantity(5n * 10n ** 15n)

export const balance = async (node: Node, address: string) =>
  BigInt(await call(node, 'eth_getBalance', [address]))

/** Names of the events of a transaction, with the last word of their data. */
export async function bridgeEvents(
  node: Node,
  hash: string,
): Promise<readonly (readonly [name: string, lastWord: bigint])[]> {
  const { logs } = await call(node, 'eth_getTransactionReceipt', [hash])
  return logs.map(({ topics, data }: { topics: string[]; data: string }) => [
    Object.entries(BRIDGE_EVENTS).find(([, { topic }]) => topic === topics[0])![0],
    BigInt(`0x${data.slice(-64)}`),
  ])
}

/** Sends a call of the Bridge from a user; returns the hash. */
export const callBridge = (node: Node, name: string, args: unknown[]): Promise<string> =>
  call(node, 'eth_sendTransaction', [{ from: COW, to: BRIDGE, gas: '0x4c4b40', data: dataOf(name, args) }])

/** Registers a transaction, as `dev_auxTransaction` shows it. */
export const register = (
  node: Node,
  { raw, height, partialMerkleTree }: { raw: string; height: string; partialMerkleTree: string },
): Promise<string> => callBridge(node, 'registerAuxTransaction', [raw, BigInt(height), partialMerkleTree])

/** A payment to the federation from the account cow1. */
export const payment = (input: Spent = { script: keyScript(keyOf('cow1')) }, sat = 500_000n) =>
  toHex(auxTransaction([input], [{ sat, script: federationOutputScript(genesisFederation('9.0.3')) }]))

/** Coins of the Bridge in sat, and numbers of its peg-outs by stage. */
export async function readBridge(node: Node) {
  const encoded = await call(node, 'eth_call', [
    { to: BRIDGE, data: dataOf('getStateForDebugging', []) },
    'latest',
  ])
  const { outputs, queue, confirming, signing } = readBridgeState(String(decoded('bytes', encoded)))
  return {
    outputs: outputs.reduce((sum, { sat }) => sum + sat, 0n),
    queue: queue.length,
    confirming: confirming.length,
    signing: signing.length,
  }
}
