/** The consensus of merged-mining networks: aux blocks of another chain prove the work of their blocks (node-chain 6). */

import * as z from 'zod'
import { NodeError } from '../../../base/errors.ts'
import { EMPTY_BYTES, bigIntToBytes, toHex, toQuantity } from '../../../base/hex.ts'
import { once } from '../../../base/once.ts'
import { encodeRlp } from '../../../base/rlp.ts'
import { activeEips } from '../../../config/active-eips.ts'
import { encodeEnvelope } from '../../../evm/transaction-members.ts'
import { LEGACY_TYPE } from '../../../evm/transaction.ts'
import { readRemote } from '../../../fork/question.ts'
import {
  receiptItems,
  statusItem,
  type Consensus,
  type PrepareInput,
  type BlockMembersInput,
  type Header,
  type RemoteHeader,
  type RulesOptions,
  type SharedHeaderFields,
} from '../../../networks/consensus/consensus.ts'
import { maybe } from '../../../schema/remote.ts'
import { data, hash, quantity } from '../../../schema/wire.ts'
import { baseEventOf } from '../bridge/union-methods.ts'
import { creditFees } from '../precompiles/fee-contract.ts'
import { interfaceAt } from '../precompiles/interfaces.ts'
import { network33Precompiles, precompilesOf } from '../precompiles/precompiles.ts'
import type { Network33Options } from '../options.ts'
import { network33Rules } from '../rules.ts'
import {
  VirtualGas,
  blockPriceCap,
  checkMergedMiningAdmission,
  pooledPrice,
  inSenderMapOrder,
} from './admit.ts'
import { NO_PROOF } from './aux-block.ts'
import { childDifficulty } from './difficulty.ts'
import {
  ANCESTRY_WITHOUT_WORK,
  NO_ANCESTRY,
  ancestryAfter,
  fullItems,
  hashForMergedMining,
  mergedMiningBlockHash,
  storedItems,
  MERGED_MINING,
  asMergedMining as own,
  asMergedMining,
  type MergedMiningFields,
  type MergedMiningHeader,
  type HeaderVersion,
} from './header.ts'
import { sealOwn, solveWithNonce } from './own-work.ts'

/** Value of each aux field in the genesis file (node-chain 6.4). */
const ZERO_BYTE = new Uint8Array(1)

const GENESIS_FIELDS: MergedMiningFields = {
  version: 0,
  uncleCount: 0,
  baseEvent: EMPTY_BYTES,
  aux: { header: ZERO_BYTE, merkleProof: ZERO_BYTE, coinbase: ZERO_BYTE },
  ancestry: NO_ANCESTRY,
}

/** There are no parallel lists. */
const NO_EDGES: readonly number[] = []

/** The fields of a block's child, without a proof of work. Simulated blocks have no base event. */
const fieldsAfter = (parent: MergedMiningHeader, { uncles, state }: PrepareInput): MergedMiningFields => ({
  version: 2,
  ummRoot: EMPTY_BYTES,
  edges: NO_EDGES,
  aux: NO_PROOF,
  uncleCount: uncles.length,
  baseEvent: state === undefined ? EMPTY_BYTES : baseEventOf(state),
  ancestry: ancestryAfter(parent),
})

export const mergedMining: Consensus = {
  name: MERGED_MINING,
  savedAs: 'mergedMining',
  genesisFields: { own: GENESIS_FIELDS },
  // As on the network (node-chain 11.1).
  precompileAccounts: [...network33Precompiles.keys()],
  hasMixHash: false,
  hasMinimumGasPrice: true,
  // node-chain 6.10.
  maxUncles: 10,
  // The change may reach the bound (node-chain 8.6).
  gasLimitMargin: 0n,
  headerItems: (header) => storedItems(own(header)),
  encodeHeader: (header) => encodeRlp(fullItems(own(header))),
  headerHash: (header) => mergedMiningBlockHash(own(header)),
  sealHash: (header) => hashForMergedMining(own(header)),
  // Legacy: status in place of a state root, and gas and status once more (node-chain 5.1). Typed: node-next 2.4.
  encodeReceipt: (receipt) => {
    const { type } = receipt.transaction
    if (type !== LEGACY_TYPE) return encodeEnvelope(type, receiptItems(receipt))
    const gasUsed = bigIntToBytes(receipt.outcome.gasUsed)
    return encodeRlp([...receiptItems(receipt), gasUsed, statusItem(receipt)])
  },
  blockMembers: mergedMiningMembers,
  readHeader: readMergedMiningHeader,
  rules: async (network, options: RulesOptions & Pick<Network33Options, 'release'>) => {
    const { maxCodeSize, maxInitCodeSize, names } = network
    const described = [...precompilesOf(names, options.release)].map(([address, precompile]) => {
      return [address, { ...precompile, interface: () => interfaceAt(address, names) }] as const
    })
    const precompiles = new Map(described)
    return network33Rules({
      allowUnlimitedContractSize: options.allowUnlimitedContractSize,
      eips: activeEips(network),
      maxCodeSize,
      maxInitCodeSize,
      precompiles,
    })
  },
  checkAdmission: checkMergedMiningAdmission,
  senderQuotas: (left, now, { faithful, gasQuota = faithful }: Network33Options) =>
    gasQuota ? new VirtualGas(left, now) : undefined,
  pooledPrice,
  blockPriceCap,
  rechecksQueued: true,
  priceTies: inSenderMapOrder,
  difficulty: (_, parent, timestamp, uncleCount) => childDifficulty(own(parent), timestamp, uncleCount),
  prepare: (parent, body) => ({ own: fieldsAfter(own(parent), body) }),
  reservedBlockFields: (header, parent) => ({
    own: {
      ...own(header).own,
      aux: NO_PROOF,
      remoteHash: undefined,
      ancestry: parent === undefined ? ANCESTRY_WITHOUT_WORK : ancestryAfter(own(parent)),
    },
  }),
  // The system transaction pays the fees out (node-chain 8.1).
  finalize: (state, { fees }) => creditFees(state, fees),
  seal: (header) => sealOwn(own(header)),
  solve: async (header, work, { nonce }) => solveWithNonce(own(header), work, nonce),
  secondOpinion: 'observed',
}

/** The fields of a block. Those of the aux block are empty while the block is pending. */
function mergedMiningMembers({ cumulativeDifficulty, ...block }: BlockMembersInput) {
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
 * The header of a remote block. Block objects have no version, so the node tries versions until the hash matches. The ancestry is
 * unknown, so the fork detection data of the first later blocks lacks earlier blocks. @throws NodeError 'remoteFailed'
 */
function readMergedMiningHeader(
  block: RemoteHeader,
  shared: SharedHeaderFields & Pick<Header, 'consensus'>,
): MergedMiningHeader {
  const { baseFeePerGas, minimumGasPrice = 0n } = block
  const members = readRemote(remoteMembers(), block, 'block')
  const fields = { ...shared, baseFeePerGas, paidFees: members.paidFees ?? 0n, minimumGasPrice }
  if (members.auxMergedMiningHeader === undefined) refuseOtherNames(block)
  const own = readFields(block, members)
  const withVersion = (version: HeaderVersion) => ({ ...fields, own: { ...own, version } })
  if (shared.number === 0n) return withVersion(0)
  const older = OLDER_VERSIONS.map(withVersion).find((header) => mergedMiningBlockHash(header) === block.hash)
  return older ?? withVersion(2)
}

/** Refuses a block of a network with its own names, which the node's preset lacks. */
function refuseOtherNames(block: RemoteHeader): void {
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

/** Versions before the newest. Headers of a fork's past may have them. */
const OLDER_VERSIONS: readonly HeaderVersion[] = [0, 1]

/** Members that only blocks of these networks have. */
const remoteMembers = once(() =>
  z.object({
    paidFees: maybe(quantity),
    hashForMergedMining: maybe(hash),
    auxMergedMiningHeader: maybe(data),
    auxMergedMiningMerkleProof: maybe(data),
    auxMergedMiningCoinbaseTransaction: maybe(data),
    nodePteEdges: maybe(z.array(z.uint32().max(0xffff))),
    baseEvent: maybe(data),
  }),
)

function readFields(
  { number, uncles = [] }: RemoteHeader,
  members: z.output<ReturnType<typeof remoteMembers>>,
): Omit<MergedMiningFields, 'version'> {
  const { nodePteEdges: edges, baseEvent = EMPTY_BYTES } = members
  const required = <Name extends keyof typeof members>(name: Name) => members[name] ?? refuse(number, name)
  return {
    uncleCount: uncles.length,
    ...(number === 0n ? {} : { ummRoot: EMPTY_BYTES }),
    ...(edges === undefined ? {} : { edges }),
    baseEvent,
    aux: {
      header: required('auxMergedMiningHeader'),
      merkleProof: required('auxMergedMiningMerkleProof'),
      coinbase: required('auxMergedMiningCoinbaseTransaction'),
    },
    ancestry: NO_ANCESTRY,
    remoteHash: required('hashForMergedMining'),
  }
}

function refuse(number: bigint, name: string): never {
  const fault = `has no ${name}: it is no block of network 33`
  throw new NodeError('remoteFailed', `the remote's block ${number} ${fault}`)
}
