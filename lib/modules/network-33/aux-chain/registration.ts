/** Registers parts of the auxiliary chain with the Bridge: the arguments with their proofs, and the sending account. */

import { asAddress, equalBytes, fromHex, type Address } from '../../../base/hex.ts'
import { encodeAbi, type AbiType } from '../../../abi/codec.ts'
import { keccak256 } from '../../../crypto/keccak.ts'
import type { StateRoot } from '../../../state/state-root.ts'
import { toInternalOrder } from '../bridge/aux-header.ts'
import type { AuxTransaction } from '../bridge/aux-transaction.ts'
import { genesisFederation, federationsAt, type Federations } from '../bridge/federation.ts'
import { HeaderChain } from '../bridge/header-chain.ts'
import { merkleRoot, partialTree } from '../bridge/merkle.ts'
import { METHOD_TABLE, type BridgeMethodName } from '../bridge/method-table.ts'
import { storedAfter } from '../bridge/bridge.ts'
import { ZEROS, witnessIdsOf, type AuxChain, type AuxChainBlock } from './aux-chain.ts'

/** The account of a member of the federation. */
export interface Federator {
  readonly privateKey: Uint8Array
  readonly address: Address
}

const federator = (phrase: string, address: string): Federator => ({
  privateKey: keccak256(new TextEncoder().encode(phrase)),
  address: asAddress(address),
})

/** The first member of the federation, whose key the network publishes (node-chain 11.3). Its calls of the Bridge are free. */
export const FEDERATOR = federator('federator1', '0x85845342b0d5260d516d6da5280a7df9a96d1925')

/** All members whose keys are published. */
export const FEDERATORS: readonly Federator[] = [
  FEDERATOR,
  federator('federator2', '0x138161cda86b55c0de1bc3a0adef974633c85fbe'),
  federator('federator3', '0x6b045752f4d650a510a353bbf7e52988331e7f5b'),
]

export const bridgeHeaders = (root: StateRoot): HeaderChain => new HeaderChain(storedAfter(root))

/** The federations in a block, from the state before it. */
export const bridgeFederations = (root: StateRoot, block: bigint, release: string): Federations =>
  federationsAt(storedAfter(root), block, genesisFederation(release))

export function bridgeCallData(name: BridgeMethodName, values: readonly unknown[]): Uint8Array {
  const { selector, inputs }: { readonly selector: string; readonly inputs: readonly AbiType[] } =
    METHOD_TABLE[name]
  return Buffer.concat([fromHex(selector), encodeAbi(inputs, values)])
}

const HEADERS_PER_CALL = 100

/** Call data with the blocks that the Bridge does not know: their headers, and coinbases if witnesses need them. */
export function blockCalls(
  { blocks }: Pick<AuxChain, 'blocks'>,
  headers: HeaderChain,
): readonly Uint8Array[] {
  const newestKnown = blocks.findLastIndex(({ header }) => headers.byHash(header.hash) !== undefined)
  const unknown = blocks.slice(newestKnown + 1)
  const calls: Uint8Array[] = []
  for (let at = 0; at < unknown.length; at += HEADERS_PER_CALL) {
    const some = unknown.slice(at, at + HEADERS_PER_CALL).map(({ header }) => header.bytes)
    calls.push(bridgeCallData('receiveHeaders', [some]))
  }
  for (const coinbase of unknown.map(coinbaseArguments))
    if (coinbase !== undefined) calls.push(bridgeCallData('register{Aux}CoinbaseTransaction', coinbase))
  return calls
}

/**
 * Arguments of `registerAuxCoinbaseTransaction`; undefined if no transaction of the block has a witness, because it is then
 * unnecessary.
 */
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

/** Arguments of `registerAuxTransaction`. With a witness, the tree contains witness ids; the coinbase registers their root. */
export function registrationArguments({ raw, witnesses, id }: AuxTransaction, block: AuxChainBlock) {
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
