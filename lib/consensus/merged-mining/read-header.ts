/** Reads the header of a block that a remote node of a merged-mining network returned (node-rpc 4.1). */

import { NodeError } from '../../base/errors.ts'
import { EMPTY_BYTES } from '../../base/hex.ts'
import { DATA, HASH, NUMBER_16, QUANTITY } from '../../base/remote-object.ts'
import type { RemoteObject } from '../../base/remote-object.ts'
import type { MergedMiningHeader, SharedHeaderFields } from '../header-fields.ts'
import type { HeaderVersion, MergedMiningFields } from './fields.ts'
import { NO_ANCESTRY } from './fork-detection.ts'
import { mergedMiningBlockHash } from './header.ts'

/**
 * The header of a remote block. The block object has no version: it is the one with which the header has the hash of the
 * block. Its ancestry is unknown, so the first blocks after it have fork detection data without the blocks before it.
 * @throws NodeError 'remoteFailed'
 */
export function readMergedMiningHeader(block: RemoteObject, shared: SharedHeaderFields): MergedMiningHeader {
  const fields = {
    ...shared,
    paidFees: block.find('paidFees', QUANTITY) ?? 0n,
    minimumGasPrice: block.find('minimumGasPrice', QUANTITY) ?? 0n,
  }
  refuseOtherNames(block, shared.number)
  const own = readFields(block, shared.number === 0n)
  const withVersion = (version: HeaderVersion) => ({ ...fields, mergedMining: { ...own, version } })
  if (shared.number === 0n) return withVersion(0)
  const hash = block.get('hash', HASH)
  const older = OLDER_VERSIONS.map(withVersion).find((header) => mergedMiningBlockHash(header) === hash)
  return older ?? withVersion(2)
}

/** Refuses a block whose members have names that the preset of the node does not give them. */
function refuseOtherNames(block: RemoteObject, number: bigint): void {
  if (block.has('auxMergedMiningHeader')) return
  const aux = block.nameLike(/^([a-z][a-z0-9]*)MergedMiningHeader$/)
  if (aux === undefined) return
  const module = block.nameLike(/^([a-z][a-z0-9]*)PteEdges$/)
  const preset = JSON.stringify({ extends: 'network-33', names: { module, aux } })
  throw new NodeError(
    'remoteFailed',
    `the remote's block ${number} has "${aux}MergedMiningHeader", so its network has names of its own: write them into a file such as ${preset} and start the node with --network and this file`,
  )
}

/** Versions before the newest, of which headers of a fork's past may be. */
const OLDER_VERSIONS: readonly HeaderVersion[] = [0, 1]

const readFields = (block: RemoteObject, isGenesis: boolean): Omit<MergedMiningFields, 'version'> => ({
  uncleCount: block.list('uncles', HASH).length,
  ...(isGenesis ? {} : { ummRoot: EMPTY_BYTES }),
  ...(block.has('nodePteEdges') ? { edges: block.list('nodePteEdges', NUMBER_16) } : {}),
  baseEvent: block.find('baseEvent', DATA) ?? EMPTY_BYTES,
  aux: {
    header: block.get('auxMergedMiningHeader', DATA),
    merkleProof: block.get('auxMergedMiningMerkleProof', DATA),
    coinbase: block.get('auxMergedMiningCoinbaseTransaction', DATA),
  },
  ancestry: NO_ANCESTRY,
  remoteHash: block.get('hashForMergedMining', HASH),
})
