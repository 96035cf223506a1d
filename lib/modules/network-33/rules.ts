/** Builds the rules of network 33 (node-chain 7.3, 8.2 and 9; its next fork, node-next 2.3) from those of Ethereum's London. */

import type { Address } from '../../base/hex.ts'
import { AUTHORIZERS, BRIDGE_ADDRESS, FEDERATORS } from './bridge/constants.ts'
import { ethereumRules, type EthereumOptions } from '../../networks/ethereum/rules.ts'
import type { AccessRules, PrecompileRules, Rules } from '../../evm/rules.ts'
import { ACCESS_LIST_TYPE } from '../../evm/transaction.ts'

const { federation, feePerKb, whitelist } = AUTHORIZERS

/** The accounts that call the Bridge for free. The authorizers of the locking cap and of the union contract pay. */
const SENDERS: ReadonlySet<Address> = new Set([...FEDERATORS, ...federation, ...feePerKb, ...whitelist])

export const isFreeBridgeCall = (sender: Address, to: Address | undefined): boolean =>
  to === BRIDGE_ADDRESS && SENDERS.has(sender)

/** Options of the network's rules. Its blocks have no blobs and no deposits. */
type Network33Options = Omit<EthereumOptions, 'name' | 'isSidecarProven' | 'depositContract'>

/** Gas per byte of an access list, which the machine does not use (IP-543). */
const ACCESS_LIST_BYTE = 80

/** Refund of a valid authorization: 25,000 gas less 15,500 (IP-545). */
const AUTHORIZATION_REFUND = 9500

/** The rules in force on network 33 from the first block. */
export function network33Rules(options: Network33Options): Rules {
  const { eips } = options
  const base = ethereumRules({ ...options, name: 'network 33' })
  return {
    ...base,
    access: ACCESS,
    storage: { kind: 'simple', set: 20_000, reset: 5000, clearRefund: 15_000 },
    call: {
      ...base.call,
      maxDepth: 400,
      reserves64th: false,
      stipendIs: 'charged',
      newAccountCharge: 'missing',
      createsMissingAccounts: true,
      keepsUnreadInput: false,
    },
    create: {
      ...base.create,
      nonceByTransaction: 0n,
      checksTransactionCollision: false,
      storageCollides: false,
      deletedCollides: true,
      keepsRevertData: false,
      refusalKeepsReturnData: true,
      countsConstructorRefunds: false,
    },
    selfdestruct: { ...base.selfdestruct, refund: 24_000, newAccountCharge: 'missing' },
    transaction: {
      ...base.transaction,
      accessListAddress: 0,
      accessListSlot: 0,
      accessListByte: eips.transactionTypes.has(ACCESS_LIST_TYPE) ? ACCESS_LIST_BYTE : 0,
      authorizationRefund: AUTHORIZATION_REFUND,
      refundQuotient: 2,
      refusesSenderWithCode: false,
      feesGoTo: 'contract',
      // The reference runs a call without fees (node-chain 14).
      chargesCalls: false,
      fundsCover: 'paid price',
      isFree: isFreeBridgeCall,
    },
    maxMemory: 2 ** 30,
    emptyAccounts: 'kept',
    baseFee: 'minimumGasPrice',
    precompileRules: PRECOMPILES,
  }
}

const PRECOMPILES: PrecompileRules = {
  looksLikeContract: true,
  failureCosts: 'required',
  createsCalledAccount: true,
  failureCountsAsSuccess: true,
  areMovable: false,
}

/** Repeated accesses cost the same as the first (node-chain 9.2). */
const ACCESS: AccessRules = {
  kind: 'flat',
  balance: 400,
  codeSize: 700,
  codeCopy: 700,
  codeHash: 400,
  slot: 200,
  call: 700,
}
