/** Runs blockchain tests of the execution specifications: makes each block again, and compares its hash. */

import { runAtOnce } from '../../lib/base/routine.ts'
import { asAddress, asHash, fromHex } from '../../lib/base/hex.ts'
import type { Hash, Hex } from '../../lib/base/hex.ts'
import { NodeError } from '../../lib/base/errors.ts'
import { RlpError, decodeRlp, encodeRlp } from '../../lib/base/rlp.ts'
import { BlockProcessor } from '../../lib/chain/block-processor.ts'
import { withHash } from '../../lib/chain/block.ts'
import type { Block } from '../../lib/chain/block.ts'
import { ChainEntry } from '../../lib/chain/chain-entry.ts'
import { headerContext } from '../../lib/chain/ancestors.ts'
import { nextBaseFee, nextExcessBlobGas } from '../../lib/chain/fees.ts'
import { headerHash } from '../../lib/chain/header.ts'
import { sealBlock } from '../../lib/chain/miner/seal.ts'
import type { Transaction } from '../../lib/evm/transaction.ts'
import { blobCount } from '../../lib/evm/blob-gas.ts'
import { checkTip } from '../../lib/networks/consensus/admission.ts'
import type { Header } from '../../lib/networks/consensus/header-fields.ts'
import type { Withdrawal } from '../../lib/networks/consensus/withdrawals.ts'
import { State } from '../../lib/state/state.ts'
import { stateOf } from './state-tests.ts'
import type { StateTest } from './state-tests.ts'
import type { ForkRules } from './vector-forks.ts'

type HeaderText = Readonly<Record<string, Hex>>

/** A test: accounts, and blocks on a genesis block. */
export interface BlockchainTest {
  readonly network: string
  readonly pre: StateTest['pre']
  readonly genesisBlockHeader: HeaderText
  readonly lastblockhash: Hex
  readonly blocks: readonly TestBlock[]
}

interface TestBlock {
  readonly rlp: Hex
  readonly blockHeader?: HeaderText
  /** Names of the fault of a block that is not added. */
  readonly expectException?: string
  readonly rlp_decoded?: { readonly blockHeader: HeaderText }
}

/** The difference between a test and what is made of it; `undefined` if there is none. */
export function blockchainFault(test: BlockchainTest, fork: ForkRules): string | undefined {
  const state = stateOf(test.pre).commitRoot()
  const header = headerOf(test.genesisBlockHeader)
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
function attempt(test: TestBlock, parent: ChainEntry, fork: ForkRules): ChainEntry | string {
  const text = test.blockHeader ?? test.rlp_decoded?.blockHeader
  try {
    const content = contentOf(test.rlp, fork)
    if (text === undefined) return 'no header'
    const header = headerOf(text)
    const fault = headerFault(header, parent, fork)
    if (fault !== undefined) return fault
    const made = make(header, parent, { ...fork, ...content })
    const differences = differing(header, made.block.header).filter((one) => !one.startsWith("paidFees") && !one.startsWith("logsBloom"))
    if (made.block.hash !== text['hash']) return `differs in ${differences.join(', ') || 'its hash'}`
    return made
  } catch (error) {
    if (error instanceof NodeError || error instanceof RlpError) return `rejected: ${error.message}`
    throw error
  }
}

interface Content {
  readonly transactions: readonly Transaction[]
  readonly withdrawals: readonly Withdrawal[]
}

const listOf = (item: unknown): readonly Uint8Array[] => {
  if (!Array.isArray(item)) throw new RlpError('not a list')
  return item
}

function contentOf(rlp: Hex, { codec }: ForkRules): Content {
  const [, transactions, , withdrawals] = listOf(decodeRlp(fromHex(rlp)))
  return {
    transactions: listOf(transactions).map((item) =>
      codec.decode(Array.isArray(item) ? encodeRlp(item) : item),
    ),
    withdrawals: listOf(withdrawals).map((item) => {
      const [index, validatorIndex, address, amount] = listOf(item).map(
        (bytes) => `0x${Buffer.from(bytes).toString('hex')}` as const,
      )
      const number = (text?: string) => BigInt(text === '0x' ? 0 : (text ?? 0))
      return {
        index: number(index),
        validatorIndex: number(validatorIndex),
        address: asAddress(address!),
        amount: number(amount),
      }
    }),
  }
}

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

const differing = (one: Header, other: Header): readonly string[] =>
  Object.keys(one).filter((key) => text(one, key) !== text(other, key)).map((key) => `${key} (${text(one, key)}, made ${text(other, key)})`)

const text = (header: Header, key: string): string => String(Object.entries(header).find(([name]) => name === key)?.[1])

function headerOf(text: HeaderText): Header {
  const hash = (name: string): Hash => asHash(text[name]!)
  const number = (name: string) => BigInt(text[name]!)
  const optional = <T>(name: string, read: (name: string) => T) => (text[name] === undefined ? {} : { [name]: read(name) })
  return {
    parentHash: hash('parentHash'),
    unclesHash: hash('uncleHash'),
    coinbase: asAddress(text['coinbase']!),
    stateRoot: hash('stateRoot'),
    transactionsRoot: hash('transactionsTrie'),
    receiptsRoot: hash('receiptTrie'),
    logsBloom: fromHex(text['bloom']!),
    difficulty: number('difficulty'),
    number: number('number'),
    gasLimit: number('gasLimit'),
    gasUsed: number('gasUsed'),
    timestamp: number('timestamp'),
    extraData: fromHex(text['extraData']!),
    mixHash: hash('mixHash'),
    nonce: fromHex(text['nonce']!),
    paidFees: 0n,
    minimumGasPrice: 0n,
    ...optional('baseFeePerGas', number),
    ...optional('withdrawalsRoot', hash),
    ...optional('blobGasUsed', number),
    ...optional('excessBlobGas', number),
    ...optional('parentBeaconBlockRoot', hash),
    ...optional('requestsHash', hash),
    ...optional('blockAccessListHash', hash),
    ...optional('slotNumber', number),
  }
}
