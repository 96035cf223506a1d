/** Builds the rules of Ethereum's hard forks from London on. The values of each EIP are in config/eips.ts. */

import type { Address } from '../../base/hex.ts'
import { lazyPart } from '../../base/lazy-part.ts'
import { activeEips, type ActiveEips } from '../../config/active-eips.ts'
import type { Network } from '../../config/network.ts'
import type { Precompile } from '../../evm/precompile.ts'
import type { BlobRules, Rules } from '../../evm/rules.ts'
import type { RulesOptions } from '../consensus/consensus.ts'

export interface EthereumOptions extends Partial<
  Pick<Network, 'maxCodeSize' | 'maxInitCodeSize' | 'depositContract'>
> {
  /** Name of the hard fork or network, for documents. */
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
  const { name, eips, precompiles, depositContract, isSidecarProven = () => false } = options
  const { call, create, selfdestruct, storage, transaction } = LONDON
  const { rejectsEf, initCodeWord, onlyCreated, delegations, opcode44 } = eips.rules
  const { accessListData, dataFloor, authorization, gasCap, refundsBlockGas, warmsCoinbase } = eips.rules
  const { stateGas, transferLogs } = eips.rules
  const prices = stateGas === undefined ? NO_PRICES : STATE_GAS_PRICES
  return {
    ...LONDON,
    name,
    precompiles,
    instructions: eips.instructions,
    storage: { ...storage, ...prices.storage },
    call: { ...call, ...prices.newAccount },
    create: { ...create, ...prices.create, ...sizeLimits(options), rejectsEf, initCodeWord },
    selfdestruct: { ...selfdestruct, ...prices.newAccount, onlyCreated },
    transaction: {
      ...transaction,
      ...prices.transaction,
      initCodeWord,
      accessListData,
      dataFloor,
      authorization,
      depositContract: eips.systemContracts.has('DEPOSIT_CONTRACT_ADDRESS') ? depositContract : undefined,
      gasCap,
      refundsBlockGas,
      warmsCoinbase,
    },
    opcode44,
    delegations,
    stateGas,
    transferLogs,
    blobs: eips.blobs && { ...eips.blobs, isProven: isSidecarProven },
  }
}

function sizeLimits({
  allowUnlimitedContractSize,
  eips,
  maxCodeSize,
  maxInitCodeSize,
}: EthereumOptions): Pick<Rules['create'], 'maxCodeSize' | 'maxInitCodeSize'> {
  if (allowUnlimitedContractSize) return { maxCodeSize: Infinity, maxInitCodeSize: Infinity }
  return {
    maxCodeSize: maxCodeSize ?? eips.rules.maxCodeSize,
    maxInitCodeSize: maxInitCodeSize ?? eips.rules.maxInitCodeSize,
  }
}

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
    keepsUnreadInput: true,
  },
  create: {
    base: 32_000,
    codeByte: 200,
    codeWord: 0,
    nonceByTransaction: 1n,
    checksTransactionCollision: true,
    storageCollides: true,
    deletedCollides: false,
    keepsRevertData: true,
    refusalKeepsReturnData: false,
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
    areMovable: true,
  },
} as const

const NO_PRICES = { storage: {}, newAccount: {}, create: {}, transaction: {} }

/** The part of the prices of new state that is not state gas (EIP-8037). */
const STATE_GAS_PRICES = {
  storage: { set: LONDON.storage.reset },
  newAccount: { newAccount: 0 },
  create: { base: 9000, codeByte: 0, codeWord: 6 },
  transaction: { creation: 9000, authorizationRefund: 0 },
} as const

/** Builds the rules of an Ethereum network. Precompiles and blob checks load on demand: their curves are slow to set up. */
export async function loadEthereumRules(network: Network, options: RulesOptions): Promise<Rules> {
  const { hardfork, maxCodeSize, maxInitCodeSize, depositContract } = network
  const eips = activeEips(network)
  const { ethereumPrecompiles } = await loadEthereum()
  const { isSidecarProven } = await loadSidecarProofs()
  return ethereumRules({
    allowUnlimitedContractSize: options.allowUnlimitedContractSize,
    eips,
    maxCodeSize,
    maxInitCodeSize,
    name: hardfork,
    depositContract,
    precompiles: ethereumPrecompiles(eips),
    isSidecarProven,
  })
}

const loadSidecarProofs = lazyPart('the proofs of blobs', () => import('./sidecar-proofs.ts'))
const loadEthereum = lazyPart('the precompiles of Ethereum', () => import('./precompiles/precompiles.ts'))
