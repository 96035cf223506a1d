/** Builds the rules of Ethereum's hard forks from London on (each value names its EIP). */

import type { Address } from '../../base/hex.ts'
import { invariant } from '../../base/invariant.ts'
import { blobScheduleOf } from '../../config/blob-schedule.ts'
import type { Hardfork } from '../../config/hardfork.ts'
import { HARDFORKS, isForkSince } from '../../config/hardfork.ts'
import type { Precompile } from '../precompiles/precompile.ts'
import type { BlobRules, OptionalInstruction, Rules } from './rules.ts'

/** Options of an Ethereum network's rules. */
export interface EthereumOptions {
  readonly hardfork: Hardfork
  /** EIPs in addition to the hard fork's. Unknown EIPs change nothing. */
  readonly eips: readonly number[]
  readonly precompiles: ReadonlyMap<Address, Precompile>
  /** Checks the proofs of sidecars; without it every proof is invalid. */
  readonly isSidecarProven?: BlobRules['isProven'] | undefined
  /** Lifts the limits on the size of code and of init code. */
  readonly allowUnlimitedContractSize: boolean
  /** Maximum bytes of code; defaults to the hard fork's limit. */
  readonly maxCodeSize?: number | undefined
  /** Maximum bytes of init code; defaults to the hard fork's limit. */
  readonly maxInitCodeSize?: number | undefined
  /** The contract whose logs are deposits, from Prague on (EIP-6110). */
  readonly depositContract?: Address | undefined
}

/** EIPs that change the machine or transactions, by hard fork. */
const EIPS: Readonly<Record<Hardfork, readonly number[]>> = {
  london: [3198, 3541],
  paris: [4399],
  shanghai: [3651, 3855, 3860],
  cancun: [1153, 4844, 5656, 6780, 7516],
  prague: [7623, 7702],
  osaka: [7825, 7939],
}

const INSTRUCTIONS: readonly (readonly [eip: number, names: readonly OptionalInstruction[]])[] = [
  [3198, ['BASEFEE']],
  [3855, ['PUSH0']],
  [1153, ['TLOAD', 'TSTORE']],
  [4844, ['BLOBHASH']],
  [5656, ['MCOPY']],
  [7516, ['BLOBBASEFEE']],
  [7939, ['CLZ']],
]

/** The rules of a hard fork with additional EIPs. */
export function ethereumRules(options: EthereumOptions): Rules {
  const last = HARDFORKS.indexOf(options.hardfork)
  invariant(last >= 0, `no rules for hard fork ${options.hardfork}`)
  const eips = new Set([...HARDFORKS.slice(0, last + 1).flatMap((fork) => EIPS[fork]), ...options.eips])
  const has = (eip: number): boolean => eips.has(eip)
  const { maxCodeSize, maxInitCodeSize } = sizeLimits(options, has(3860))
  const { create, selfdestruct, transaction } = LONDON
  return {
    ...LONDON,
    name: options.hardfork,
    precompiles: options.precompiles,
    instructions: new Set(INSTRUCTIONS.flatMap(([eip, names]) => (has(eip) ? names : []))),
    create: {
      ...create,
      rejectsEf: has(3541),
      initCodeWord: has(3860) ? 2 : 0,
      maxCodeSize,
      maxInitCodeSize,
    },
    selfdestruct: { ...selfdestruct, onlyCreated: has(6780) },
    transaction: {
      ...transaction,
      initCodeWord: has(3860) ? 2 : 0,
      floorPerToken: has(7623) ? 10 : undefined,
      authorization: has(7702) ? 25_000 : undefined,
      depositContract: isForkSince(options.hardfork, 'prague') ? options.depositContract : undefined,
      gasCap: has(7825) ? 16_777_216 : undefined,
      warmsCoinbase: has(3651),
    },
    opcode44: has(4399) ? 'random' : 'difficulty',
    delegations: has(7702),
    blobs: blobRules(options),
  }
}

function blobRules({ hardfork, isSidecarProven = () => false }: EthereumOptions): BlobRules | undefined {
  const schedule = blobScheduleOf(hardfork)
  return schedule === undefined ? undefined : { ...schedule, isProven: isSidecarProven }
}

function sizeLimits(
  { allowUnlimitedContractSize, maxCodeSize, maxInitCodeSize }: EthereumOptions,
  limitsInitCode: boolean,
): { readonly maxCodeSize: number; readonly maxInitCodeSize: number } {
  if (allowUnlimitedContractSize) return { maxCodeSize: Infinity, maxInitCodeSize: Infinity }
  return {
    maxCodeSize: maxCodeSize ?? LONDON.create.maxCodeSize,
    maxInitCodeSize: maxInitCodeSize ?? (limitsInitCode ? 49_152 : Infinity),
  }
}

/** Values of London, most of which apply to all later hard forks. */
const LONDON = {
  // EIP-2929
  access: { kind: 'warm-cold', coldAccount: 2600, coldSlot: 2100, warm: 100 },
  // EIP-2200, 2929 and 3529
  storage: { kind: 'net', sentry: 2300, set: 20_000, reset: 2900, dirty: 100, clearRefund: 4800 },
  call: {
    maxDepth: 1024,
    reserves64th: true,
    stipend: 2300,
    stipendIs: 'granted',
    valueTransfer: 9000,
    newAccount: 25_000,
    newAccountCharge: 'value-to-empty',
    recordsMissing: false,
  },
  create: {
    base: 32_000,
    initCodeWord: 0,
    codeByte: 200,
    nonceByTransaction: 1n,
    nonceByCode: 1n,
    checksTransactionCollision: true,
    storageCollides: true,
    keepsRevertData: true,
    countsConstructorRefunds: true,
    rejectsEf: true,
    // EIP-170
    maxCodeSize: 24_576,
    maxInitCodeSize: Infinity,
  },
  selfdestruct: {
    base: 5000,
    refund: 0,
    newAccount: 25_000,
    newAccountCharge: 'value-to-empty',
    onlyCreated: false,
  },
  transaction: {
    base: 21_000,
    creation: 32_000,
    zeroByte: 4,
    // EIP-2028
    nonZeroByte: 16,
    initCodeWord: 0,
    // EIP-2930
    accessListAddress: 2400,
    accessListSlot: 1900,
    floorPerToken: undefined,
    authorization: undefined,
    // EIP-7702: 25,000 less 12,500
    authorizationRefund: 12_500,
    gasCap: undefined,
    depositContract: undefined,
    // EIP-3529
    refundQuotient: 5,
    warmsCoinbase: false,
    refusesSenderWithCode: true,
    feesGoTo: 'coinbase',
    isFree: () => false,
  },
  maxMemory: 2 ** 32,
  expByte: 50,
  emptyAccounts: 'cleared',
  opcode44: 'difficulty',
  baseFee: 'baseFeePerGas',
  delegations: false,
  native: {
    looksLikeContract: false,
    failureCosts: 'given',
    recordsCalled: false,
    excusesTransactions: false,
  },
} as const satisfies Partial<Rules>
