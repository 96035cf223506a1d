/** The consensus of Ethereum networks. There is no beacon chain: the node makes every block. */

import { refuseOption } from '../../../base/errors.ts'
import { EMPTY_BYTES, bigIntToBytes, fromHex, toHash, toQuantity, type Hash } from '../../../base/hex.ts'
import { encodeRlp, encodeRlpInPlace, type RlpInput } from '../../../base/rlp.ts'
import { NEXT_FORK } from '../../../config/eips.ts'
import type { NetworkKind } from '../../../config/network-kind.ts'
import { keccak256 } from '../../../crypto/keccak.ts'
import { encodeEnvelope } from '../../../evm/transaction-members.ts'
import {
  leadingItems,
  receiptItems,
  type Consensus,
  type ConsensusFields,
  type Header,
  type BlockMembersInput,
  type RemoteHeader,
  type SharedHeaderFields,
} from '../../consensus/consensus.ts'
import { creditWithdrawals, type Withdrawal } from '../../consensus/withdrawals.ts'
import { loadEthereumRules } from '../rules.ts'
import { checkAdmission } from './admit.ts'
import { solutionMeetsTarget } from './ethash.ts'

const NO_FIELDS: ConsensusFields = {}

const hashOf = (header: Header): Hash => toHash(keccak256(encodeRlpInPlace(ethereumItems(header))))

export const ethereum: Consensus = {
  name: 'ethereum',
  genesisFields: NO_FIELDS,
  precompileAccounts: [],
  hasMixHash: true,
  hasMinimumGasPrice: false,
  // Blocks have had none since proof of stake.
  maxUncles: 0,
  // The change must be below the bound (Yellow Paper, 4.4.4).
  gasLimitMargin: 1n,
  headerItems: ethereumItems,
  encodeHeader: (header) => encodeRlp(ethereumItems(header)),
  headerHash: hashOf,
  sealHash: hashWithoutSeal,
  encodeReceipt: (receipt) => encodeEnvelope(receipt.transaction.type, receiptItems(receipt)),
  blockMembers: ethereumMembers,
  readHeader: readEthereumHeader,
  rules: loadEthereumRules,
  checkAdmission,
  pooledPrice: ({ maxFeePerGas }) => maxFeePerGas,
  rechecksQueued: false,
  priceTies: undefined,
  difficulty: (network) => network.genesis.difficulty,
  prepare: () => NO_FIELDS,
  reservedBlockFields: () => NO_FIELDS,
  // The coinbase got the fees with each transaction.
  finalize: (state, { withdrawals }) => creditWithdrawals(state, withdrawals),
  seal: (header) => ({ header, hash: hashOf(header) }),
  // The mix hash stays, because transactions used it as their source of randomness.
  solve: async (header, work, solution) => {
    if (!(await solutionMeetsTarget(work.hash, solution, work.target))) return undefined
    const solved = { ...header, nonce: solution.nonce }
    return { header: solved, hash: hashOf(solved) }
  },
  secondOpinion: 'ethereumjs',
}

/** RLP items of the header, in the order of the Yellow Paper and of the EIPs that append to it. */
function ethereumItems(header: Header): readonly RlpInput[] {
  return [
    ...leadingItems(header),
    header.logsBloom,
    bigIntToBytes(header.difficulty),
    bigIntToBytes(header.number),
    bigIntToBytes(header.gasLimit),
    bigIntToBytes(header.gasUsed),
    bigIntToBytes(header.timestamp),
    header.extraData,
    fromHex(header.mixHash),
    header.nonce,
    ...appended(header),
  ]
}

/** The items that EIPs appended, up to the header's last one. As in geth, an absent item before that is empty. */
function appended(header: Header): readonly Uint8Array[] {
  const { baseFeePerGas, withdrawalsRoot, blobGasUsed, excessBlobGas } = header
  const items = [
    baseFeePerGas === undefined ? undefined : bigIntToBytes(baseFeePerGas),
    withdrawalsRoot === undefined ? undefined : fromHex(withdrawalsRoot),
    blobGasUsed === undefined ? undefined : bigIntToBytes(blobGasUsed),
    excessBlobGas === undefined ? undefined : bigIntToBytes(excessBlobGas),
    header.parentBeaconBlockRoot === undefined ? undefined : fromHex(header.parentBeaconBlockRoot),
    header.requestsHash === undefined ? undefined : fromHex(header.requestsHash),
    header.blockAccessListHash === undefined ? undefined : fromHex(header.blockAccessListHash),
    header.slotNumber === undefined ? undefined : bigIntToBytes(header.slotNumber),
  ]
  const last = items.findLastIndex((item) => item !== undefined)
  return items.slice(0, last + 1).map((item) => item ?? EMPTY_BYTES)
}

/** Positions of mix hash and nonce, which proof of work finds. */
const SEAL = { mixHash: 13, nonce: 14 }

/** Hash of the header without mix hash and nonce (Yellow Paper, 11.5). */
function hashWithoutSeal(header: Header): Hash {
  const isSealed = (position: number) => position !== SEAL.mixHash && position !== SEAL.nonce
  return toHash(
    keccak256(encodeRlpInPlace(ethereumItems(header).filter((_, position) => isSealed(position)))),
  )
}

function ethereumMembers({ header, withdrawals = [] }: BlockMembersInput) {
  const { baseFeePerGas, withdrawalsRoot, blobGasUsed, excessBlobGas, parentBeaconBlockRoot, requestsHash } =
    header
  const { blockAccessListHash, slotNumber } = header
  return {
    ...(baseFeePerGas === undefined ? {} : { baseFeePerGas: toQuantity(baseFeePerGas) }),
    ...(withdrawalsRoot === undefined
      ? {}
      : { withdrawals: withdrawals.map(renderWithdrawal), withdrawalsRoot }),
    ...(blobGasUsed === undefined ? {} : { blobGasUsed: toQuantity(blobGasUsed) }),
    ...(excessBlobGas === undefined ? {} : { excessBlobGas: toQuantity(excessBlobGas) }),
    ...(parentBeaconBlockRoot === undefined ? {} : { parentBeaconBlockRoot }),
    ...(requestsHash === undefined ? {} : { requestsHash }),
    ...(blockAccessListHash === undefined ? {} : { blockAccessListHash }),
    ...(slotNumber === undefined ? {} : { slotNumber: toQuantity(slotNumber) }),
  }
}

const renderWithdrawal = ({ index, validatorIndex, address, amount }: Withdrawal) => ({
  index: toQuantity(index),
  validatorIndex: toQuantity(validatorIndex),
  address,
  amount: toQuantity(amount),
})

/** The header of a remote block. Ethereum's headers do not contain fees and minimum gas price. */
function readEthereumHeader(
  block: RemoteHeader,
  shared: SharedHeaderFields & Pick<Header, 'consensus'>,
): Header {
  const { baseFeePerGas, withdrawalsRoot, blobGasUsed, excessBlobGas, parentBeaconBlockRoot, requestsHash } =
    block
  const { blockAccessListHash, slotNumber } = block
  const own = { baseFeePerGas, withdrawalsRoot, blobGasUsed, excessBlobGas, blockAccessListHash, slotNumber }
  return { ...shared, paidFees: 0n, minimumGasPrice: 0n, ...own, parentBeaconBlockRoot, requestsHash }
}

export const ethereumKind: NetworkKind = {
  name: 'ethereum',
  traits: (hardfork) => {
    if (hardfork === NEXT_FORK)
      refuseOption(
        'DN-RULES',
        `hard fork ${NEXT_FORK}: it is the next fork of network 33, and this network is one of Ethereum`,
      )
    return TRAITS
  },
  consensus: ethereum,
}

const TRAITS = {
  ownEips: undefined,
  sharesEthereumFormats: true,
  tracesAsParity: true,
}
