/** Builds the rules of network 33 (node-chain 7.3, 8.2 and 9) from those of Ethereum's London. */

import type { Address } from '../../base/hex.ts'
import type { ActiveEips } from '../../config/active-eips.ts'
import type { Precompile } from '../precompiles/precompile.ts'
import { isFreeBridgeCall } from './bridge-senders.ts'
import { ethereumRules } from './ethereum.ts'
import type { AccessRules, Rules } from './rules.ts'

/** Options of the network's rules. */
export interface Network33Options {
  readonly eips: ActiveEips
  readonly precompiles: ReadonlyMap<Address, Precompile>
  /** Lifts the limits on the size of code and of init code. */
  readonly allowUnlimitedContractSize: boolean
  /** Maximum bytes of code; defaults to 24,576. */
  readonly maxCodeSize?: number | undefined
  /** Maximum bytes of init code; defaults to 49,152. */
  readonly maxInitCodeSize?: number | undefined
}

/** The rules in force on network 33 from the first block. */
export function network33Rules(options: Network33Options): Rules {
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
    },
    create: {
      ...base.create,
      nonceByTransaction: 0n,
      checksTransactionCollision: false,
      storageCollides: false,
      keepsRevertData: false,
      countsConstructorRefunds: false,
    },
    selfdestruct: { ...base.selfdestruct, refund: 24_000, newAccountCharge: 'missing' },
    transaction: {
      ...base.transaction,
      accessListAddress: 0,
      accessListSlot: 0,
      refundQuotient: 2,
      refusesSenderWithCode: false,
      feesGoTo: 'contract',
      isFree: isFreeBridgeCall,
    },
    maxMemory: 2 ** 30,
    emptyAccounts: 'kept',
    baseFee: 'minimumGasPrice',
    precompileRules: {
      looksLikeContract: true,
      failureCosts: 'required',
      createsCalledAccount: true,
      failureCountsAsSuccess: true,
    },
  }
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
