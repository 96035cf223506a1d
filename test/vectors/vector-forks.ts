/** Maps the hard forks of the Ethereum Foundation's tests to our rules and codec. */

import type { ErrorKind, NodeError } from '../../lib/base/errors.ts'
import type { AdmissionContext } from '../../lib/networks/consensus/admission.ts'
import { HARDFORKS } from '../../lib/config/eips.ts'
import type { Hardfork } from '../../lib/config/eips.ts'
import type { Network } from '../../lib/config/network.ts'
import { networkOf } from '../support/networks.ts'
import { TransactionCodec } from '../../lib/evm/codec.ts'
import { Engine } from '../../lib/evm/engine.ts'
import { ethereum } from '../../lib/networks/ethereum/consensus/ethereum.ts'
import type { Transaction } from '../../lib/evm/transaction.ts'
import { minGasLimit } from '../../lib/evm/transaction-gas.ts'
import { ChainInstance } from '../../lib/chain/instance/chain-instance.ts'
import { checkAdmission } from '../../lib/networks/ethereum/consensus/admit.ts'
import { Mempool } from '../../lib/chain/mempool/mempool.ts'
import type { StateRoot } from '../../lib/state/state-root.ts'

/** Codec and rules of a hard fork. */
export interface ForkRules {
  readonly codec: TransactionCodec
  readonly engine: Engine
  readonly network: Network
}

/** Older files name Paris Merge. */
const OTHER_NAMES: Readonly<Record<string, Hardfork>> = { merge: 'paris' }

const hardforkOf = (name: string): Hardfork | undefined => {
  const lower = name.toLowerCase()
  return OTHER_NAMES[lower] ?? HARDFORKS.find((hardfork) => hardfork === lower)
}

const rules = new Map(
  await Promise.all(HARDFORKS.map(async (hardfork) => [hardfork, await forkRules(hardfork)] as const)),
)

/** The tests are for chain 1. */
async function forkRules(hardfork: Hardfork): Promise<ForkRules> {
  const network = networkOf({ network: 'ethereum', hardfork, chainId: 1 })
  return {
    network,
    codec: new TransactionCodec(network),
    engine: new Engine(await ethereum.rules(network, { allowUnlimitedContractSize: false })),
  }
}

/** Rules of a hard fork by its name in the tests; absent for an unsupported fork. */
export function rulesOfFork(name: string): ForkRules | undefined {
  const hardfork = hardforkOf(name)
  return hardfork === undefined ? undefined : rules.get(hardfork)
}

/**
 * Checks a transaction as the pool does before it enters a block with this gas limit and base fee.
 * @throws NodeError of the kind that names the fault
 */
export function admit(
  transaction: Transaction,
  state: StateRoot,
  { gasLimit, baseFeePerGas }: { readonly gasLimit: bigint; readonly baseFeePerGas: bigint },
  { engine }: ForkRules,
): void {
  checkAdmission(transaction, {
    head: { state } as AdmissionContext['head'],
    mempool: new Mempool(new ChainInstance(), () => 0),
    intrinsicGas: minGasLimit(engine.rules, transaction),
    rules: {
      blockGasLimit: gasLimit,
      gasCap: engine.maxGasLimit(gasLimit),
      maxInitCodeSize: engine.maxInitCodeSize,
      minimumGasPrice: 0n,
      nextBaseFee: baseFeePerGas,
      priceBump: 10n,
      nonceGap: undefined,
      isMinedAtOnce: true,
    },
  })
}

/** Kinds of error by names of faults; every other name is a fault in the encoding of a transaction. */
const KINDS: Readonly<Record<string, readonly ErrorKind[]>> = {
  GAS_ALLOWANCE_EXCEEDED: ['gasLimitTooHigh'],
  INITCODE_SIZE_EXCEEDED: ['initCodeTooLarge'],
  INSUFFICIENT_ACCOUNT_FUNDS: ['insufficientFunds'],
  INSUFFICIENT_MAX_FEE_PER_GAS: ['feeTooLow'],
  INTRINSIC_GAS_BELOW_FLOOR_GAS_COST: ['intrinsicGasTooLow'],
  INTRINSIC_GAS_TOO_LOW: ['intrinsicGasTooLow'],
  NONCE_MISMATCH_TOO_HIGH: ['transactionRejected'],
  NONCE_MISMATCH_TOO_LOW: ['nonceTooLow'],
  PRIORITY_GREATER_THAN_MAX_FEE_PER_GAS: ['invalidTransaction'],
  PRIORITY_GREATER_THAN_MAX_FEE_PER_GAS_2: ['invalidTransaction'],
  SENDER_NOT_EOA: ['senderNotExternal'],
}

const KINDS_OF_FORM: readonly ErrorKind[] = ['invalidTransaction', 'unsupportedTransaction', 'wrongChainId']

/** The expected fault, or one of several with | between, if the error is of its kind; otherwise the kind of the error. */
export function faultOf({ kind }: NodeError, expected: string | undefined): string {
  const names = expected?.split('|').map((name) => name.replace('TransactionException.', '')) ?? []
  const isExpected = names.some((name) => (KINDS[name] ?? KINDS_OF_FORM).includes(kind))
  return expected !== undefined && isExpected ? expected : kind
}
