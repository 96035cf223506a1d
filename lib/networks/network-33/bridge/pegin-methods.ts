/** Methods of the Bridge about transactions of the auxiliary chain (node-chain 10.3, 10.4, 10.8, node-next 4.3). Terms: bridge.ts. */

import { asHash, equalBytes, toHash, type Hash } from '../../../base/hex.ts'
import { doubleSha256 } from '../../../crypto/sha256.ts'
import { PrecompileFailure } from '../../../evm/precompile.ts'
import type { BridgeHandlers } from './bridge-call.ts'
import { toInternalOrder } from './aux-header.ts'
import { COMMITMENT_PREFIX, readAuxTransaction, type AuxTransaction } from './aux-transaction.ts'
import { MAX_BLOCK_DEPTH } from './constants.ts'
import { registerFlyover } from './flyover.ts'
import { HeaderChain } from './header-chain.ts'
import { isProven, putWitnessRoot, witnessRoot } from './inclusion.ts'
import { branchRoot, rootOver } from './merkle.ts'
import { isProcessed, processedHeight, register } from './pegin.ts'

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
