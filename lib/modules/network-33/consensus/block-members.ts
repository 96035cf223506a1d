/** Fields that only merged-mining networks have in the block object of eth_getBlockBy* (node-chain 6.1). */

import { EMPTY_BYTES, toHex, toQuantity } from '../../../base/hex.ts'
import type {
  BlockMembersInput,
  Header,
  RemoteHeader,
  SharedHeaderFields,
} from '../../../networks/consensus/consensus.ts'
import { hashForMergedMining, mergedMiningBlockHash } from './header.ts'
import { NodeError } from '../../../base/errors.ts'
import {
  asMergedMining,
  type HeaderVersion,
  type MergedMiningFields,
  type MergedMiningHeader,
} from './fields.ts'
import { NO_ANCESTRY } from './fork-detection.ts'

/** The fields of a block. The fields of the aux block are empty while the block is pending. */
export function mergedMiningMembers({ cumulativeDifficulty, ...block }: BlockMembersInput) {
  const header = asMergedMining(block.header)
  const { aux, edges, baseEvent, remoteHash } = header.own
  const { baseFeePerGas } = header
  return {
    // Not part of the header (IP-546).
    ...(baseFeePerGas === undefined ? {} : { baseFeePerGas: toQuantity(baseFeePerGas) }),
    minimumGasPrice: toQuantity(header.minimumGasPrice),
    auxMergedMiningHeader: toHex(aux.header),
    auxMergedMiningCoinbaseTransaction: toHex(aux.coinbase),
    auxMergedMiningMerkleProof: toHex(aux.merkleProof),
    hashForMergedMining: remoteHash ?? hashForMergedMining(header),
    paidFees: toQuantity(header.paidFees),
    cumulativeDifficulty: toQuantity(cumulativeDifficulty),
    nodePteEdges: edges ?? null,
    baseEvent: baseEvent.length === 0 ? null : toHex(baseEvent),
  }
}

/**
 * The header of a remote block. The block object has no version: the node tries versions until the header has the hash of the
 * block. Its ancestry is unknown, so the first blocks after it have fork detection data without the blocks before it.
 * @throws NodeError 'remoteFailed'
 */
export function readMergedMiningHeader(
  block: RemoteHeader,
  shared: SharedHeaderFields & Pick<Header, 'consensus'>,
): MergedMiningHeader {
  const { baseFeePerGas, paidFees = 0n, minimumGasPrice = 0n } = block
  const fields = { ...shared, baseFeePerGas, paidFees, minimumGasPrice }
  refuseOtherNames(block)
  const own = readFields(block)
  const withVersion = (version: HeaderVersion) => ({ ...fields, own: { ...own, version } })
  if (shared.number === 0n) return withVersion(0)
  const older = OLDER_VERSIONS.map(withVersion).find((header) => mergedMiningBlockHash(header) === block.hash)
  return older ?? withVersion(2)
}

/** Refuses a block of a network with names of its own, which the preset of the node does not have. */
function refuseOtherNames(block: RemoteHeader): void {
  if (block.auxMergedMiningHeader !== undefined) return
  const nameBefore = (suffix: string) =>
    Object.keys(block)
      .find((name) => name.endsWith(suffix))
      ?.slice(0, -suffix.length)
  const aux = nameBefore('MergedMiningHeader')
  if (aux === undefined || block[`${aux}MergedMiningHeader`] === undefined) return
  const preset = JSON.stringify({ extends: 'network-33', names: { module: nameBefore('PteEdges'), aux } })
  throw new NodeError(
    'remoteFailed',
    `the remote's block ${block.number} has "${aux}MergedMiningHeader", so its network has names of its own: write them into a file such as ${preset} and start the node with --network and this file`,
  )
}

/** Versions before the newest, of which headers of a fork's past may be. */
const OLDER_VERSIONS: readonly HeaderVersion[] = [0, 1]

function readFields(block: RemoteHeader): Omit<MergedMiningFields, 'version'> {
  const { number, uncles = [], nodePteEdges: edges, baseEvent = EMPTY_BYTES } = block
  return {
    uncleCount: uncles.length,
    ...(number === 0n ? {} : { ummRoot: EMPTY_BYTES }),
    ...(edges === undefined ? {} : { edges }),
    baseEvent,
    aux: {
      header: required(block, 'auxMergedMiningHeader'),
      merkleProof: required(block, 'auxMergedMiningMerkleProof'),
      coinbase: required(block, 'auxMergedMiningCoinbaseTransaction'),
    },
    ancestry: NO_ANCESTRY,
    remoteHash: required(block, 'hashForMergedMining'),
  }
}

/** A member that the blocks of Ethereum do not have. @throws NodeError 'remoteFailed' if it is missing */
function required<Name extends keyof RemoteHeader>(
  block: RemoteHeader,
  name: Name,
): NonNullable<RemoteHeader[Name]> {
  const value = block[name]
  if (value !== undefined && value !== null) return value
  const fault = `has no ${name}: it is no block of network 33`
  throw new NodeError('remoteFailed', `the remote's block ${block.number} ${fault}`)
}
