/**
 * The work of the federation's nodes for releases: batches, signatures, the signed transactions on the auxiliary chain, and their
 * registration (node-next 4.5 to 4.7). It follows from the state of the Bridge alone. Terms: bridge/bridge.ts.
 */

import { NodeError } from '../../../base/errors.ts'
import { fromHex } from '../../../base/hex.ts'
import type { StateRoot } from '../../../state/state-root.ts'
import { State } from '../../../state/state.ts'
import { toDisplayOrder } from '../bridge/aux-header.ts'
import type { BridgeStorage } from '../bridge/bridge-storage.ts'
import { AUX_CONFIRMATIONS, BRIDGE_ADDRESS, PEGOUT_CONFIRMATIONS } from '../bridge/constants.ts'
import type { Federation } from '../bridge/federation.ts'
import { federationsAt, isMember, servingOf } from '../bridge/federation-state.ts'
import { HeaderChain } from '../bridge/header-chain.ts'
import { outputOf } from '../bridge/pegout-batch.ts'
import { CONFIRMING, QUEUE, RELEASED, nextBatch, signingBatches } from '../bridge/pegout-state.ts'
import type { PegoutBatch } from '../bridge/pegout-state.ts'
import { payRequests } from '../bridge/release-transaction.ts'
import { fundsOf } from '../bridge/releases.ts'
import { bridgeStorageOf } from '../bridge/remote-values.ts'
import { signatureCount, signaturesBy } from '../bridge/signatures.ts'
import { confirmationsOf, findAuxTransaction, withAuxBlocks, withTransaction } from './aux-chain.ts'
import type { AuxChain } from './aux-chain.ts'
import { FEDERATOR, FEDERATORS, blockCalls, bridgeCallData, registrationArguments } from './registration.ts'
import type { Federator } from './registration.ts'

/** A call of the Bridge by a member. */
interface FederationCall {
  readonly member: Federator
  readonly input: Uint8Array
}

/** Calls for the next block, in their order, and the auxiliary chain on which they rest. */
interface FederationWork {
  readonly calls: readonly FederationCall[]
  readonly auxChain: AuxChain
}

/** The storage of a Bridge that ever changed; most chains have none. */
function changedBridge(root: StateRoot): BridgeStorage | undefined {
  const state = new State(root)
  return state.hasStorage(BRIDGE_ADDRESS) ? bridgeStorageOf(state) : undefined
}

/** The work for the block after a state, whose number is given: none if the members have left the federation. */
export function federationWork(
  root: StateRoot,
  block: bigint,
  known: { readonly auxChain: AuxChain; readonly genesis: Federation },
): FederationWork {
  const storage = changedBridge(root)
  if (storage === undefined || !isServing(storage, block, known.genesis)) {
    return { calls: [], auxChain: known.auxChain }
  }
  const signatures = signingBatches(storage).flatMap(signatureCalls)
  // A batch of the same transaction can only follow when the first one is signed.
  const isDue = signatures.length === 0 && (dueBlock(storage, block, known.genesis) ?? block + 1n) <= block
  const collections = isDue ? [fromFirst(bridgeCallData('updateCollections', []))] : []
  const released = registrations(storage, known.auxChain)
  return { ...released, calls: [...signatures, ...collections, ...released.calls] }
}

/** Whether the first member belongs to a federation of a block. `genesis` is the first federation. */
const isServing = (storage: BridgeStorage, block: bigint, genesis: Federation): boolean =>
  servingOf(federationsAt(storage, block, genesis)).some(({ federation }) =>
    isMember(FEDERATOR.address, federation.members),
  )

/** The block in which `updateCollections` makes or confirms the next release after a block; absent if none is to be expected. */
export function nextCollection(root: StateRoot, block: bigint, genesis: Federation): bigint | undefined {
  const storage = changedBridge(root)
  if (storage === undefined || !isServing(storage, block, genesis)) return undefined
  return dueBlock(storage, block, genesis)
}

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

/** The calls that add the missing signatures of a release, as far as the keys are known. */
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

/** Puts the signed releases into the auxiliary chain, buries them, and registers them. */
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

/** The chain with a release. One that a transaction of a user conflicts with stays out. */
function withRelease(chain: AuxChain, raw: Uint8Array): AuxChain {
  try {
    return withTransaction(chain, raw).chain
  } catch (error) {
    if (error instanceof NodeError && error.kind === 'transactionRejected') return chain
    throw error
  }
}
