/** Runs blockchain tests of the execution specifications: makes each block again, and compares its hash. */

import { ethereum } from '../../lib/networks/ethereum/consensus/ethereum.ts'
import { runAtOnce } from '../../lib/base/routine.ts'
import { asAddress, asHash, bytesToBigInt, fromHex, toAddress, toHash, toHex } from '../../lib/base/hex.ts'
import type { Hex } from '../../lib/base/hex.ts'
import { NodeError } from '../../lib/base/errors.ts'
import { RlpError, decodeRlp, encodeRlp } from '../../lib/base/rlp.ts'
import type { RlpItem } from '../../lib/base/rlp.ts'
import { BlockProcessor } from '../../lib/chain/block-processor.ts'
import { withHash } from '../../lib/chain/block.ts'
import type { Block } from '../../lib/chain/block.ts'
import { ChainEntry } from '../../lib/chain/chain-entry.ts'
import { headerContext } from '../../lib/chain/ancestors.ts'
import { nextBaseFee, nextExcessBlobGas } from '../../lib/chain/fees.ts'
import { headerHash } from '../../lib/chain/header.ts'
import { sealBlock } from '../../lib/chain/miner/seal.ts'
import { blobCount, type Transaction } from '../../lib/evm/transaction.ts'
import { checkTip } from '../../lib/networks/consensus/admission.ts'
import type { Header } from '../../lib/networks/consensus/consensus.ts'
import type { Withdrawal } from '../../lib/networks/consensus/withdrawals.ts'
import { State } from '../../lib/state/state.ts'
import { stateOf } from './state-tests.ts'
import type { StateTest } from './state-tests.ts'
import type { ForkRules } from './vector-forks.ts'

/** A test: accounts, and blocks on a genesis block. Other members of the files are not read. */
export interface BlockchainTest {
  readonly network: string
  readonly pre: StateTest['pre']
  readonly genesisRLP: Hex
  readonly lastblockhash: Hex
  readonly blocks: readonly TestBlock[]
}

interface TestBlock {
  readonly rlp: Hex
  /** Name of the fault of a block that is not added. */
  readonly expectException?: string
}

/** The difference between a test and what is made of it; `undefined` if there is none. */
export function blockchainFault(test: BlockchainTest, fork: ForkRules): string | undefined {
  const state = stateOf(test.pre).commitRoot()
  const header = headerOf(listOf(decodeRlp(fromHex(test.genesisRLP)))[0])
  const genesis = { header, hash: headerHash(header), receipts: [], uncles: [], totalDifficulty: 0n }
  if (state.hash !== header.stateRoot) return 'the state of the genesis block differs'
  let head = new ChainEntry({ block: genesis, state, parent: undefined })
  for (const [index, one] of test.blocks.entries()) {
    const made = attempt(one, head, fork)
    if (one.expectException === undefined) {
      if (typeof made === 'string') return `block ${index}: ${made}`
      head = made
    } else if (typeof made !== 'string') return `block ${index} was added, in spite of ${one.expectException}`
    else if (one.expectException.startsWith('Transaction') && !made.startsWith('rejected'))
      return `block ${index}: ${made}, in place of ${one.expectException}`
  }
  return head.block.hash === test.lastblockhash ? undefined : 'another head'
}

/** The block on its parent, or why it cannot be added. */
function attempt({ rlp }: TestBlock, parent: ChainEntry, fork: ForkRules): ChainEntry | string {
  try {
    const { header, ...content } = contentOf(rlp, fork)
    const fault = headerFault(header, parent, fork)
    if (fault !== undefined) return fault
    const made = make(header, parent, { ...fork, ...content })
    const differences = differing(header, made.block.header)
    return made.block.hash === headerHash(header) ? made : `differs in ${differences.join(', ')}`
  } catch (error) {
    if (error instanceof NodeError || error instanceof RlpError) return `rejected: ${error.message}`
    throw error
  }
}

interface Content {
  readonly transactions: readonly Transaction[]
  readonly withdrawals: readonly Withdrawal[]
}

const listOf = (item: unknown): readonly RlpItem[] => {
  if (!Array.isArray(item)) throw new RlpError('not a list')
  return item
}

function contentOf(rlp: Hex, { codec }: ForkRules): Content & { readonly header: Header } {
  const [header, transactions, , withdrawals] = listOf(decodeRlp(fromHex(rlp)))
  return {
    header: headerOf(header),
    transactions: listOf(transactions).map((item) =>
      codec.decode(item instanceof Uint8Array ? item : encodeRlp(item)),
    ),
    withdrawals: listOf(withdrawals).map((item) => {
      const [index, validatorIndex, address, amount] = fieldsOf(item)
      return {
        index: number(index),
        validatorIndex: number(validatorIndex),
        address: toAddress(address!),
        amount: number(amount),
      }
    }),
  }
}

const fieldsOf = (item: RlpItem | undefined): readonly Uint8Array[] =>
  listOf(item).filter((field) => field instanceof Uint8Array)

const number = (bytes: Uint8Array | undefined): bigint => bytesToBigInt(bytes!)

/** Faults of a header that its block cannot show, because the node makes these fields itself. */
function headerFault(header: Header, { block: { header: parent } }: ChainEntry, { engine }: ForkRules) {
  if (header.baseFeePerGas !== nextBaseFee(parent)) return 'another base fee'
  if (header.excessBlobGas !== nextExcessBlobGas(parent, engine.rules.blobs)) return 'another excess blob gas'
  const bound = parent.gasLimit / 1024n
  const change = header.gasLimit - parent.gasLimit
  if (header.gasLimit < 5000n || change >= bound || -change >= bound) return 'an invalid gas limit'
  return undefined
}

function make(
  header: Header,
  parent: ChainEntry,
  { engine, network, transactions, withdrawals }: ForkRules & Content,
): ChainEntry {
  const state = new State(parent.state)
  const context = headerContext(header, () => parent, network.chainId)
  const { parentHash, parentBeaconBlockRoot } = header
  const block = new BlockProcessor(engine, network, { state, context, parentHash, parentBeaconBlockRoot })
  const blobs = transactions.reduce((count, one) => count + blobCount(one), 0)
  if (blobs > (engine.rules.blobs?.max ?? 0)) throw new NodeError('transactionRejected', `${blobs} blobs`)
  for (const transaction of transactions) {
    if (!block.hasGasFor(transaction, header.gasLimit))
      throw new NodeError('transactionRejected', 'the gas limit is above what the block has left')
    checkTip(transaction)
    runAtOnce(block.execute(transaction))
  }
  const made = runAtOnce(block.close(withdrawals))
  const root = state.commitRoot()
  const { extraData } = header
  const finish = (content: Omit<Block, 'hash'>): Block =>
    withHash({ ...content, header: { ...content.header, extraData, parentBeaconBlockRoot } })
  const sealed = sealBlock(network, { ...made, parent, context, withdrawals, state: root, finish })
  return new ChainEntry({ block: sealed, state: root, parent })
}

/** The members that differ, with both values. */
function differing(one: Header, other: Header): readonly string[] {
  const values = new Map<string, unknown>(Object.entries(other))
  return Object.entries(one)
    .filter(([key]) => key !== 'paidFees')
    .map(([key, value]) => [key, String(value), String(values.get(key))] as const)
    .filter(([, value, made]) => value !== made)
    .map(([key, value, made]) => `${key}: ${value}, made ${made}`)
}

/** The header of Amsterdam, in the order of its encoding. */
function headerOf(item: RlpItem | undefined): Header {
  const fields = fieldsOf(item)
  const [parentHash, unclesHash, coinbase, stateRoot, transactionsRoot, receiptsRoot] = fields.map(toHex)
  const [difficulty, height, gasLimit, gasUsed, timestamp] = fields.slice(7, 12).map(number)
  const [baseFeePerGas, withdrawalsRoot, blobGasUsed, excessBlobGas, ...newest] = fields.slice(15)
  const [parentBeaconBlockRoot, requestsHash, blockAccessListHash, slotNumber] = newest
  return {
    consensus: ethereum,
    parentHash: asHash(parentHash!),
    unclesHash: asHash(unclesHash!),
    coinbase: asAddress(coinbase!),
    stateRoot: asHash(stateRoot!),
    transactionsRoot: asHash(transactionsRoot!),
    receiptsRoot: asHash(receiptsRoot!),
    logsBloom: fields[6]!,
    difficulty: difficulty!,
    number: height!,
    gasLimit: gasLimit!,
    gasUsed: gasUsed!,
    timestamp: timestamp!,
    extraData: fields[12]!,
    mixHash: toHash(fields[13]!),
    nonce: fields[14]!,
    paidFees: 0n,
    minimumGasPrice: 0n,
    baseFeePerGas: number(baseFeePerGas),
    withdrawalsRoot: toHash(withdrawalsRoot!),
    blobGasUsed: number(blobGasUsed),
    excessBlobGas: number(excessBlobGas),
    parentBeaconBlockRoot: toHash(parentBeaconBlockRoot!),
    requestsHash: toHash(requestsHash!),
    blockAccessListHash: toHash(blockAccessListHash!),
    slotNumber: number(slotNumber),
  }
}
