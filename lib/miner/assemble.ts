/** Runs transactions on top of a block and seals them into the next one. Nothing here touches the chain or the pool. */

import { NodeError } from '../base/errors.ts'
import { toHash } from '../base/hex.ts'
import { encodeReceipt, unionOfBlooms } from '../chain/block.ts'
import type { Block, Receipt } from '../chain/block.ts'
import type { ChainEntry } from '../chain/chain.ts'
import { forkFields } from '../chain/fork-fields.ts'
import { EMPTY_TRIE_HASH, NO_UNCLES_HASH, headerHash } from '../chain/header.ts'
import type { Header } from '../chain/header.ts'
import type { Network } from '../config/network.ts'
import type { BlockContext } from '../evm/block-context.ts'
import type { Engine } from '../evm/engine.ts'
import { EMPTY_BLOOM } from '../evm/outcome.ts'
import { effectiveGasPrice } from '../evm/transaction.ts'
import type { Executable } from '../evm/transaction.ts'
import type { StateRoot } from '../state/state-root.ts'
import type { State } from '../state/state.ts'
import { orderedRoot } from '../state/trie.ts'

/** What a block is assembled from. */
export interface AssemblyPlan {
  readonly parent: ChainEntry
  readonly context: BlockContext
  /** In the order they should run; those that do not fit are left. */
  readonly candidates: Iterable<Executable>
  /** Working copy that stands on the parent's state. */
  readonly state: State
}

/** A sealed block, the state after it, and the transactions that turned out to be impossible. */
export interface Assembly {
  readonly block: Block
  readonly state: StateRoot
  readonly rejected: readonly { readonly executable: Executable; readonly error: NodeError }[]
}

/** Least gas a transaction can cost. */
const LEAST_GAS = 21_000n

/** Runs the candidates and seals the block. */
export async function assemble(engine: Engine, network: Network, plan: AssemblyPlan): Promise<Assembly> {
  const receipts: Receipt[] = []
  const rejected: { executable: Executable; error: NodeError }[] = []
  const running = engine.open(plan.context)
  // A sender's later transactions cannot run when an earlier one does not.
  const blocked = new Set<string>()
  let gasUsed = 0n
  let logCount = 0
  for (const executable of plan.candidates) {
    const { transaction } = executable
    const gasLeft = plan.context.gasLimit - gasUsed
    if (gasLeft < LEAST_GAS) break
    if (blocked.has(transaction.sender)) continue
    if (transaction.gasLimit > gasLeft) {
      blocked.add(transaction.sender)
      continue
    }
    try {
      const outcome = await engine.execute(plan.state, running, executable)
      gasUsed += outcome.gasUsed
      receipts.push({
        transaction,
        outcome,
        index: receipts.length,
        cumulativeGasUsed: gasUsed,
        firstLogIndex: logCount,
        effectiveGasPrice: effectiveGasPrice(transaction, plan.context.baseFeePerGas),
      })
      logCount += outcome.logs.length
    } catch (error) {
      if (!(error instanceof NodeError)) throw error
      rejected.push({ executable, error })
      blocked.add(transaction.sender)
    }
  }
  const state = plan.state.seal()
  return { block: seal(network, plan, { receipts, state }), state, rejected }
}

function seal(
  network: Network,
  { parent, context }: AssemblyPlan,
  { receipts, state }: { readonly receipts: readonly Receipt[]; readonly state: StateRoot },
): Block {
  const header: Header = {
    parentHash: parent.block.hash,
    unclesHash: NO_UNCLES_HASH,
    coinbase: context.coinbase,
    stateRoot: state.hash,
    ...rootsOf(receipts),
    difficulty: context.difficulty,
    number: context.number,
    gasLimit: context.gasLimit,
    gasUsed: receipts.at(-1)?.cumulativeGasUsed ?? 0n,
    timestamp: context.timestamp,
    extraData: new Uint8Array(0),
    mixHash: context.mixHash,
    nonce: new Uint8Array(8),
    paidFees: receipts.reduce(
      (sum, { outcome, effectiveGasPrice: price }) => sum + outcome.gasUsed * price,
      0n,
    ),
    minimumGasPrice: network.minimumGasPrice,
    ...forkFields(network),
    ...(network.baseFee === false ? {} : { baseFeePerGas: context.baseFeePerGas }),
  }
  return {
    header,
    hash: headerHash(header),
    receipts,
    totalDifficulty: parent.block.totalDifficulty + header.difficulty,
  }
}

function rootsOf(
  receipts: readonly Receipt[],
): Pick<Header, 'transactionsRoot' | 'receiptsRoot' | 'logsBloom'> {
  if (receipts.length === 0) {
    return { transactionsRoot: EMPTY_TRIE_HASH, receiptsRoot: EMPTY_TRIE_HASH, logsBloom: EMPTY_BLOOM }
  }
  const blooms = receipts
    .filter(({ outcome }) => outcome.logs.length > 0)
    .map(({ outcome }) => outcome.logsBloom)
  return {
    transactionsRoot: toHash(orderedRoot(receipts.map(({ transaction }) => transaction.encoded))),
    receiptsRoot: toHash(orderedRoot(receipts.map(encodeReceipt))),
    logsBloom: blooms.length === 0 ? EMPTY_BLOOM : unionOfBlooms(blooms),
  }
}
