/** The second opinion on Ethereum networks: @ethereumjs/vm, which shares no code with the node's engine. */

import { createBlock, createBlockHeaderFromRLP, type Block as LibraryBlock } from '@ethereumjs/block'
import { ConsensusType, Mainnet, createCustomCommon, type Common } from '@ethereumjs/common'
import { EVMError, createEVM } from '@ethereumjs/evm'
import { createTxFromRLP } from '@ethereumjs/tx'
import { Address } from '@ethereumjs/util'
import { createVM, runBlock, type AfterTxEvent, type VM } from '@ethereumjs/vm'
import { NodeError, trouble } from '../../../base/errors.ts'
import { fromHex, toAddress, toHash, toHex } from '../../../base/hex.ts'
import { InvariantError } from '../../../base/invariant.ts'
import { finish } from '../../../base/routine.ts'
import { entryBefore, entryBelow } from '../../../chain/ancestors.ts'
import type { Block } from '../../../chain/block.ts'
import type { ChainEntry } from '../../../chain/chain-entry.ts'
import { encodeHeader } from '../../../chain/header.ts'
import { HARDFORK_EIPS } from '../../../config/eips.ts'
import type { Network } from '../../../config/network.ts'
import { isKzgProven } from '../../../crypto/kzg.ts'
import type { Status } from '../../../evm/outcome.ts'
import type { Rules } from '../../../evm/rules.ts'
import { isImpersonated } from '../../../evm/transaction.ts'
import type { StateRoot } from '../../../state/state-root.ts'
import type { Rerun, SecondOpinion, TransactionResult } from '../second-opinion.ts'
import { LibraryState } from './library-state.ts'

/**
 * Runs blocks with @ethereumjs/vm: system calls, transactions, withdrawals and execution requests, by the library's own hard fork
 * rules. @throws NodeError 'invalidOption' for a network whose rules the library does not know
 */
export function ethereumjs(network: Network, rules: Rules): SecondOpinion {
  checkKnown(network)
  // Even before the merge, miners get no rewards, because this node's miners only get fees.
  const commonOf = (chainId: bigint): Common =>
    Object.assign(libraryRules(network, chainId), { consensusType: () => ConsensusType.ProofOfStake })
  try {
    commonOf(network.chainId)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    const message = `crossCheck: @ethereumjs/vm cannot run this network: ${reason}`
    throw trouble('DN-CHECK', message, cause)
  }
  const isCodeUnlimited = rules.create.maxCodeSize === Infinity
  return {
    name: '@ethereumjs/vm',
    rerun: async (entry, before) => {
      const { chainId = network.chainId } = entry.block
      return rerun({ entry, before, common: commonOf(chainId), isCodeUnlimited })
    },
  }
}

/** The library's rules of the newest hard fork are unfinished and differ (10.1.3). @throws NodeError 'invalidOption' */
function checkKnown({ hardfork, eips }: Network): void {
  const isNewest = hardfork === 'amsterdam' || HARDFORK_EIPS.amsterdam.some((eip) => eips.includes(eip))
  if (isNewest) throw trouble('DN-CHECK', 'crossCheck: @ethereumjs/vm does not have the rules of amsterdam')
}

interface RerunInput {
  readonly entry: ChainEntry
  readonly before: StateRoot
  readonly common: Common
  readonly isCodeUnlimited: boolean
}

async function rerun(input: RerunInput): Promise<Rerun> {
  const { block } = input.entry
  const state = new LibraryState(input.before, input.entry.state)
  const results: TransactionResult[] = []
  const vm = await vmOver(state, input)
  vm.events.on('afterTx', (event) => void results.push(resultOf(event)))
  let next = 0
  vm.events.on('beforeTx', () => {
    const transaction = block.receipts[next++]?.transaction
    if (transaction !== undefined && isImpersonated(transaction)) state.hideCodeOnce(transaction.sender)
  })
  const failure = await failureOf(vm, block, input.common)
  return { transactions: results, state: state.end, failure, recorder: state.recorder }
}

async function vmOver(
  stateManager: LibraryState,
  { entry, common, isCodeUnlimited }: RerunInput,
): Promise<VM> {
  const blockchain = {
    getBlock: async (number: number) => {
      const hash = await finish(() => entryBelow(entryBefore(entry), BigInt(number))?.hash)
      if (hash === undefined) throw new InvariantError(`the library asked for block ${number}`)
      stateManager.recorder.blockHashes.set(BigInt(number), hash)
      return { hash: () => fromHex(hash) }
    },
    putBlock: async () => undefined,
    shallowCopy: () => blockchain,
  }
  const evm = await createEVM({
    common,
    stateManager,
    blockchain,
    allowUnlimitedContractSize: isCodeUnlimited,
  })
  return createVM({ common, stateManager, blockchain, evm })
}

/** Runs a block. Returns what the library finds wrong: hash, roots, bloom, gas, or a refused transaction. */
async function failureOf(vm: VM, block: Block, common: Common): Promise<string | undefined> {
  try {
    const form = libraryBlock(block, common)
    const hashed = hashFault(form, block)
    if (hashed !== undefined) return hashed
    await runBlock(vm, {
      block: form,
      skipBlockValidation: true,
      skipHeaderValidation: true,
      skipHardForkValidation: true,
    })
    return undefined
  } catch (error) {
    if (error instanceof NodeError || error instanceof InvariantError || !(error instanceof Error))
      throw error
    return error.message
  }
}

/** The library cannot represent headers without a base fee, because it begins with the london hard fork. */
function hashFault(form: LibraryBlock, { header, hash }: Block): string | undefined {
  const own = toHex(form.hash())
  return header.baseFeePerGas === undefined || own === hash ? undefined : `the hash of the block is ${own}`
}

function resultOf({ execResult, totalGasSpent, bloom, createdAddress }: AfterTxEvent): TransactionResult {
  const { exceptionError, logs = [], returnValue } = execResult
  const status = statusOf(exceptionError?.error)
  return {
    status,
    gasUsed: totalGasSpent,
    logs: status === 'success' ? logs.map(logOf) : [],
    logsBloom: bloom.bitvector,
    returnData: returnValue,
    contractAddress: createdAddress === undefined ? undefined : toAddress(createdAddress.bytes),
  }
}

function statusOf(exception: string | undefined): Status {
  if (exception === undefined) return 'success'
  return exception === EVMError.errorMessages.REVERT ? 'reverted' : 'failed'
}

const logOf = ([address, topics, data]: readonly [Uint8Array, readonly Uint8Array[], Uint8Array]) => ({
  address: toAddress(address),
  topics: topics.map(toHash),
  data,
})

/** The library reads no blobs, because blocks do not contain them. */
function refuse(): never {
  throw new InvariantError('the library was given blobs')
}

/** The KZG functions that the library needs. Only the precompile of EIP-4844 calls one of them. */
const kzg = {
  verifyProof: (commitment: string, place: string, value: string, proof: string): boolean =>
    isKzgProven({
      commitment: fromHex(commitment),
      place: fromHex(place),
      value: fromHex(value),
      proof: fromHex(proof),
    }),
  blobToKzgCommitment: refuse,
  computeBlobProof: refuse,
  verifyBlobProofBatch: refuse,
  computeCells: refuse,
  computeCellsAndProofs: refuse,
  recoverCellsAndProofs: refuse,
  verifyCellKzgProofBatch: refuse,
}

/** The library's own rules of a network. @throws Error for an EIP that the library does not know */
export function libraryRules(
  { hardfork, eips }: Pick<Network, 'hardfork' | 'eips'>,
  chainId: bigint,
): Common {
  return createCustomCommon({ chainId: Number(chainId), name: 'dev-node' }, Mainnet, {
    hardfork,
    eips: [...eips],
    customCrypto: { kzg },
  })
}

/** The library's form of an Ethereum block, header and body. */
export function libraryBlock({ header, receipts, withdrawals = [] }: Block, common: Common): LibraryBlock {
  const options = { common, skipConsensusFormatValidation: true, freeze: false }
  // Networks without a base fee run with a base fee of zero.
  const encoded = encodeHeader({ ...header, baseFeePerGas: header.baseFeePerGas ?? 0n })
  const block = createBlock(
    {
      header: createBlockHeaderFromRLP(encoded, options),
      transactions: receipts.map(({ transaction }) => createTxFromRLP(transaction.encoded, { common })),
      ...(header.withdrawalsRoot === undefined ? {} : { withdrawals: [...withdrawals] }),
    },
    options,
  )
  // The library asks for senders of transactions without a real signature. The block has copies of those above.
  for (const [index, { transaction }] of receipts.entries()) {
    const sender = new Address(fromHex(transaction.sender))
    if (isImpersonated(transaction))
      Object.assign(block.transactions[index] ?? {}, { getSenderAddress: () => sender })
  }
  return block
}
