/** The execution rules of a network as data, which the machine and the transaction layer read. */

import type { Address } from '../base/hex.ts'
import type { BlobSchedule, EipRules, OptionalInstruction } from '../config/eip-changes.ts'
import type { Precompile } from './precompile.ts'
import type { BlobSidecar } from './transaction.ts'

/** Cost of reading an account or a slot: constant, or higher for the first access in a transaction (EIP-2929). */
export type AccessRules =
  | {
      readonly kind: 'flat'
      readonly balance: number
      readonly codeSize: number
      readonly codeCopy: number
      readonly codeHash: number
      readonly slot: number
      readonly call: number
    }
  | {
      readonly kind: 'warm-cold'
      readonly coldAccount: number
      readonly coldSlot: number
      readonly warm: number
    }

/** Cost and refund of SSTORE: by the current value only, or also by the value at the transaction's start (EIP-2200). */
export type StorageRules =
  | { readonly kind: 'simple'; readonly set: number; readonly reset: number; readonly clearRefund: number }
  | {
      readonly kind: 'net'
      /** Gas that must be left; it is not charged. */
      readonly sentry: number
      /** First change of a slot that was zero at the start. */
      readonly set: number
      /** First change of a slot that was not zero at the start, without the cold access. */
      readonly reset: number
      /** The slot was changed before in this transaction, or the value stays the same. */
      readonly dirty: number
      readonly clearRefund: number
    }

/** Condition of the charge for a new account: the account is missing, or it is empty and receives value (EIP-161). */
export type NewAccountCharge = 'missing' | 'value-to-empty'

export interface CallRules {
  /** Maximum depth of a frame; the outermost one has depth 0. */
  readonly maxDepth: number
  /** Whether the caller keeps a 64th of its gas (EIP-150). */
  readonly reserves64th: boolean
  /** Gas that the callee receives with value. */
  readonly stipend: number
  /** `granted`: the caller pays no gas for the stipend. `charged`: the caller pays it, and runs out of gas if it cannot. */
  readonly stipendIs: 'granted' | 'charged'
  readonly valueTransfer: number
  readonly newAccount: number
  readonly newAccountCharge: NewAccountCharge
  /** Whether calls without value create the account entry of a missing account. */
  readonly createsMissingAccounts: boolean
  /** Whether memory stays expanded for input that is not read. If not, its gas is charged again at the next expansion. */
  readonly keepsUnreadInput: boolean
}

/** Rules of creations. If init code is too long, CREATE fails and the transaction layer rejects the transaction. */
export interface CreateRules extends Pick<
  EipRules,
  'initCodeWord' | 'maxCodeSize' | 'maxInitCodeSize' | 'rejectsEf'
> {
  readonly base: number
  /** Gas per byte of the code. */
  readonly codeByte: number
  /** Gas per word of the code, for its hash (EIP-8037). */
  readonly codeWord: number
  /** Initial nonce of a contract that a transaction creates. */
  readonly nonceByTransaction: bigint
  /** Whether a creation by a transaction fails if the address is taken, as a creation by a contract does (EIP-684). */
  readonly checksTransactionCollision: boolean
  /** Whether storage alone makes a creation fail (EIP-7610). */
  readonly storageCollides: boolean
  /** Whether a creation fails at the address of a contract that an earlier transaction of the block deleted (node-chain 9.4). */
  readonly deletedCollides: boolean
  /** Whether the creating frame's return buffer holds the revert data of a constructor. */
  readonly keepsRevertData: boolean
  /** Whether a creation that cannot begin leaves the return data of an earlier call. */
  readonly refusalKeepsReturnData: boolean
  /** Whether refunds for storage cleared by a constructor count. */
  readonly countsConstructorRefunds: boolean
}

export interface SelfdestructRules extends Pick<EipRules, 'onlyCreated'> {
  readonly base: number
  readonly refund: number
  readonly newAccount: number
  readonly newAccountCharge: NewAccountCharge
}

export interface PrecompileRules {
  /** Whether they appear as contracts of 2^256 - 1 bytes with the hash of empty code. */
  readonly looksLikeContract: boolean
  /** Gas of a failed call: the precompile's gas (`required`, IP-197), or all forwarded gas (`given`). */
  readonly failureCosts: 'required' | 'given'
  /** Whether a call creates the account entry of a precompile even without value. */
  readonly createsCalledAccount: boolean
  /** Whether a transaction to a failing precompile counts as a success and costs its whole gas limit. */
  readonly failureCountsAsSuccess: boolean
  /** Whether a state override can move them to another address. */
  readonly areMovable: boolean
}

export interface TransactionRules extends Pick<
  EipRules,
  | 'accessListData'
  | 'authorization'
  | 'dataFloor'
  | 'gasCap'
  | 'initCodeWord'
  | 'refundsBlockGas'
  | 'warmsCoinbase'
> {
  readonly base: number
  /** Additional gas of a creation. */
  readonly creation: number
  readonly zeroByte: number
  readonly nonZeroByte: number
  readonly accessListAddress: number
  readonly accessListSlot: number
  /** Gas per byte of the encoded access list, unless it is empty (IP-543). */
  readonly accessListByte: number
  /** Refund if the authority's account existed before. */
  readonly authorizationRefund: number
  /** The contract whose logs are deposits for validators (EIP-6110); absent if blocks have no requests. */
  readonly depositContract: Address | undefined
  /** The refund is limited to the gas used divided by this. */
  readonly refundQuotient: number
  /** Whether accounts with code may not send (EIP-3607). */
  readonly refusesSenderWithCode: boolean
  /** Receiver of the fees: the coinbase, without the base fee, or a contract that pays them out at the end of a block. */
  readonly feesGoTo: 'coinbase' | 'contract'
  /** Whether the sender of a simulated call pays for its gas at the gas price of the request. */
  readonly chargesCalls: boolean
  /** Price per gas that the sender must be able to pay: the maximum price (EIP-1559) or the paid price. */
  readonly fundsCover: 'maximum price' | 'paid price'
  /** Whether a transaction costs its sender nothing. */
  readonly isFree: (sender: Address, to: Address | undefined) => boolean
}

/** How transactions carry blobs (EIP-4844). */
export interface BlobRules extends BlobSchedule {
  /** Whether the proofs of a sidecar are valid. Its counts and hashes have been checked. */
  readonly isProven: (sidecar: BlobSidecar) => boolean
}

export interface Rules extends Pick<EipRules, 'delegations' | 'opcode44' | 'stateGas' | 'transferLogs'> {
  /** Name of a hard fork or a network, for documents. */
  readonly name: string
  readonly instructions: ReadonlySet<OptionalInstruction>
  readonly access: AccessRules
  readonly storage: StorageRules
  readonly call: CallRules
  readonly create: CreateRules
  readonly selfdestruct: SelfdestructRules
  readonly transaction: TransactionRules
  readonly maxMemory: number
  /** Gas per byte of the exponent (EIP-160). */
  readonly expByte: number
  /** Whether touched empty accounts are deleted (EIP-161). */
  readonly emptyAccounts: 'cleared' | 'kept'
  /** Value of BASEFEE. */
  readonly baseFee: 'baseFeePerGas' | 'minimumGasPrice'
  /** Absent if the network has no blobs. */
  readonly blobs: BlobRules | undefined
  readonly precompiles: ReadonlyMap<Address, Precompile>
  readonly precompileRules: PrecompileRules
}
