/** Fields that hard forks of Ethereum added to the block object of eth_getBlockBy*. */

import { toQuantity } from '../../../base/hex.ts'
import type {
  BlockMembersInput,
  Header,
  RemoteHeader,
  SharedHeaderFields,
} from '../../consensus/consensus.ts'
import type { Withdrawal } from '../../consensus/withdrawals.ts'

/** The fields that the header of this block has. */
export function ethereumMembers({ header, withdrawals = [] }: BlockMembersInput) {
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

/** The header of a remote block. Fees and minimum gas price, which only merged-mining networks have in headers, are zero. */
export function readEthereumHeader(
  block: RemoteHeader,
  shared: SharedHeaderFields & Pick<Header, 'consensus'>,
): Header {
  const { baseFeePerGas, withdrawalsRoot, blobGasUsed, excessBlobGas, parentBeaconBlockRoot, requestsHash } =
    block
  const { blockAccessListHash, slotNumber } = block
  const own = { baseFeePerGas, withdrawalsRoot, blobGasUsed, excessBlobGas, blockAccessListHash, slotNumber }
  return { ...shared, paidFees: 0n, minimumGasPrice: 0n, ...own, parentBeaconBlockRoot, requestsHash }
}
