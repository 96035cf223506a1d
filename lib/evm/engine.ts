/** Runs transactions and calls on @ethereumjs/vm. It holds no chain state: each run is given the state it works on. */

import type { Block as LibraryBlock } from '@ethereumjs/block'
import type { Common } from '@ethereumjs/common'
import { createEVM } from '@ethereumjs/evm'
import type { EVM } from '@ethereumjs/evm'
import { getCalldataFloorGas } from '@ethereumjs/tx'
import type { TypedTransaction } from '@ethereumjs/tx'
import { Address as LibraryAddress } from '@ethereumjs/util'
import { createVM, runTx } from '@ethereumjs/vm'
import type { RunTxResult, VM } from '@ethereumjs/vm'
import { NodeError } from '../base/errors.ts'
import { fromHex, toAddress, toHash } from '../base/hex.ts'
import type { Address, Hash } from '../base/hex.ts'
import { InvariantError } from '../base/invariant.ts'
import { Lock } from '../base/lock.ts'
import { StateRoot } from '../state/state-root.ts'
import { State } from '../state/state.ts'
import { libraryBlock } from './block-context.ts'
import type { BlockContext } from './block-context.ts'
import { observed } from './observe.ts'
import type { Observer } from './observer.ts'
import { EMPTY_BLOOM, exceptionOf, logsOf, statusOf } from './outcome.ts'
import type { Outcome } from './outcome.ts'
import { runMessage } from './message.ts'
import type { Message } from './message.ts'
import { StateAdapter } from './state-adapter.ts'
import type { Executable } from './transaction.ts'

/** Switches of the engine beyond the rules. */
export interface EngineOptions {
  /** Lifts the limits on the size of code and of init code. */
  readonly allowUnlimitedContractSize: boolean
}

/** A block in which several transactions run one after another. */
export interface RunningBlock {
  readonly context: BlockContext
  readonly inner: LibraryBlock
}

/** What a run works on. */
interface Turn {
  readonly state: State
  readonly block: RunningBlock
  readonly observer: Observer | undefined
}

/** The library's VM, one per node, given a state and a block for each run. */
export class Engine {
  readonly common: Common
  readonly #vm: VM
  readonly #evm: EVM
  readonly #adapter: StateAdapter
  readonly #hashes: BlockHashes
  // The library's VM is one mutable object: runs take turns.
  readonly #turn = new Lock()

  private constructor(parts: { vm: VM; evm: EVM; adapter: StateAdapter; hashes: BlockHashes }) {
    this.common = parts.vm.common
    this.#vm = parts.vm
    this.#evm = parts.evm
    this.#adapter = parts.adapter
    this.#hashes = parts.hashes
  }

  static async create(common: Common, options: EngineOptions): Promise<Engine> {
    const adapter = new StateAdapter(new State(StateRoot.empty))
    const hashes = new BlockHashes()
    const evm = await createEVM({
      common,
      stateManager: adapter,
      blockchain: hashes,
      allowUnlimitedContractSize: options.allowUnlimitedContractSize,
      allowUnlimitedInitCodeSize: options.allowUnlimitedContractSize,
    })
    const vm = await createVM({ common, stateManager: adapter, blockchain: hashes, evm })
    return new Engine({ vm, evm, adapter, hashes })
  }

  /** Gas a transaction costs before its first instruction, or at least because of its data (EIP-7623). */
  intrinsicGas(inner: TypedTransaction, sender: Address): bigint {
    const intrinsic = inner.getIntrinsicGas()
    const floor = getCalldataFloorGas(inner, new LibraryAddress(fromHex(sender)))
    return intrinsic > floor ? intrinsic : floor
  }

  /** The limit, or the rules' own where that is less (EIP-7825). */
  gasCap(limit: bigint): bigint {
    if (!this.common.isActivatedEIP(7825)) return limit
    const most = this.common.param('maxTransactionGasLimit')
    return limit < most ? limit : most
  }

  /** Bytes of creation code; absent when unlimited (EIP-3860). */
  get maxInitCodeSize(): bigint | undefined {
    const isLimited = this.common.isActivatedEIP(3860) && !this.#evm.allowUnlimitedInitCodeSize
    return isLimited ? this.common.param('maxInitCodeSize') : undefined
  }

  /** Whether an address is that of one of the protocol's own contracts. */
  isPrecompile(address: Address): boolean {
    return this.#evm.getPrecompile(new LibraryAddress(fromHex(address))) !== undefined
  }

  /** Prepares a block; transactions of the same block share it. */
  open(context: BlockContext): RunningBlock {
    return { context, inner: libraryBlock(context, this.common) }
  }

  /**
   * Runs a transaction, checks and fees included, and leaves its effects in the state.
   * @throws NodeError 'transactionRejected' when it cannot be in this block; the state is then as before, unless an
   * observer ended the run.
   */
  execute(state: State, block: RunningBlock, { inner }: Executable, observer?: Observer): Promise<Outcome> {
    return this.#take({ state, block, observer }, async () => {
      try {
        const result = await runTx(this.#vm, { tx: inner, block: block.inner, skipHardForkValidation: true })
        observer?.onEnd?.()
        return transactionOutcome(result, inner.getIntrinsicGas())
      } catch (error) {
        if (error instanceof InvariantError) throw error
        const reason = error instanceof Error ? error.message : String(error)
        throw new NodeError('transactionRejected', `transaction cannot be executed: ${reason}`, {
          cause: error,
        })
      }
    })
  }

  /** Runs a call as if it were a transaction of the block, without its checks, and undoes it. */
  simulate(state: State, block: RunningBlock, message: Message, observer?: Observer): Promise<Outcome> {
    return this.#take({ state, block, observer }, () =>
      runMessage(this.#evm, block.inner, message, observer?.onEnd),
    )
  }

  async #take<T>({ state, block, observer }: Turn, run: () => Promise<T>): Promise<T> {
    return this.#turn.run('write', () => {
      this.#adapter.use(state, observer)
      this.#hashes.use(block.context)
      return observer === undefined ? run() : observed(this.#evm, observer, run)
    })
  }
}

function transactionOutcome(result: RunTxResult, intrinsicGas: bigint): Outcome {
  const { execResult, createdAddress, totalGasSpent, bloom } = result
  const logs = logsOf(execResult)
  const gasNeeded = execResult.executionGasUsed + intrinsicGas
  return {
    status: statusOf(execResult),
    gasUsed: totalGasSpent,
    gasNeeded: gasNeeded > totalGasSpent ? gasNeeded : totalGasSpent,
    logs,
    logsBloom: logs.length === 0 ? EMPTY_BLOOM : bloom.bitvector,
    returnData: execResult.returnValue,
    contractAddress: createdAddress === undefined ? undefined : toAddress(createdAddress.bytes),
    exception: exceptionOf(execResult),
  }
}

/** Answers BLOCKHASH from the context of the run. */
class BlockHashes {
  #find: (number: bigint) => Hash | undefined = () => undefined

  use(context: BlockContext): void {
    this.#find = context.blockHash
  }

  async getBlock(number: number): Promise<{ hash: () => Uint8Array }> {
    const hash = this.#find(BigInt(number)) ?? toHash(new Uint8Array(32))
    return { hash: () => fromHex(hash) }
  }

  async putBlock(): Promise<void> {
    // The library's mock stores blocks; here the chain does.
  }

  shallowCopy(): this {
    return this
  }
}
