/** Builds the rules of Ethereum's hard forks from London on. The values of each EIP are in config/eips.ts. */

import type { Address } from '../../base/hex.ts'
import type { ActiveEips } from '../../config/active-eips.ts'
import type { Network } from '../../config/network.ts'
import type { Precompile } from '../../evm/precompile.ts'
import type { BlobRules, Rules } from '../../evm/rules.ts'

/** Options of an Ethereum network's rules. */
export interface EthereumOptions extends Partial<
  Pick<Network, 'maxCodeSize' | 'maxInitCodeSize' | 'depositContract'>
> {
  /** Name of the hard fork or the network, for documents. */
  readonly name: string
  readonly eips: ActiveEips
  readonly precompiles: ReadonlyMap<Address, Precompile>
  /** Checks the proofs of sidecars; without it every proof is invalid. */
  readonly isSidecarProven?: BlobRules['isProven'] | undefined
  /** Lifts the limits on the size of code and of init code. */
  readonly allowUnlimitedContractSize: boolean
}

/** The rules of London with the changes by EIPs. */
export function ethereumRules(options: EthereumOptions): Rules {
  const { name, eips, precompiles, depositContract } = options
  const { create, selfdestruct, transaction } = LONDON
  const { rejectsEf, initCodeWord, onlyCreated, delegations, opcode44 } = eips.rules
  const { floorPerToken, authorization, gasCap, warmsCoinbase } = eips.rules
  return {
    ...LONDON,
    name,
    precompiles,
    instructions: eips.instructions,
    create: { ...create, ...sizeLimits(options), rejectsEf, initCodeWord },
    selfdestruct: { ...selfdestruct, onlyCreated },
    transaction: {
      ...transaction,
      initCodeWord,
      floorPerToken,
      authorization,
      depositContract: eips.systemContracts.has('DEPOSIT_CONTRACT_ADDRESS') ? depositContract : undefined,
      gasCap,
      warmsCoinbase,
    },
    opcode44,
    delegations,
    blobs: blobRules(options),
  }
}

function blobRules({ eips, isSidecarProven = () => false }: EthereumOptions): BlobRules | undefined {
  return eips.blobs === undefined ? undefined : { ...eips.blobs, isProven: isSidecarProven }
}

function sizeLimits({
  allowUnlimitedContractSize,
  eips,
  maxCodeSize,
  maxInitCodeSize,
}: EthereumOptions): Pick<Rules['create'], 'maxCodeSize' | 'maxInitCodeSize'> {
  if (allowUnlimitedContractSize) return { maxCodeSize: Infinity, maxInitCodeSize: Infinity }
  return {
    maxCodeSize: maxCodeSize ?? MAX_CODE_SIZE,
    maxInitCodeSize: maxInitCodeSize ?? eips.rules.maxInitCodeSize,
  }
}

/** Maximum bytes of code (EIP-170). */
const MAX_CODE_SIZE = 24_576

/** Values of London that all later hard forks have. */
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
    createsMissingAccounts: false,
  },
  create: {
    base: 32_000,
    codeByte: 200,
    nonceByTransaction: 1n,
    checksTransactionCollision: true,
    storageCollides: true,
    keepsRevertData: true,
    countsConstructorRefunds: true,
  },
  selfdestruct: {
    base: 5000,
    refund: 0,
    newAccount: 25_000,
    newAccountCharge: 'value-to-empty',
  },
  transaction: {
    base: 21_000,
    creation: 32_000,
    zeroByte: 4,
    // EIP-2028
    nonZeroByte: 16,
    // EIP-2930
    accessListAddress: 2400,
    accessListSlot: 1900,
    accessListByte: 0,
    // EIP-7702: 25,000 less 12,500
    authorizationRefund: 12_500,
    // EIP-3529
    refundQuotient: 5,
    refusesSenderWithCode: true,
    feesGoTo: 'coinbase',
    chargesCalls: true,
    fundsCover: 'maximum price',
    isFree: () => false,
  },
  maxMemory: 2 ** 32,
  expByte: 50,
  emptyAccounts: 'cleared',
  baseFee: 'baseFeePerGas',
  precompileRules: {
    looksLikeContract: false,
    failureCosts: 'given',
    createsCalledAccount: false,
    failureCountsAsSuccess: false,
  },
} as const
