/** Runs our blocks again on the stock EVM library, with its own state, tries and encodings. */

import { genTransactionsTrieRoot } from '@ethereumjs/block'
import type { Block as LibraryBlock } from '@ethereumjs/block'
import type { Common } from '@ethereumjs/common'
import { createMPT } from '@ethereumjs/mpt'
import { RLP } from '@ethereumjs/rlp'
import { MerkleStateManager } from '@ethereumjs/statemanager'
import { Address, createAccount, intToBytes } from '@ethereumjs/util'
import { Bloom, createVM, encodeReceipt, runBlock, runTx } from '@ethereumjs/vm'
import type { RunTxResult, VM } from '@ethereumjs/vm'
import { fromHex, toHex } from '../../lib/base/hex.ts'
import type { Block } from '../../lib/chain/block.ts'
import { isMergedMining } from '../../lib/modules/network-33/consensus/header.ts'
import { ethereum } from '../../lib/networks/ethereum/consensus/ethereum.ts'
import type { Network } from '../../lib/config/network.ts'
import { libraryBlock, libraryRules } from '../../lib/modules/cross-check/ethereumjs/ethereumjs.ts'
import type { Node } from '../../lib/node/node.ts'
import { orderedRoot } from '../../lib/state/trie.ts'

/** Result of a transaction in a common form. */
export interface RanTransaction {
  readonly sender: string
  readonly gasUsed: bigint
  readonly isSuccess: boolean
  readonly exception: string | undefined
  readonly returnData: string
  readonly contractAddress: string | undefined
  readonly logs: readonly (readonly [address: string, topics: readonly string[], data: string])[]
  readonly bloom: string
}

/** Result of a block in a common form. */
export interface RanBlock {
  readonly transactions: readonly RanTransaction[]
  readonly stateRoot: string
  readonly transactionsRoot: string
  readonly receiptsRoot: string
  readonly bloom: string
  readonly gasUsed: bigint
}

/** Converts our block; receipts of network 33 are encoded as Ethereum's. */
export function ranBlock({ header, receipts }: Block): RanBlock {
  const encoded = () => receipts.map(ethereum.encodeReceipt)
  return {
    transactions: receipts.map(({ transaction, outcome }) => ({
      sender: transaction.sender,
      gasUsed: outcome.gasUsed,
      isSuccess: outcome.status === 'success',
      exception: outcome.status === 'reverted' ? 'revert' : outcome.exception,
      returnData: toHex(outcome.returnData),
      contractAddress: outcome.contractAddress,
      logs: outcome.logs.map(({ address, topics, data }) => [address, topics, toHex(data)]),
      bloom: toHex(outcome.logsBloom),
    })),
    stateRoot: header.stateRoot,
    transactionsRoot: header.transactionsRoot,
    receiptsRoot: isMergedMining(header) ? toHex(orderedRoot(encoded())) : header.receiptsRoot,
    bloom: toHex(header.logsBloom),
    gasUsed: header.gasUsed,
  }
}

/** The library's own rules of a network. */
export const stockCommon = (network: Network): Common => libraryRules(network, network.chainId)

/** A stock VM that starts at the state of our node and follows it block by block. */
export class LibraryChain {
  readonly #common: Common
  readonly #vm: VM

  private constructor(common: Common, vm: VM) {
    this.#common = common
    this.#vm = vm
  }

  /** Copies the accounts of the node's head into the library's state. */
  static async at(node: Node): Promise<LibraryChain> {
    const common = stockCommon(node.network)
    const stateManager = new MerkleStateManager({ common })
    const blockchain = {
      getBlock: async (number: number) => ({
        hash: () => fromHex(node.chain.at(BigInt(number))!.block.hash),
      }),
      putBlock: async () => undefined,
      shallowCopy: () => blockchain,
    }
    const vm = await createVM({ common, stateManager, blockchain })
    for (const [address, { nonce, balance, code }] of node.chain.head.state.accounts()) {
      const key = new Address(fromHex(address))
      await stateManager.putAccount(key, createAccount({ nonce, balance }))
      if (code.length > 0) await stateManager.putCode(key, code)
    }
    return new LibraryChain(common, vm)
  }

  async stateRoot(): Promise<string> {
    return toHex(await this.#vm.stateManager.getStateRoot())
  }

  /** Runs the transactions of a block in its environment; returns the result. */
  async run(block: Block): Promise<RanBlock> {
    const vm = this.#vm
    const library = libraryBlock(block, this.#common)
    for (const call of systemCalls(block)) await this.#callSystem(call, library)
    const results: RunTxResult[] = []
    let blockGasUsed = 0n
    for (const tx of library.transactions) {
      const result = await runTx(vm, { tx, block: library, blockGasUsed, skipHardForkValidation: true })
      blockGasUsed += result.totalGasSpent
      results.push(result)
    }
    const bloom = new Bloom(undefined, this.#common)
    for (const result of results) bloom.or(result.bloom)
    return {
      transactions: results.map((result, index) =>
        ranTransaction(library.transactions[index]!.getSenderAddress().toString(), result),
      ),
      stateRoot: await this.stateRoot(),
      transactionsRoot: toHex(await genTransactionsTrieRoot(library.transactions)),
      receiptsRoot: await receiptsRoot(
        results.map(({ receipt }, index) => encodeReceipt(receipt, library.transactions[index]!.type)),
      ),
      bloom: toHex(bloom.bitvector),
      gasUsed: blockGasUsed,
    }
  }

  /**
   * Imports a block of an Ethereum network, including the system calls at its start and end. It fails when anything differs
   * from the header: state root, receipts, bloom, gas, requests hash, roots of the body.
   */
  async import(block: Block): Promise<void> {
    const form = libraryBlock(block, this.#common)
    if (toHex(form.hash()) !== block.hash)
      throw new Error(`the library hashes block ${block.header.number} differently`)
    await runBlock(this.#vm, { block: form, skipHeaderValidation: true, skipHardForkValidation: true })
  }

  /** Runs a system call, so that the contract's own code writes its storage. */
  async #callSystem({ to, data }: { to: string; data: string }, block: LibraryBlock): Promise<void> {
    const { evm } = this.#vm
    const { execResult } = await evm.runCall({
      caller: SYSTEM,
      to: new Address(fromHex(to)),
      data: fromHex(data),
      gasLimit: 30_000_000n,
      block,
      skipNonceIncrement: true,
    })
    if (execResult.exceptionError !== undefined) throw new Error(execResult.exceptionError.error)
    await evm.journal.cleanup()
  }
}

/** Caller of the system contracts (EIP-4788, EIP-2935). */
const SYSTEM = new Address(fromHex('0xfffffffffffffffffffffffffffffffffffffffe'))

/** System calls at the start of a block; the members of the header show which calls the hard fork has. */
function systemCalls({ header }: Block): { readonly to: string; readonly data: string }[] {
  const { parentBeaconBlockRoot, requestsHash, parentHash } = header
  return [
    ...(parentBeaconBlockRoot === undefined
      ? []
      : [{ to: '0x000f3df6d732807ef1319fb7b8bb8522d0beac02', data: parentBeaconBlockRoot }]),
    ...(requestsHash === undefined
      ? []
      : [{ to: '0x0000f90827f1c53a10cb7a02335b175320002935', data: parentHash }]),
  ]
}

function ranTransaction(sender: string, { execResult, totalGasSpent, bloom, createdAddress }: RunTxResult) {
  return {
    sender,
    gasUsed: totalGasSpent,
    isSuccess: execResult.exceptionError === undefined,
    exception: execResult.exceptionError?.error,
    returnData: toHex(execResult.returnValue),
    contractAddress: createdAddress?.toString(),
    logs: (execResult.logs ?? []).map(
      ([address, topics, data]) => [toHex(address), topics.map(toHex), toHex(data)] as const,
    ),
    bloom: toHex(bloom.bitvector),
  }
}

async function receiptsRoot(receipts: readonly Uint8Array[]): Promise<string> {
  const trie = await createMPT()
  for (const [index, receipt] of receipts.entries()) {
    await trie.put(RLP.encode(index === 0 ? new Uint8Array(0) : intToBytes(index)), receipt)
  }
  return toHex(trie.root())
}
