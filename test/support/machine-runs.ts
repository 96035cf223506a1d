/** Runs a message on our machine and on the stock EVM library, each with its own state. */

import { createBlock } from '@ethereumjs/block'
import type { Common } from '@ethereumjs/common'
import { Mainnet, createCustomCommon } from '@ethereumjs/common'
import { createEVM } from '@ethereumjs/evm'
import { MerkleStateManager } from '@ethereumjs/statemanager'
import { Address as LibraryAddress, createAccount } from '@ethereumjs/util'
import type { Address, Hash } from '../../lib/base/hex.ts'
import { asHash, bigIntToBytes, fromHex, toAddress, toHex, toWord } from '../../lib/base/hex.ts'
import { activeEips } from '../../lib/config/active-eips.ts'
import { HARDFORKS } from '../../lib/config/eips.ts'
import type { Hardfork } from '../../lib/config/eips.ts'
import type { BlockContext } from '../../lib/evm/block-context.ts'
import type {
  ExecutionEnvironment,
  ExecutionResult,
  TransactionContext,
} from '../../lib/evm/machine/environment.ts'
import { Machine } from '../../lib/evm/machine/machine.ts'
import { ethereumPrecompiles } from '../../lib/networks/ethereum/precompiles/precompiles.ts'
import { ethereumRules } from '../../lib/networks/ethereum/rules.ts'
import type { Rules } from '../../lib/evm/rules.ts'
import { State } from '../../lib/state/state.ts'
import { StateRoot } from '../../lib/state/state-root.ts'
import { exceptionOf, logsOf, statusOf } from './library-outcome.ts'
import { addressOf } from './transactions.ts'

/** An account before the message. */
export interface Given {
  readonly balance?: bigint
  readonly nonce?: bigint
  readonly code?: Uint8Array
  readonly storage?: ReadonlyMap<bigint, bigint>
}

/** The accounts before the message. */
export type World = ReadonlyMap<Address, Given>

/** The message: a call or a creation. */
export interface Sent {
  readonly to: Address | undefined
  readonly data: Uint8Array
  readonly value: bigint
  readonly gas: number
  /** Nonce of the sender before; 0 by default. */
  readonly nonce?: bigint
}

/** Comparable results of both sides. */
export interface Ran {
  readonly status: string
  readonly gasLeft: number
  readonly refund: number
  readonly output: string
  readonly logs: unknown
  readonly created: Address | undefined
  readonly stateRoot: Hash
  /** Whether there was an exception. Its name is not compared: with two causes, the library names the other. */
  readonly isException: boolean
}

export const SENDER = addressOf(0xabcdef)
export const COINBASE = addressOf(0xc0)
const GAS_PRICE = 7n

/** The block of every run. */
export const BLOCK: BlockContext = {
  number: 1000n,
  chainId: 33n,
  timestamp: 1_700_000_000n,
  coinbase: COINBASE,
  gasLimit: 30_000_000n,
  baseFeePerGas: 5n,
  difficulty: 0n,
  mixHash: asHash(`0x${'ab'.repeat(32)}`),
  minimumGasPrice: 3n,
  blockHash: (number) => toWord(number * 1_000_003n + 1n),
  ancestor: () => undefined,
}

/** Rules of a hard fork with the precompiles of Ethereum. */
export function rulesOf(hardfork: Hardfork): Rules {
  const eips = activeEips({ ownEips: undefined, hardfork, eips: [] })
  const precompiles = ethereumPrecompiles(eips)
  return ethereumRules({ name: hardfork, eips, precompiles, allowUnlimitedContractSize: false })
}

/** The hard forks that the library knows: its rules of the newest one are unfinished (10.1.3). */
export const LIBRARY_HARDFORKS: readonly Hardfork[] = HARDFORKS.filter((hardfork) => hardfork !== 'amsterdam')

/** The library's rules of a hard fork. */
export const libraryRulesOf = (hardfork: Hardfork): Common =>
  createCustomCommon({ chainId: 33, name: 'reference' }, Mainnet, { hardfork })

/** A state with these accounts; the sender has sent one transaction, this one. */
export function stateOf(world: World): State {
  const state = new State(StateRoot.empty)
  for (const [address, { balance, nonce, code, storage }] of withSender(world)) {
    state.putAccount(address, { nonce: nonce ?? 0n, balance: balance ?? 0n })
    if (code !== undefined) state.putCode(address, code)
    for (const [slot, value] of storage ?? []) state.putStorage(address, toWord(slot), bigIntToBytes(value))
  }
  state.commitRoot()
  return state
}

const withSender = (world: World): World =>
  new Map([[SENDER, { balance: 10n ** 30n, nonce: 1n }], ...world] as const)

/** Environment and transaction of a run, without its message. */
export interface RunContext extends Omit<ExecutionEnvironment, 'block'>, Omit<TransactionContext, 'origin'> {
  readonly block: BlockContext
  readonly blobBaseFee: bigint
  readonly deleted: Set<Address>
}

/** A context in the block of every run. */
export function contextOf(rules: Rules, state: State, special: Partial<RunContext> = {}): RunContext {
  return {
    rules,
    state,
    blobHashes: [],
    blobBaseFee: 1n,
    block: BLOCK,
    deleted: new Set(),
    gasPrice: GAS_PRICE,
    isSimulated: false,
    isSystem: false,
    hash: undefined,
    senderPublicKey: undefined,
    warmAddresses: [],
    warmSlots: [],
    initialRefund: 0,
    initialStateGas: 0,
    ...special,
  }
}

/** A machine that has not run yet. */
export function machineOf(
  { block: context, blobBaseFee, deleted, ...given }: RunContext,
  sent: Sent,
): Machine {
  const environment = { ...given, block: { context, blobBaseFee, deleted } }
  return new Machine(environment, { ...given, origin: SENDER }, { nonce: 0n, ...sent })
}

/** Runs a message to its end without a pause. */
export function execute(context: RunContext, sent: Sent): ExecutionResult {
  const machine = machineOf(context, sent)
  if (machine.run() !== undefined) throw new Error('paused')
  return machine.result
}

/** Sender and receiver are warm from the start. */
const warmOf = ({ to }: Sent): readonly Address[] => (to === undefined ? [SENDER] : [SENDER, to])

/** Runs the message on our machine. */
export function runOurs(rules: Rules, world: World, sent: Sent): Ran {
  const state = stateOf(world)
  const warmAddresses = [...warmOf(sent), ...rules.precompiles.keys()]
  const result = execute(contextOf(rules, state, { warmAddresses }), sent)
  for (const address of result.destroyed) state.deleteAccount(address)
  for (const address of result.touched) {
    const fields = state.account(address)
    if (fields?.nonce === 0n && fields.balance === 0n && fields.code.length === 0)
      state.deleteAccount(address)
  }
  return {
    status: result.status,
    gasLeft: result.gasLeft,
    refund: result.refund,
    output: toHex(result.output),
    logs: result.logs.map((log) => ({ ...log, data: toHex(log.data) })),
    created: result.created,
    stateRoot: state.commitRoot().hash,
    isException: result.exception !== undefined,
  }
}

/** Runs the message on the library. */
export async function runLibrary(common: Common, world: World, sent: Sent): Promise<Ran> {
  const stateManager = await libraryState(common, world)
  const blockchain = {
    getBlock: async (number: number) => ({ hash: () => fromHex(BLOCK.blockHash(BigInt(number))!) }),
    putBlock: async () => undefined,
    shallowCopy: () => blockchain,
  }
  const evm = await createEVM({ common, stateManager, blockchain })
  evm.journal.cleanJournal()
  for (const precompile of evm.precompiles.keys()) evm.journal.addAlwaysWarmAddress(precompile)
  for (const address of warmOf(sent)) evm.journal.addAlwaysWarmAddress(address)
  const { execResult, createdAddress } = await evm.runCall({
    block: libraryBlockOf(common),
    caller: libraryAddress(SENDER),
    gasPrice: GAS_PRICE,
    gasLimit: BigInt(sent.gas),
    value: sent.value,
    data: sent.data,
    skipNonceIncrement: true,
    ...(sent.to === undefined ? {} : { to: libraryAddress(sent.to) }),
  })
  for (const destroyed of execResult.selfdestruct?.keys() ?? []) {
    const isDeleted = !common.isActivatedEIP(6780) || execResult.createdAddresses?.has(destroyed) === true
    if (isDeleted) await evm.journal.deleteAccount(new LibraryAddress(fromHex(destroyed)))
  }
  await evm.journal.cleanup()
  return {
    status: statusOf(execResult),
    gasLeft: sent.gas - Number(execResult.executionGasUsed),
    refund: Number(execResult.gasRefund ?? 0n),
    output: toHex(execResult.returnValue),
    logs: logsOf(execResult).map((log) => ({ ...log, data: toHex(log.data) })),
    created: createdAddress === undefined ? undefined : toAddress(createdAddress.bytes),
    stateRoot: asHash(toHex(await stateManager.getStateRoot())),
    isException: exceptionOf(execResult) !== undefined,
  }
}

const libraryAddress = (address: Address) => new LibraryAddress(fromHex(address))

async function libraryState(common: Common, world: World): Promise<MerkleStateManager> {
  const stateManager = new MerkleStateManager({ common })
  for (const [address, { balance, nonce, code, storage }] of withSender(world)) {
    const key = libraryAddress(address)
    await stateManager.putAccount(key, createAccount({ nonce: nonce ?? 0n, balance: balance ?? 0n }))
    if (code !== undefined) await stateManager.putCode(key, code)
    for (const [slot, value] of storage ?? []) {
      await stateManager.putStorage(key, fromHex(toWord(slot)), bigIntToBytes(value))
    }
  }
  await stateManager.flush()
  return stateManager
}

function libraryBlockOf(common: Common) {
  const { number, timestamp, coinbase, gasLimit, baseFeePerGas, difficulty, mixHash } = BLOCK
  const header = {
    number,
    timestamp,
    coinbase,
    gasLimit,
    baseFeePerGas,
    difficulty,
    mixHash: fromHex(mixHash),
  }
  return createBlock({ header }, { common, skipConsensusFormatValidation: true })
}
