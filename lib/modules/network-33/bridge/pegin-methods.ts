/**
 * Methods of the Bridge about transactions of the auxiliary chain (node-chain 10.3, 10.4, 10.8). If a transaction is proven to be
 * in a block, a peg-in releases coins from the Bridge, and a release returns its change (node-next 4.2, 4.3). Terms: bridge.ts.
 */

import type { AbiValues } from '../../../abi/codec.ts'
import { asHash, equalBytes, fromHex, toHash, type Address, type Hash } from '../../../base/hex.ts'
import { keccak256 } from '../../../crypto/keccak.ts'
import { doubleSha256 } from '../../../crypto/sha256.ts'
import { PrecompileFailure } from '../../../evm/precompile.ts'
import { receiverIn, senderOf, isAuxAddress, type AuxSender } from './aux-address.ts'
import { toDisplayOrder, toInternalOrder } from './aux-header.ts'
import { COMMITMENT_PREFIX, readAuxTransaction, type AuxTransaction } from './aux-transaction.ts'
import type { BridgeCall, BridgeHandlers } from './bridge-call.ts'
import type { BridgeStorage } from './bridge-storage.ts'
import { MAX_BLOCK_DEPTH, WEI_PER_SAT, BRIDGE_ADDRESS, TOTAL_SUPPLY_SAT } from './constants.ts'
import { depositsIn, isEnough, keepDeposits, refund, type Deposit } from './deposits.ts'
import { changeStepOf, completeStep } from './federation-change.ts'
import { lockingCap } from './governance-methods.ts'
import { HeaderChain, isProven, putWitnessRoot, witnessRoot } from './header-chain.ts'
import { branchRoot, rootOver } from './merkle.ts'
import type { InputsOf } from './method-table.ts'
import { sumOf, RELEASED } from './pegout-state.ts'
import { isRelease } from './release-transaction.ts'

export const peginMethods = {
  /** Does nothing for a transaction that was processed already or is not proven. */
  'register{Aux}Transaction': (bridge, [raw, height, tree]) => {
    const { storage } = bridge
    if (isProcessed(storage, doubleSha256(raw)) || !isProven(storage, { raw, height, tree })) return
    const transaction = readAuxTransaction(raw)
    if (!isProcessed(storage, transaction.id)) register(bridge, transaction, height)
  },

  'is{Aux}TxHashAlreadyProcessed': ({ storage }, [text]) =>
    processedHeight(storage, idOf(text)) !== undefined,
  'get{Aux}TxHashProcessedHeight': ({ storage }, [text]) => processedHeight(storage, idOf(text)) ?? -1n,

  /** Stores the witness root of a block. Does nothing if the tree does not prove that the coinbase is in the block. */
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

/** Checks the last output that contains a commitment. @throws PrecompileFailure */
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

const MAX_BRANCH = 32

/** Codes of rejected peg-ins (node-chain 10.8). */
const REJECTED = { multisig: 2n, unknownSender: 3n, payload: 4n, amount: 5n }

/** Codes of peg-ins that cannot be refunded. */
const UNREFUNDABLE = { unknownSender: 1n, amount: 3n, mixedFederations: 4n }

/**
 * From this height of the auxiliary chain on, the present rules distinguish peg-ins, and steps of a federation change, from other
 * transactions.
 */
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

/** Processes a transaction in a block at a height. */
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

/** The receiver: the account in an output (version 1), or the account of the sender's key (version 0). */
function evaluate(transaction: AuxTransaction, deposits: readonly Deposit[]): PeginResult {
  // By the older rules a transaction without deposits is a peg-in that is too small.
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

/** Whether the deposits are to federations of different kinds, whose inputs cannot be in one transaction. */
const isMixed = (deposits: readonly Deposit[]): boolean =>
  new Set(deposits.map(({ holder }) => holder.federation.kind)).size > 1

const rejection = (sender: AuxSender, rejected: bigint): PeginResult =>
  sender.kind === 'unknown'
    ? { rejected, unrefundable: UNREFUNDABLE.unknownSender }
    : { rejected, refundAddress: sender.address }

/** Results that are not an amount (node-chain 10.8). */
const CODE = {
  refundedUser: -100n,
  refundedProvider: -200n,
  notContract: -300n,
  wrongCaller: -301n,
  processed: -302n,
  notProven: -303n,
  nothing: -304n,
  tooLittle: -305n,
  error: -900n,
}

/** Arguments of a registration. Addresses of the auxiliary chain are version and hash. */
type FlyoverArguments = AbiValues<InputsOf<'registerFastBridge{Aux}Transaction'>>

/**
 * Flyover: a provider pays a peg-in's user first, and its contract receives the deposit's coins (node-next 4.4). Each agreement has
 * its own deposit address. Returns the amount in wei, or a code.
 */
function registerFlyover(bridge: BridgeCall, args: FlyoverArguments): bigint {
  try {
    return payContract(bridge, args)
  } catch (error) {
    if (error instanceof PrecompileFailure) return CODE.error
    throw error
  }
}

function payContract(bridge: BridgeCall, args: FlyoverArguments): bigint {
  const [raw, height, tree, , userRefund, contract, provider, shouldTransferToContract] = args
  if (![userRefund, provider].every(isAuxAddress)) return CODE.error
  if (!bridge.isFromContract) return CODE.notContract
  if (bridge.caller !== contract) return CODE.wrongCaller
  const hash = flyoverHash(args)
  const { storage } = bridge
  const isUsed = (id: Uint8Array): boolean => storage.bytes(nameOfUsed(id, hash)) !== undefined
  if (isUsed(doubleSha256(raw))) return CODE.processed
  if (!isProven(storage, { raw, height, tree })) return CODE.notProven
  const transaction = readAuxTransaction(raw)
  if (isUsed(transaction.id)) return CODE.processed
  const deposits = depositsIn(bridge, transaction, hash)
  const sat = sumOf(deposits)
  if (sat === 0n) return CODE.nothing
  if (!deposits.every(isEnough)) return CODE.tooLittle
  storage.putNumber(nameOfUsed(transaction.id, hash), bridge.blockNumber)
  if (exceedsCap(bridge, sat)) {
    refund(bridge, deposits, shouldTransferToContract ? provider : userRefund)
    return shouldTransferToContract ? CODE.refundedProvider : CODE.refundedUser
  }
  bridge.pay(contract, sat * WEI_PER_SAT)
  keepDeposits(bridge, deposits)
  return sat * WEI_PER_SAT
}

/** The hash in the deposit address's redeem script. It depends on every argument of the agreement. */
const flyoverHash = ([, , , argumentsHash, userRefund, contract, provider]: FlyoverArguments): Uint8Array =>
  keccak256(Buffer.concat([argumentsHash, userRefund, fromHex(contract), provider]))

const nameOfUsed = (id: Uint8Array, hash: Uint8Array): string => `flyover/${toHash(id)}/${toHash(hash)}`

/** Whether the coins in circulation and the deposit together exceed the locking cap. */
function exceedsCap({ storage, call }: BridgeCall, sat: bigint): boolean {
  const balance = call.state.account(BRIDGE_ADDRESS)?.balance ?? 0n
  const circulating = TOTAL_SUPPLY_SAT - balance / WEI_PER_SAT
  return circulating + sat > lockingCap(storage)
}
