/** The federation of the peg inside the node. It adds its members' transactions to the pool (docs/bridge.md, --federation). */

import { NodeError } from '../../../base/errors.ts'
import { fromHex } from '../../../base/hex.ts'
import { acceptedGasPrice } from '../../../chain/fees.ts'
import type { Cell } from '../../../chain/instance/chain-instance.ts'
import type { BlockSource, MinerDependencies } from '../../../chain/miner/miner-dependencies.ts'
import { TransactionCodec } from '../../../evm/codec.ts'
import { LEGACY_TYPE, type Transaction, type TransactionFields } from '../../../evm/transaction.ts'
import type { StateRoot } from '../../../state/state-root.ts'
import { State } from '../../../state/state.ts'
import { toDisplayOrder } from '../bridge/aux-header.ts'
import type { BridgeStorage } from '../bridge/bridge-storage.ts'
import { BRIDGE_ADDRESS, AUX_CONFIRMATIONS, PEGOUT_CONFIRMATIONS } from '../bridge/constants.ts'
import {
  federationsAt,
  isMember,
  servingOf,
  genesisFederation,
  type Federation,
} from '../bridge/federation.ts'
import { HeaderChain } from '../bridge/header-chain.ts'
import { outputOf } from '../bridge/pegout-methods.ts'
import {
  CONFIRMING,
  QUEUE,
  RELEASED,
  nextBatch,
  signingBatches,
  type PegoutBatch,
} from '../bridge/pegout-state.ts'
import { payRequests, fundsOf } from '../bridge/release-transaction.ts'
import { bridgeStorageOf } from '../bridge/bridge-call.ts'
import { signatureCount, signaturesBy } from '../bridge/signatures.ts'
import {
  confirmationsOf,
  findAuxTransaction,
  withAuxBlocks,
  withTransaction,
  type AuxChain,
} from './aux-chain.ts'
import {
  FEDERATORS,
  FEDERATOR,
  blockCalls,
  bridgeCallData,
  registrationArguments,
  type Federator,
} from './registration.ts'

/** Gas limit of these transactions, which use no gas. It leaves room for others in the block. */
const GAS_LIMIT = 1_000_000n

/** A member's transaction that calls the Bridge, at a price that the pool accepts. */
export function bridgeTransaction(
  input: Uint8Array,
  nonce: bigint,
  { parent, context }: ReturnType<BlockSource['nextBlock']>,
): TransactionFields {
  const gasPrice = acceptedGasPrice(parent.block.header, context)
  return {
    type: LEGACY_TYPE,
    nonce,
    to: BRIDGE_ADDRESS,
    gasLimit: GAS_LIMIT,
    maxFeePerGas: gasPrice,
    maxPriorityFeePerGas: gasPrice,
    value: 0n,
    data: input,
  }
}

interface FederationDependencies extends Pick<MinerDependencies, 'chain' | 'mempool' | 'network'> {
  readonly auxChain: Cell<AuxChain>
  /** Release of the client, which determines the federation's scripts. */
  readonly release: string
}

/** A chain's members whose keys are published. */
export class FederationNodes {
  readonly #dependencies: FederationDependencies
  readonly #genesis: Federation

  constructor(dependencies: FederationDependencies) {
    this.#dependencies = dependencies
    this.#genesis = genesisFederation(dependencies.release)
  }

  get pooled(): readonly Transaction[] {
    const { mempool } = this.#dependencies
    return FEDERATORS.flatMap(({ address }) => mempool.from(address)).map(({ transaction }) => transaction)
  }

  /**
   * Adds what is due after the head to the pool, unless members' transactions already wait there. @throws NotLoadedError before it
   * changes anything
   */
  act(miner: BlockSource): void {
    const { chain, mempool, auxChain, network } = this.#dependencies
    if (this.pooled.length > 0) return
    const known = { auxChain: auxChain.value, genesis: this.#genesis }
    const { state, block } = chain.head
    const work = federationWork(state, block.header.number + 1n, known)
    if (work.calls.length === 0) return
    const next = miner.nextBlock()
    const codec = new TransactionCodec(network, next.context)
    const transactions = work.calls.map(({ member: { privateKey, address }, input }, index) => {
      const earlier = work.calls.slice(0, index).filter(({ member }) => member.address === address)
      const nonce = state.nonce(address) + BigInt(earlier.length)
      return codec.sign(bridgeTransaction(input, nonce, next), privateKey, address)
    })
    auxChain.value = work.auxChain
    for (const transaction of transactions) mempool.add(transaction, block.header.number)
  }

  /** Number of blocks until a peg-out can continue; 0 if none is to be expected. @throws NotLoadedError */
  get blocksToNext(): number {
    const { state, block } = this.#dependencies.chain.head
    const next = block.header.number + 1n
    const storage = servedBridge(state, next, this.#genesis)
    const due = storage && dueBlock(storage, next, this.#genesis)
    return due === undefined ? 0 : Math.max(Number(due - block.header.number), 1)
  }
}

interface FederationCall {
  readonly member: Federator
  readonly input: Uint8Array
}

/** Calls for the next block, in order, and the auxiliary chain they rely on. */
interface FederationWork {
  readonly calls: readonly FederationCall[]
  readonly auxChain: AuxChain
}

/** The storage of a changed Bridge, if the first member is in a federation of the block. Most chains' Bridges never change. */
function servedBridge(root: StateRoot, block: bigint, genesis: Federation): BridgeStorage | undefined {
  const state = new State(root)
  if (!state.hasStorage(BRIDGE_ADDRESS)) return undefined
  const storage = bridgeStorageOf(state)
  const isServing = servingOf(federationsAt(storage, block, genesis)).some(({ federation }) =>
    isMember(FEDERATOR.address, federation.members),
  )
  return isServing ? storage : undefined
}

/**
 * The work for releases in the block after a state: batches, signatures, the signed transactions on the auxiliary chain, and their
 * registration (node-next 4.5 to 4.7). It depends on the Bridge's state alone. If the members have left the federation there is
 * none.
 */
function federationWork(
  root: StateRoot,
  block: bigint,
  known: { readonly auxChain: AuxChain; readonly genesis: Federation },
): FederationWork {
  const storage = servedBridge(root, block, known.genesis)
  if (storage === undefined) return { calls: [], auxChain: known.auxChain }
  const signatures = signingBatches(storage).flatMap(signatureCalls)
  // A batch of the same transaction can only follow when the first is signed.
  const isDue = signatures.length === 0 && (dueBlock(storage, block, known.genesis) ?? block + 1n) <= block
  const collections = isDue ? [fromFirst(bridgeCallData('updateCollections', []))] : []
  const released = registrations(storage, known.auxChain)
  return { ...released, calls: [...signatures, ...collections, ...released.calls] }
}

/** The block in which `updateCollections` makes or confirms the next release after a block; absent if none is expected. */
function dueBlock(storage: BridgeStorage, block: bigint, genesis: Federation): bigint | undefined {
  const due = CONFIRMING.read(storage).map(({ createdIn }) => createdIn + PEGOUT_CONFIRMATIONS)
  const queue = QUEUE.read(storage)
  if (queue.length > 0) {
    const funds = fundsOf(storage, federationsAt(storage, block, genesis).active)
    if (payRequests(funds, queue.map(outputOf)) !== undefined) due.push(nextBatch(storage))
  }
  return due.toSorted((left, right) => (left < right ? -1 : 1))[0]
}

const fromFirst = (input: Uint8Array): FederationCall => ({ member: FEDERATOR, input })

/** Calls that add a release's missing signatures, as far as the keys are known. */
function signatureCalls(batch: PegoutBatch): readonly FederationCall[] {
  const signed = FEDERATORS.flatMap((member) => {
    const own = signaturesBy(member.privateKey, batch)
    if (own === undefined) return []
    const args = [own.key, own.signatures, fromHex(batch.transactionHash)]
    return [{ member, input: bridgeCallData('addSignature', args) }]
  })
  const { signatures, threshold } = signatureCount(batch)
  return signed.slice(0, threshold - signatures)
}

/** Adds signed releases to the auxiliary chain, buries them under blocks, and registers them. */
function registrations(storage: BridgeStorage, auxChain: AuxChain): FederationWork {
  const waiting = RELEASED.read(storage)
  const sent = waiting.reduce((chain, { raw }) => withRelease(chain, raw), auxChain)
  const ids = waiting.map(({ id }) => toDisplayOrder(id)).filter((id) => findAuxTransaction(sent, id))
  if (ids.length === 0) return { calls: [], auxChain }
  const headers = new HeaderChain(storage)
  const depths = ids.map((id) => {
    const block = findAuxTransaction(sent, id)?.block
    return block === undefined ? 0n : confirmationsOf(sent, block.header)
  })
  const fewest = depths.reduce((least, depth) => (depth < least ? depth : least))
  const missing = fewest < AUX_CONFIRMATIONS ? Number(AUX_CONFIRMATIONS - fewest) : 0
  const mined = withAuxBlocks(sent, headers.best, missing)
  const registered = ids.flatMap((id) => {
    const { transaction, block } = findAuxTransaction(mined, id) ?? {}
    if (transaction === undefined || block === undefined) return []
    return [bridgeCallData('register{Aux}Transaction', registrationArguments(transaction, block))]
  })
  return { calls: [...blockCalls(mined, headers), ...registered].map(fromFirst), auxChain: mined }
}

/** The chain with a release. A release that conflicts with a user's transaction is left out. */
function withRelease(chain: AuxChain, raw: Uint8Array): AuxChain {
  try {
    return withTransaction(chain, raw).chain
  } catch (error) {
    if (error instanceof NodeError && error.kind === 'transactionRejected') return chain
    throw error
  }
}
