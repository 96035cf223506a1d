/** What an EIP can change: instructions, precompiles, header fields, rules of execution and of blobs. The EIPs are in eips.ts. */

/** Instructions that some networks lack. */
export type OptionalInstruction =
  | 'BASEFEE'
  | 'BLOBHASH'
  | 'BLOBBASEFEE'
  | 'CLZ'
  | 'DUPN'
  | 'EXCHANGE'
  | 'MCOPY'
  | 'PUSH0'
  | 'SLOTNUM'
  | 'SWAPN'
  | 'TLOAD'
  | 'TSTORE'

/** System contracts, by their names in EIP-7910. */
export type SystemContractName =
  | 'BEACON_ROOTS_ADDRESS'
  | 'CONSOLIDATION_REQUEST_PREDEPLOY_ADDRESS'
  | 'DEPOSIT_CONTRACT_ADDRESS'
  | 'HISTORY_STORAGE_ADDRESS'
  | 'WITHDRAWAL_REQUEST_PREDEPLOY_ADDRESS'

/** Header fields that EIPs appended. */
export type OptionalHeaderField =
  | 'baseFeePerGas'
  | 'withdrawalsRoot'
  | 'blobGasUsed'
  | 'excessBlobGas'
  | 'parentBeaconBlockRoot'
  | 'requestsHash'
  | 'blockAccessListHash'
  | 'slotNumber'

/** Gas per byte of data for the minimum gas of a transaction (floor). */
export interface DataFloor {
  readonly zeroByte: number
  readonly nonZeroByte: number
}

/** Prices of new state in state gas (EIP-8037). */
export interface StateGas {
  readonly account: number
  /** For a slot that was zero when the transaction began. */
  readonly slot: number
  readonly codeByte: number
  /** For the delegation of an account to code (EIP-7702). */
  readonly delegation: number
}

export interface EipRules {
  /** Gas per byte of addresses and slots in the access list, also in the floor (EIP-7981). */
  readonly accessListData: number
  /** Gas per authorization of a set-code transaction (EIP-7702); absent without such transactions. */
  readonly authorization: number | undefined
  /** Minimum gas by the data; absent without a minimum (EIP-7623). */
  readonly dataFloor: DataFloor | undefined
  /** Whether code can be a delegation to another account (EIP-7702). */
  readonly delegations: boolean
  /** Maximum gas limit of a transaction (EIP-7825); with state gas the maximum of its other gas (EIP-8037). */
  readonly gasCap: number | undefined
  /** Gas per word of init code (EIP-3860). */
  readonly initCodeWord: number
  /** Maximum bytes of code, and of init code; infinite without a limit. */
  readonly maxCodeSize: number
  readonly maxInitCodeSize: number
  /** Maximum bytes of each operand of the modexp precompile. */
  readonly modexpOperandSize: number
  readonly modexpPrice: 'EIP-2565' | 'EIP-7883'
  /** Whether SELFDESTRUCT deletes only contracts created in the same transaction (EIP-6780). */
  readonly onlyCreated: boolean
  /** Value of instruction 0x44 (EIP-4399). */
  readonly opcode44: 'difficulty' | 'random'
  /** Whether refunded gas is available to other transactions of the block (EIP-7778). */
  readonly refundsBlockGas: boolean
  /** Whether code may not begin with 0xef (EIP-3541). */
  readonly rejectsEf: boolean
  /** Prices of new state; absent if they are part of other prices (EIP-8037). */
  readonly stateGas: StateGas | undefined
  /** Whether transfers of the native coin are logged (EIP-7708). */
  readonly transferLogs: boolean
  /** Whether the coinbase is warm from the start (EIP-3651). */
  readonly warmsCoinbase: boolean
}

/** Blob limits and blob price rules of a network. */
export interface BlobSchedule {
  /** Number of blobs per block at which the price does not change. */
  readonly target: number
  readonly max: number
  readonly maxPerTransaction: number
  /** Excess blob gas for which the price grows by the factor e (BLOB_BASE_FEE_UPDATE_FRACTION). */
  readonly baseFeeUpdateFraction: bigint
  /** Whether the price falls only while it is above a part of the base fee (EIP-7918). */
  readonly hasReservePrice: boolean
  /** Newest version of sidecars: 1 has a proof for each cell (EIP-7594). */
  readonly sidecarVersion: 0 | 1
}

export interface Eip {
  /** Description for the documents. */
  readonly title: string
  readonly requires?: readonly number[]
  readonly instructions?: readonly OptionalInstruction[]
  /** Names of the precompiles that some hard forks lack. */
  readonly precompiles?: readonly string[]
  readonly systemContracts?: readonly SystemContractName[]
  readonly headerFields?: readonly OptionalHeaderField[]
  readonly transactionType?: number
  readonly rules?: Partial<EipRules>
  readonly blobs?: Partial<BlobSchedule>
}

/** The rules before any EIP of the table. */
export const INITIAL_RULES: EipRules = {
  accessListData: 0,
  authorization: undefined,
  dataFloor: undefined,
  delegations: false,
  gasCap: undefined,
  initCodeWord: 0,
  maxCodeSize: 24_576,
  maxInitCodeSize: Infinity,
  modexpOperandSize: Infinity,
  modexpPrice: 'EIP-2565',
  onlyCreated: false,
  opcode44: 'difficulty',
  refundsBlockGas: true,
  rejectsEf: false,
  stateGas: undefined,
  transferLogs: false,
  warmsCoinbase: false,
}

/** The blob schedule of EIP-4844, which later EIPs change. */
export const INITIAL_BLOB_SCHEDULE: BlobSchedule = {
  target: 3,
  max: 6,
  maxPerTransaction: 6,
  baseFeeUpdateFraction: 3_338_477n,
  hasReservePrice: false,
  sidecarVersion: 0,
}
