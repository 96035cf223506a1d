/** What distinguishes the execution of one network from another's, as data. The machine and the transaction layer read it. */

import type { Address } from '../../base/hex.ts'
import type { BlobSchedule } from '../../config/blob-schedule.ts'
import type { Precompile } from '../precompiles/precompile.ts'
import type { BlobSidecar } from '../sidecar.ts'

/** Instructions that some networks do not have. */
export type OptionalInstruction =
  'BASEFEE' | 'BLOBHASH' | 'BLOBBASEFEE' | 'CLZ' | 'MCOPY' | 'PUSH0' | 'TLOAD' | 'TSTORE'

/** What reading an account or a slot costs: always the same, or more the first time in a transaction (EIP-2929). */
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

/** What SSTORE costs and gives back: by the present value only, or by that at the transaction's start (EIP-2200). */
export type StorageRules =
  | { readonly kind: 'simple'; readonly set: number; readonly reset: number; readonly clearRefund: number }
  | {
      readonly kind: 'net'
      /** Gas that has to be left, and is not charged. */
      readonly sentry: number
      /** A slot that was zero at the start is set the first time. */
      readonly set: number
      /** A slot that was not zero at the start is changed the first time; without the cold access. */
      readonly reset: number
      /** It has been changed before in this transaction, or does not change. */
      readonly dirty: number
      readonly clearRefund: number
    }

/** When the charge for a new account is due: the account is missing, or value goes to one that is empty (EIP-161). */
export type NewAccountCharge = 'missing' | 'value-to-empty'

/** How calls differ. */
export interface CallRules {
  /** Frames that may stand on the outermost one. */
  readonly maxDepth: number
  /** Whether the caller keeps a 64th of its gas (EIP-150). */
  readonly reserves64th: boolean
  /** Gas the callee gets when value is sent. */
  readonly stipend: number
  /** Whether it is a gift, or the caller's own gas, without which the call is an exception. */
  readonly stipendIs: 'granted' | 'charged'
  readonly valueTransfer: number
  readonly newAccount: number
  readonly newAccountCharge: NewAccountCharge
  /** Whether calls without value leave a record of an account that was missing. */
  readonly recordsMissing: boolean
}

/** How creations differ. */
export interface CreateRules {
  readonly base: number
  /** Per word of the init code (EIP-3860). */
  readonly initCodeWord: number
  /** Per byte of the code. */
  readonly codeByte: number
  /** Nonce of a contract that a transaction makes. */
  readonly nonceByTransaction: bigint
  /** Nonce of a contract that code makes. */
  readonly nonceByCode: bigint
  /** Whether a creation by transaction fails where an account is in its way. */
  readonly checksTransactionCollision: boolean
  /** Whether storage alone is in the way of a creation (EIP-7610). */
  readonly storageCollides: boolean
  /** Whether what a constructor reverts with is in the creating frame's return buffer. */
  readonly keepsRevertData: boolean
  /** Whether refunds for storage that a constructor cleared count. */
  readonly countsConstructorRefunds: boolean
  /** Whether code may not begin with 0xef (EIP-3541). */
  readonly rejectsEf: boolean
  /** Bytes; infinite without a limit. */
  readonly maxCodeSize: number
  /** Bytes; infinite without a limit. For code that creates, more is an exception; the transaction layer refuses it. */
  readonly maxInitCodeSize: number
}

/** How SELFDESTRUCT differs. */
export interface SelfdestructRules {
  readonly base: number
  readonly refund: number
  readonly newAccount: number
  readonly newAccountCharge: NewAccountCharge
  /** Whether a contract that was there before the transaction stays (EIP-6780). */
  readonly onlyCreated: boolean
}

/** What the machine tells code about precompiles, and takes for their failure. */
export interface PrecompileRules {
  /** Whether they look like contracts of 2^256 - 1 bytes whose hash is that of no code. */
  readonly looksLikeContract: boolean
  /** Whether a call that fails costs the contract's gas only (IP-197), or all the gas it was given. */
  readonly failureCosts: 'required' | 'given'
  /** Whether a precompile that is called gets a record even without value. */
  readonly recordsCalled: boolean
  /** Whether a transaction to a precompile that refuses it counts as a success, at the price of all its gas. */
  readonly excusesTransactions: boolean
}

/** What a transaction costs beside its execution. */
export interface TransactionRules {
  readonly base: number
  /** In addition, for a creation. */
  readonly creation: number
  readonly zeroByte: number
  readonly nonZeroByte: number
  /** Per word of the init code of a creation (EIP-3860). */
  readonly initCodeWord: number
  readonly accessListAddress: number
  readonly accessListSlot: number
  /** Per token of data the least gas on top of the base; a byte that is not zero is four tokens (EIP-7623). */
  readonly floorPerToken: number | undefined
  /** Per permission of a set-code transaction (EIP-7702); absent where there are none. */
  readonly authorization: number | undefined
  /** Given back when the permitting account was there before. */
  readonly authorizationRefund: number
  /** Most gas of one transaction (EIP-7825). */
  readonly gasCap: number | undefined
  /** The contract whose logs are deposits for validators (EIP-6110); absent where blocks have no requests. */
  readonly depositContract: Address | undefined
  /** At most the gas used divided by this is given back. */
  readonly refundQuotient: number
  /** Whether the coinbase is warm from the start (EIP-3651). */
  readonly warmsCoinbase: boolean
  /** Whether accounts with code may not send (EIP-3607). */
  readonly refusesSenderWithCode: boolean
  /** Who earns what a transaction pays: the coinbase, without the base fee, or a contract at the end of the block. */
  readonly feesGoTo: 'coinbase' | 'contract'
  /** Whether a transaction costs its sender nothing. */
  readonly isFree: (sender: Address, to: Address | undefined) => boolean
}

/** How transactions carry blobs (EIP-4844). */
export interface BlobRules extends BlobSchedule {
  /** Whether the proofs of a sidecar hold; its counts and hashes have been checked. */
  readonly isProven: (sidecar: BlobSidecar) => boolean
}

/** The rules of a network. */
export interface Rules {
  /** Name for documents: a hard fork or a network. */
  readonly name: string
  readonly instructions: ReadonlySet<OptionalInstruction>
  readonly access: AccessRules
  readonly storage: StorageRules
  readonly call: CallRules
  readonly create: CreateRules
  readonly selfdestruct: SelfdestructRules
  readonly transaction: TransactionRules
  /** Bytes to which a frame's memory can grow; more is out of gas. */
  readonly maxMemory: number
  /** Per byte of the exponent (EIP-160). */
  readonly expByte: number
  /** Empty accounts that a transaction touched are deleted or stay (EIP-161). */
  readonly emptyAccounts: 'cleared' | 'kept'
  /** What 0x44 answers (EIP-4399). */
  readonly opcode44: 'difficulty' | 'random'
  /** What BASEFEE answers. */
  readonly baseFee: 'baseFeePerGas' | 'minimumGasPrice'
  /** Whether code can be a pointer to another account's (EIP-7702). */
  readonly delegations: boolean
  /** Absent where there are no blobs. */
  readonly blobs: BlobRules | undefined
  readonly precompiles: ReadonlyMap<Address, Precompile>
  readonly native: PrecompileRules
}
