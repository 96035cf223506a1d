/** The supported hard forks, their EIPs, and the changes of each EIP. active-eips.ts combines the EIPs of a network. */

import { INITIAL_BLOB_SCHEDULE, type Eip } from './eip-changes.ts'

/** Hard forks, oldest first. */
export const HARDFORKS = ['london', 'paris', 'shanghai', 'cancun', 'prague', 'osaka', 'amsterdam'] as const

export type Hardfork = (typeof HARDFORKS)[number]

/** The next fork of network 33, which has no name yet and whose rules are drafts (node-next 2). */
export const NEXT_FORK = 'next'

/** The hard forks that an option or a preset can name. */
export const NETWORK_FORKS = [...HARDFORKS, NEXT_FORK] as const

export type NetworkFork = (typeof NETWORK_FORKS)[number]

/** Hard forks whose rules are drafts. Amsterdam's rules follow one release of its public tests (docs/internal/eips.md). */
export const DRAFT_FORKS: ReadonlySet<NetworkFork> = new Set(['amsterdam', NEXT_FORK])

/**
 * The EIPs of the table below that each hard fork adds. EIP-2930 is part of Berlin but listed with London, the oldest hard fork
 * here. Every hard fork includes the EIPs of older ones.
 */
export const HARDFORK_EIPS: Readonly<Record<Hardfork, readonly number[]>> = {
  london: [1559, 2930, 3198, 3541],
  paris: [4399],
  shanghai: [3651, 3855, 3860, 4895],
  cancun: [1153, 4788, 4844, 5656, 6780, 7516],
  prague: [2537, 2935, 6110, 7002, 7251, 7623, 7685, 7691, 7702],
  osaka: [7594, 7823, 7825, 7883, 7918, 7939, 7951],
  amsterdam: [7708, 7778, 7843, 7892, 7928, 7954, 7976, 7981, 8024, 8037],
}

/** COST_PER_STATE_BYTE of EIP-8037 in the test release snøbal-devnet-4. */
const GAS_PER_STATE_BYTE = 1174

export const EIPS: Readonly<Record<number, Eip>> = {
  1153: { title: 'transient storage', instructions: ['TLOAD', 'TSTORE'] },
  1559: { title: 'base fee, fee market transactions', headerFields: ['baseFeePerGas'], transactionType: 2 },
  2537: {
    title: 'operations on the curve BLS12-381',
    precompiles: [
      'blsG1Add',
      'blsG1MultiplyAll',
      'blsG2Add',
      'blsG2MultiplyAll',
      'blsPairing',
      'blsMapToG1',
      'blsMapToG2',
    ],
  },
  2930: { title: 'access list transactions', transactionType: 1 },
  // The code of the system contracts begins with PUSH0.
  2935: {
    title: 'block hashes from a contract',
    requires: [3855],
    systemContracts: ['HISTORY_STORAGE_ADDRESS'],
  },
  3198: { title: 'base fee in contracts', instructions: ['BASEFEE'] },
  3541: { title: 'no new code that begins with 0xef', rules: { rejectsEf: true } },
  3651: { title: 'the coinbase is warm', rules: { warmsCoinbase: true } },
  3855: { title: 'zero in one byte of code', instructions: ['PUSH0'] },
  3860: {
    title: 'init code has a price, and at most 49,152 bytes',
    rules: { initCodeWord: 2, maxInitCodeSize: 49_152 },
  },
  4399: { title: 'PREVRANDAO in place of DIFFICULTY', rules: { opcode44: 'random' } },
  4788: {
    title: 'beacon roots',
    requires: [3855],
    headerFields: ['parentBeaconBlockRoot'],
    systemContracts: ['BEACON_ROOTS_ADDRESS'],
  },
  4844: {
    title: 'transactions with blobs',
    requires: [4895],
    instructions: ['BLOBHASH'],
    precompiles: ['pointEvaluation'],
    headerFields: ['blobGasUsed', 'excessBlobGas'],
    transactionType: 3,
    blobs: INITIAL_BLOB_SCHEDULE,
  },
  4895: { title: 'withdrawals', headerFields: ['withdrawalsRoot'] },
  5656: { title: 'copies in memory', instructions: ['MCOPY'] },
  6110: { title: 'deposit requests', requires: [7685], systemContracts: ['DEPOSIT_CONTRACT_ADDRESS'] },
  6780: {
    title: 'SELFDESTRUCT deletes only contracts of the same transaction',
    rules: { onlyCreated: true },
  },
  7002: {
    title: 'withdrawal requests',
    requires: [3855, 7685],
    systemContracts: ['WITHDRAWAL_REQUEST_PREDEPLOY_ADDRESS'],
  },
  7251: {
    title: 'consolidation requests',
    requires: [3855, 7685],
    systemContracts: ['CONSOLIDATION_REQUEST_PREDEPLOY_ADDRESS'],
  },
  7516: { title: 'blob base fee in contracts', requires: [4844], instructions: ['BLOBBASEFEE'] },
  7594: {
    title: 'proofs of cells in sidecars',
    requires: [4844],
    blobs: { maxPerTransaction: 6, sidecarVersion: 1 },
  },
  7623: { title: 'minimum price of data', rules: { dataFloor: { zeroByte: 10, nonZeroByte: 40 } } },
  7685: { title: 'execution requests', headerFields: ['requestsHash'] },
  7691: {
    title: 'six to nine blobs in a block',
    requires: [4844],
    blobs: { target: 6, max: 9, maxPerTransaction: 9, baseFeeUpdateFraction: 5_007_716n },
  },
  7702: {
    title: 'set code transactions',
    transactionType: 4,
    rules: { authorization: 25_000, delegations: true },
  },
  7708: { title: 'a log for each transfer of the native coin', rules: { transferLogs: true } },
  7778: { title: 'refunds leave no room in a block', rules: { refundsBlockGas: false } },
  7823: { title: 'operands of modexp have at most 1024 bytes', rules: { modexpOperandSize: 1024 } },
  7825: { title: 'a transaction has at most 2^24 gas', rules: { gasCap: 16_777_216 } },
  7843: { title: 'slot number', instructions: ['SLOTNUM'], headerFields: ['slotNumber'] },
  7883: { title: 'higher price of modexp', rules: { modexpPrice: 'EIP-7883' } },
  7892: {
    title: 'fourteen to twenty-one blobs in a block',
    requires: [4844],
    blobs: { target: 14, max: 21, baseFeeUpdateFraction: 11_684_671n },
  },
  7918: { title: 'minimum price of blobs', requires: [4844], blobs: { hasReservePrice: true } },
  7928: { title: 'block access lists', headerFields: ['blockAccessListHash'] },
  7939: { title: 'count of leading zeros', instructions: ['CLZ'] },
  7951: { title: 'signatures over the curve P-256', precompiles: ['p256Verify'] },
  7954: {
    title: 'code has at most 32,768 bytes, init code 65,536',
    requires: [3860],
    rules: { maxCodeSize: 32_768, maxInitCodeSize: 65_536 },
  },
  7976: {
    title: 'higher minimum price of data',
    requires: [7623],
    rules: { dataFloor: { zeroByte: 64, nonZeroByte: 64 } },
  },
  7981: { title: 'price of data in access lists', requires: [2930], rules: { accessListData: 64 } },
  8024: { title: 'duplicates and swaps of deep words', instructions: ['DUPN', 'SWAPN', 'EXCHANGE'] },
  8037: {
    title: 'price of new state by its bytes',
    requires: [3860, 7702, 7778, 7825],
    rules: {
      authorization: 7500,
      stateGas: {
        account: 112 * GAS_PER_STATE_BYTE,
        slot: 32 * GAS_PER_STATE_BYTE,
        codeByte: GAS_PER_STATE_BYTE,
        delegation: 23 * GAS_PER_STATE_BYTE,
      },
    },
  },
}
