/**
 * Methods of the Bridge about transactions of the auxiliary chain (node-chain 10.3, 10.4, 10.8). Of those that are proven to be in a
 * block, a peg-in releases coins from the Bridge, and a release returns its change (node-next 4.2, 4.3). Terms: bridge.ts.
 */

import { asHash, equalBytes, fromHex, toHash, type Address, type Hash } from '../../../base/hex.ts'
import { doubleSha256 } from '../../../crypto/sha256.ts'
import { PrecompileFailure } from '../../../evm/precompile.ts'
import type { BridgeCall, BridgeHandlers } from './bridge-call.ts'
import { toDisplayOrder, toInternalOrder } from './aux-header.ts'
import { receiverIn, senderOf, type AuxSender } from './aux-sender.ts'
import { COMMITMENT_PREFIX, readAuxTransaction, type AuxTransaction } from './aux-transaction.ts'
import type { BridgeStorage } from './bridge-storage.ts'
import { sumOf } from './coins.ts'
import { MAX_BLOCK_DEPTH, WEI_PER_SAT } from './constants.ts'
import { depositsIn, isEnough, keepDeposits, refund, type Deposit } from './deposits.ts'
import { changeStepOf, completeStep } from './federation-change.ts'
import { registerFlyover } from './flyover.ts'
import { HeaderChain, isProven, putWitnessRoot, witnessRoot } from './header-chain.ts'
import { branchRoot, rootOver } from './merkle.ts'
import { RELEASED } from './pegout-state.ts'
import { isRelease } from './releases.ts'

export const peginMethods = {
  /** Does nothing for a transaction that is processed or not proven. */
  'register{Aux}Transaction': (bridge, [raw, height, tree]) => {
    const { storage } = bridge
    if (isProcessed(storage, doubleSha256(raw)) || !isProven(storage, { raw, height, tree })) return
    const transaction = readAuxTransaction(raw)
    if (!isProcessed(storage, transaction.id)) register(bridge, transaction, height)
  },

  'is{Aux}TxHashAlreadyProcessed': ({ storage }, [text]) =>
    processedHeight(storage, idOf(text)) !== undefined,
  'get{Aux}TxHashProcessedHeight': ({ storage }, [text]) => processedHeight(storage, idOf(text)) ?? -1n,

  /** Stores the witness root of a block. Does nothing if the tree does not show the coinbase in the block. */
  'register{Aux}CoinbaseTransaction': (
    { storage },
    [raw, block, tree, displayedWitnessRoot, witnessReserved],
  ) => {
    const root = rootOver(tree, doubleSha256(raw))
    if (root === undefined) return
    const header = new HeaderChain(storage).byHash(toHash(block))
    if (header === undefined) throw new PrecompileFailure(`block ${toHash(block)} is not known`)
    if (!equalBytes(root, header.merkleRoot)) return
    const coinbase = readAuxTransaction(raw)
    const rootOfWitnesses = toInternalOrder(displayedWitnessRoot)
    // The commitment covers the witness root and the reserved value of the coinbase's witness (BIP-141).
    requireCommitment(coinbase, doubleSha256(Buffer.concat([rootOfWitnesses, witnessReserved])))
    putWitnessRoot(storage, header.hash, rootOfWitnesses)
  },

  'has{Aux}BlockCoinbaseTransactionInformation': ({ storage }, [block]) =>
    witnessRoot(storage, toHash(block)) !== undefined,

  'get{Aux}TransactionConfirmations': ({ storage }, [transaction, block, path, branch]) => {
    if (branch.length > MAX_BRANCH || path >> BigInt(branch.length) > 0n)
      throw new PrecompileFailure(`a branch of ${branch.length} hashes has no path ${path}`)
    const chain = new HeaderChain(storage)
    const header = chain.byHash(toHash(block))
    if (header === undefined) return CONFIRMATION_ERRORS.unknownBlock
    const depth = chain.depthOf(header)
    if (depth > MAX_BLOCK_DEPTH) return CONFIRMATION_ERRORS.tooOld
    if (header.height < chain.lowestHeight) return CONFIRMATION_ERRORS.tooLow
    if (chain.atHeight(header.height)?.hash !== header.hash) return CONFIRMATION_ERRORS.notBest
    const root = branchRoot(toInternalOrder(transaction), path, branch.map(toInternalOrder))
    return equalBytes(root, header.merkleRoot) ? depth + 1n : CONFIRMATION_ERRORS.badBranch
  },

  'registerFastBridge{Aux}Transaction': registerFlyover,
} satisfies Partial<BridgeHandlers>

/** Parses a transaction id. @throws PrecompileFailure */
function idOf(text: string): Hash {
  if (/^[0-9a-fA-F]{64}$/.test(text)) return asHash(`0x${text}`)
  throw new PrecompileFailure(`${JSON.stringify(text.slice(0, 80))} is not a transaction id of 64 hex digits`)
}

/** Checks the last output with a commitment. @throws PrecompileFailure */
function requireCommitment({ outputs }: AuxTransaction, commitment: Uint8Array): void {
  const expected = Uint8Array.from([...COMMITMENT_PREFIX, ...commitment])
  const found = outputs.findLast(({ script }) =>
    equalBytes(script.subarray(0, COMMITMENT_PREFIX.length), COMMITMENT_PREFIX),
  )
  if (found !== undefined && equalBytes(found.script.subarray(0, expected.length), expected)) return
  throw new PrecompileFailure('the coinbase does not commit to this witness root')
}

/** Codes that a query for confirmations returns instead of their number. */
const CONFIRMATION_ERRORS = { unknownBlock: -1n, notBest: -2n, tooLow: -3n, tooOld: -4n, badBranch: -5n }

/** Maximum number of hashes in a branch. */
const MAX_BRANCH = 32

/** Codes of rejected peg-ins (node-chain 10.8). */
const REJECTED = { multisig: 2n, unknownSender: 3n, payload: 4n, amount: 5n }

/** Codes of peg-ins that cannot be refunded. */
const UNREFUNDABLE = { unknownSender: 1n, amount: 3n, mixedFederations: 4n }

/** Height of the auxiliary chain from which on the present rules tell peg-ins, and the steps of a change of federation, from other transactions. */
const PRESENT_RULES_HEIGHT = 350n

/** Result of evaluating a peg-in: the receiver, or the code of the rejection. */
type PeginResult =
  | { readonly receiver: Address; readonly protocolVersion: bigint }
  | { readonly rejected: bigint; readonly refundAddress: Uint8Array }
  | { readonly rejected: bigint; readonly unrefundable: bigint }

const nameOfProcessed = (id: Hash): string => `processed/${id}`

/** Number of the block in which a transaction of the auxiliary chain was processed. */
const processedHeight = (storage: BridgeStorage, id: Hash): bigint | undefined =>
  storage.number(nameOfProcessed(id))

/** Whether a transaction was processed, by its id in internal byte order. */
export const isProcessed = (storage: BridgeStorage, id: Uint8Array): boolean =>
  processedHeight(storage, toDisplayOrder(id)) !== undefined

/** Processes a transaction that is in a block of a height. */
function register(bridge: BridgeCall, transaction: AuxTransaction, height: bigint): void {
  const deposits = depositsIn(bridge, transaction)
  const step = height < PRESENT_RULES_HEIGHT ? undefined : changeStepOf(bridge.storage, transaction)
  if (step !== undefined || isRelease(bridge.storage, transaction)) {
    keepDeposits(bridge, deposits)
    markProcessed(bridge, transaction)
    RELEASED.remove(bridge.storage, ({ id }) => equalBytes(id, transaction.id))
    if (step !== undefined) completeStep(bridge, step, transaction)
    return
  }
  const isPegin = height < PRESENT_RULES_HEIGHT ? deposits.every(isEnough) : deposits.length > 0
  if (isPegin) pegIn(bridge, transaction, deposits)
}

const markProcessed = ({ storage, blockNumber }: BridgeCall, { id }: AuxTransaction): void =>
  storage.putNumber(nameOfProcessed(toDisplayOrder(id)), blockNumber)

/** Pays the receiver, or refunds the deposits. A peg-in that cannot be refunded does not count as processed (IP-551). */
function pegIn(bridge: BridgeCall, transaction: AuxTransaction, deposits: readonly Deposit[]): void {
  const auxTxHash = fromHex(toDisplayOrder(transaction.id))
  const result = evaluate(transaction, deposits)
  if ('rejected' in result) bridge.emit('rejected_pegin', { auxTxHash, reason: result.rejected })
  if ('unrefundable' in result) {
    return bridge.emit('unrefundable_pegin', { auxTxHash, reason: result.unrefundable })
  }
  markProcessed(bridge, transaction)
  if ('refundAddress' in result) return refund(bridge, deposits, result.refundAddress)
  const sat = sumOf(deposits)
  bridge.pay(result.receiver, sat * WEI_PER_SAT)
  bridge.emit('pegin_aux', { ...result, auxTxHash, amount: sat })
  keepDeposits(bridge, deposits)
}

/** The receiver: the account in an output of the transaction (version 1), or the account of the sender's key (version 0). */
function evaluate(transaction: AuxTransaction, deposits: readonly Deposit[]): PeginResult {
  // By the older rules a transaction without deposits is a peg-in of too little.
  if (deposits.length === 0 || !deposits.every(isEnough)) {
    return { rejected: REJECTED.amount, unrefundable: UNREFUNDABLE.amount }
  }
  const sender = senderOf(transaction)
  const named = receiverIn(transaction.outputs)
  if (named === 'invalid') return rejection(sender, REJECTED.payload)
  if (named !== undefined) return { receiver: named, protocolVersion: 1n }
  switch (sender.kind) {
    case 'key':
      return { receiver: sender.account, protocolVersion: 0n }
    case 'multisig':
      return isMixed(deposits)
        ? { rejected: REJECTED.multisig, unrefundable: UNREFUNDABLE.mixedFederations }
        : rejection(sender, REJECTED.multisig)
    case 'unknown':
      return rejection(sender, REJECTED.unknownSender)
  }
}

/** Whether the deposits are to federations of different kinds, whose inputs no transaction has side by side. */
const isMixed = (deposits: readonly Deposit[]): boolean =>
  new Set(deposits.map(({ holder }) => holder.federation.kind)).size > 1

const rejection = (sender: AuxSender, rejected: bigint): PeginResult =>
  sender.kind === 'unknown'
    ? { rejected, unrefundable: UNREFUNDABLE.unknownSender }
    : { rejected, refundAddress: sender.address }
