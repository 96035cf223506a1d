/** Registers parts of the auxiliary chain with the Bridge: the arguments with their proofs, and the account that sends them. */

import { asAddress, equalBytes, fromHex } from '../../../base/hex.ts'
import { encodeAbi } from '../../../abi/codec.ts'
import type { AbiType } from '../../../abi/codec.ts'
import { keccak256 } from '../../../crypto/keccak.ts'
import type { StateRoot } from '../../../state/state-root.ts'
import { State } from '../../../state/state.ts'
import { toInternalOrder } from '../bridge/aux-header.ts'
import { genesisFederation } from '../bridge/federation.ts'
import { federationsAt } from '../bridge/federation-state.ts'
import type { Federations } from '../bridge/federation-state.ts'
import { HeaderChain } from '../bridge/header-chain.ts'
import { METHOD_TABLE } from '../bridge/method-table.ts'
import type { BridgeMethodName } from '../bridge/method-table.ts'
import { bridgeStorageOf } from '../bridge/remote-values.ts'
import { ZEROS, witnessIdsOf } from './block.ts'
import type { AuxChainBlock, AuxChainTransaction } from './block.ts'
import { merkleRoot, partialTree } from './merkle-tree.ts'

/** The first member of the federation, whose key the network publishes (node-chain 11.3). Its calls of the Bridge are free. */
export const FEDERATOR = {
  privateKey: keccak256(new TextEncoder().encode('federator1')),
  address: asAddress('0x85845342b0d5260d516d6da5280a7df9a96d1925'),
}

/** The headers that the Bridge knows after a block. */
export const bridgeHeaders = (root: StateRoot): HeaderChain =>
  new HeaderChain(bridgeStorageOf(new State(root)))

/** The federations in a block, by the state before it. */
export const bridgeFederations = (root: StateRoot, block: bigint, release: string): Federations =>
  federationsAt(bridgeStorageOf(new State(root)), block, genesisFederation(release))

/** Call data of a method of the Bridge. */
export function bridgeCallData(name: BridgeMethodName, values: readonly unknown[]): Uint8Array {
  const { selector, inputs }: { readonly selector: string; readonly inputs: readonly AbiType[] } =
    METHOD_TABLE[name]
  return Buffer.concat([fromHex(selector), encodeAbi(inputs, values)])
}

/** Arguments of `registerAuxCoinbaseTransaction`; undefined if no transaction of the block has a witness, which makes it needless. */
export function coinbaseArguments({ header, transactions }: AuxChainBlock) {
  const [coinbase, ...others] = transactions
  if (coinbase === undefined || others.every(({ witnesses }) => witnesses.length === 0)) return undefined
  const tree = partialTree(
    transactions.map(({ id }) => id),
    0,
  )
  const root = toInternalOrder(merkleRoot(witnessIdsOf(others)))
  return [coinbase.withoutWitness, fromHex(header.hash), tree, root, ZEROS] as const
}

/**
 * Arguments of `registerAuxTransaction`. The tree of a transaction with a witness is that of the witness ids, whose root the
 * coinbase registers (node-next 4.3).
 */
export function registrationArguments({ raw, witnesses, id }: AuxChainTransaction, block: AuxChainBlock) {
  const ids = block.transactions.map((one) => one.id)
  const leaves = witnesses.length > 0 ? witnessIdsOf(block.transactions.slice(1)) : ids
  return [
    raw,
    block.header.height,
    partialTree(
      leaves,
      ids.findIndex((one) => equalBytes(one, id)),
    ),
  ] as const
}
