/** Steps of a peg-out of 0.004 coins through the methods of a node, each as a user or a member of the federation takes it. */

import { fromHex, toHex } from '../../../../lib/base/hex.ts'
import { curve } from '../../../../lib/crypto/secp256k1.ts'
import { FEDERATOR } from '../../../../lib/modules/network-33/aux-chain/registration.ts'
import { pushesOf } from '../../../../lib/modules/network-33/bridge/aux-address.ts'
import {
  readAuxTransaction,
  plainSignatureHash,
} from '../../../../lib/modules/network-33/bridge/aux-transaction.ts'
import { derOf } from './aux-chain.ts'
import { dataOf } from './bridge.ts'
import { BRIDGE, MINIMUM, UNUSED } from './peg-in.ts'
import { COW } from '../../../support/signing.ts'

/** Asks a node. */
type AskNode = (method: string, params: unknown[]) => Promise<any>

/** Gives the federation a coin of the minimum; the answer of `dev_pegIn`. */
export const pegIn = (ask: AskNode) => ask('dev_pegIn', [{ to: UNUSED, amount: MINIMUM }])

/** Requests the peg-out; returns the hash. */
export const requestPegOut = (ask: AskNode): Promise<string> =>
  ask('eth_sendTransaction', [{ from: COW, to: BRIDGE, value: '0xe35fa931a0000', gas: '0x186a0' }])

/** Updates the collections, after a number of blocks; returns the hash. */
export async function update(ask: AskNode, blocks = 0): Promise<string> {
  if (blocks > 0) await ask('hardhat_mine', [blocks])
  return asMember(ask, dataOf('updateCollections', []))
}

/** Signs a release that waits, as the first member; returns the hash. */
export function sign(ask: AskNode, { transactionHash, raw }: { transactionHash: string; raw: string }) {
  const transaction = readAuxTransaction(fromHex(raw))
  const script = pushesOf(transaction.inputs[0]!.script)!.at(-1)!
  const signature = derOf(
    curve.sign(plainSignatureHash(transaction, { index: 0, script }), FEDERATOR.privateKey),
  )
  const key = toHex(curve.encodePoint(curve.publicKey(FEDERATOR.privateKey)))
  return asMember(ask, dataOf('addSignature', [key, [signature], transactionHash]))
}

async function asMember(ask: AskNode, data: string): Promise<string> {
  const from = FEDERATOR.address
  await ask('hardhat_impersonateAccount', [from])
  return ask('eth_sendTransaction', [{ from, to: BRIDGE, gas: '0x186a0', data }])
}
