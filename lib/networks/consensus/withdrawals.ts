/** Withdrawals of validators, which a block credits to accounts after its transactions (EIP-4895). */

import { invalidParams } from '../../base/errors.ts'
import { bigIntToBytes, fromHex, toHash, type Address, type Hash } from '../../base/hex.ts'
import { encodeRlp } from '../../base/rlp.ts'
import { activeEips } from '../../config/active-eips.ts'
import type { Network } from '../../config/network.ts'
import { orderedRoot } from '../../state/trie.ts'
import type { State } from '../../state/state.ts'

export interface Withdrawal {
  /** Index of the withdrawal on the beacon chain. */
  readonly index: bigint
  readonly validatorIndex: bigint
  readonly address: Address
  /** Gwei. */
  readonly amount: bigint
}

/** Maximum number of withdrawals of a block: MAX_WITHDRAWALS_PER_PAYLOAD of the consensus specification. */
export const MAX_WITHDRAWALS = 16

const WEI_PER_GWEI = 1_000_000_000n

/** Rejects withdrawals (in `param`) if the network's blocks cannot contain any. @throws NodeError 'invalidParams' */
export function checkCarriesWithdrawals(network: Network, param: string): void {
  if (activeEips(network).headerFields.has('withdrawalsRoot')) return
  const { name, ownEips, hardfork } = network
  const blocks = ownEips === undefined ? `${name} (${hardfork})` : name
  throw invalidParams(
    `${param}: blocks of ${blocks} contain no withdrawals; they came with shanghai (EIP-4895)`,
  )
}

/** RLP items of a withdrawal in the body of a block. */
export const withdrawalItems = ({ index, validatorIndex, address, amount }: Withdrawal): Uint8Array[] => [
  bigIntToBytes(index),
  bigIntToBytes(validatorIndex),
  fromHex(address),
  bigIntToBytes(amount),
]

export const withdrawalsRoot = (withdrawals: readonly Withdrawal[]): Hash =>
  toHash(orderedRoot(withdrawals.map((withdrawal) => encodeRlp(withdrawalItems(withdrawal)))))

/** Credits the withdrawals. A withdrawal of zero creates no account. */
export function creditWithdrawals(state: State, withdrawals: readonly Withdrawal[]): void {
  for (const { address, amount } of withdrawals) {
    if (amount > 0n) state.addBalance(address, amount * WEI_PER_GWEI)
  }
}
