/** Methods of the Bridge about transactions of the auxiliary chain (node-chain 10.3, 10.4, 10.8). Terms: bridge.ts. */

import { asHash, equalBytes, toHash } from '../../../base/hex.ts'
import type { Hash } from '../../../base/hex.ts'
import { doubleSha256 } from '../../../crypto/sha256.ts'
import { address, arrayOf, bool, bytes, bytes32, int256, int64, string, uint256 } from '../../../abi/types.ts'
import { PrecompileFailure } from '../../../evm/precompile.ts'
import { toInternalOrder, toDisplayOrder } from './aux-header.ts'
import { readAuxTransaction } from './aux-transaction.ts'
import type { AuxTransaction } from './aux-transaction.ts'
import type { BridgeCall } from './bridge-call.ts'
import type { BridgeStorage } from './bridge-storage.ts'
import { HeaderChain } from './header-chain.ts'
import { putWitnessRoot, requireInBlock, witnessRoot } from './inclusion.ts'
import { branchRoot, readPartialTree } from './merkle.ts'
import { bridgeMethod, nothing } from './method.ts'
import { pegIn, processedHeight } from './pegin.ts'

const registerTransaction = bridgeMethod({
  selector: '0x43dc0656',
  name: 'register{Aux}Transaction',
  inputs: [bytes, int256, bytes],
  output: nothing,
  gas: 22_000,
  run: (bridge, [raw, height, tree]) => {
    const transaction = readAuxTransaction(raw)
    requireInBlock(bridge.storage, transaction, height, tree)
    pegIn(bridge, transaction)
  },
})

/** Parses a transaction id. @throws PrecompileFailure */
function idOf(text: string): Hash {
  if (/^[0-9a-fA-F]{64}$/.test(text)) return asHash(`0x${text}`)
  throw new PrecompileFailure(`${JSON.stringify(text.slice(0, 80))} is not a transaction id of 64 hex digits`)
}

const isProcessed = bridgeMethod({
  selector: '0x248a982d',
  name: 'is{Aux}TxHashAlreadyProcessed',
  inputs: [string],
  output: bool,
  gas: 23_000,
  use: 'ethCallOnly',
  mutability: 'view',
  run: ({ storage }, [text]) => processedHeight(storage, idOf(text)) !== undefined,
})

const getProcessedHeight = bridgeMethod({
  selector: '0x97fcca7d',
  name: 'get{Aux}TxHashProcessedHeight',
  inputs: [string],
  output: int64,
  gas: 22_000,
  use: 'ethCallOnly',
  mutability: 'view',
  run: ({ storage }, [text]) => processedHeight(storage, idOf(text)) ?? -1n,
})

const registerCoinbase = bridgeMethod({
  selector: '0xccf417ae',
  name: 'register{Aux}CoinbaseTransaction',
  inputs: [bytes, bytes32, bytes, bytes32, bytes32],
  output: nothing,
  gas: 10_000,
  run: ({ storage }, [raw, block, tree, displayedWitnessRoot, witnessReserved]) => {
    const header = new HeaderChain(storage).byHash(toHash(block))
    if (header === undefined) throw new PrecompileFailure(`block ${toHash(block)} is not known`)
    const coinbase = readAuxTransaction(raw)
    const { root, matches } = readPartialTree(tree)
    if (!equalBytes(root, header.merkleRoot) || !matches.some((id) => equalBytes(id, coinbase.id))) {
      throw new PrecompileFailure(
        `the partial Merkle tree does not show the coinbase in block ${header.hash}`,
      )
    }
    const rootOfWitnesses = toInternalOrder(displayedWitnessRoot)
    // The commitment covers the witness root and the reserved value of the coinbase's witness (BIP-141).
    requireCommitment(coinbase, doubleSha256(Buffer.concat([rootOfWitnesses, witnessReserved])))
    putWitnessRoot(storage, header.hash, rootOfWitnesses)
  },
})

/** Prefix of the output script that commits to the witness root (BIP-141): OP_RETURN of scripts, the length, four fixed bytes. */
const COMMITMENT_PREFIX = Uint8Array.of(0x6a, 0x24, 0xaa, 0x21, 0xa9, 0xed)

/** Checks the last output with a commitment. @throws PrecompileFailure */
function requireCommitment({ outputs }: AuxTransaction, commitment: Uint8Array): void {
  const expected = Uint8Array.from([...COMMITMENT_PREFIX, ...commitment])
  const found = outputs.findLast(({ script }) =>
    equalBytes(script.subarray(0, COMMITMENT_PREFIX.length), COMMITMENT_PREFIX),
  )
  if (found !== undefined && equalBytes(found.script.subarray(0, expected.length), expected)) return
  throw new PrecompileFailure('the coinbase does not commit to this witness root')
}

const hasCoinbase = bridgeMethod({
  selector: '0x253b944b',
  name: 'has{Aux}BlockCoinbaseTransactionInformation',
  inputs: [bytes32],
  output: bool,
  gas: 5_000,
  mutability: 'view',
  run: ({ storage }, [block]) => witnessRoot(storage, toHash(block)) !== undefined,
})

/** Codes that a query for confirmations returns instead of their number. */
const CONFIRMATION_ERRORS = { unknownBlock: -1n, notInBestChain: -2n, tooOld: -4n, badBranch: -5n }

/** Maximum depth of a query's block, about a month; the notes (node-chain) do not give the number. */
const MAX_BLOCK_DEPTH = 4_320n

/** Gas per block of depth and per hash of the branch; the notes (node-chain) mention both without amounts. */
const DEPTH_GAS = 315
const BRANCH_HASH_GAS = 144

const getConfirmations = bridgeMethod({
  selector: '0x5b644587',
  name: 'get{Aux}TransactionConfirmations',
  inputs: [bytes32, bytes32, uint256, arrayOf(bytes32)],
  output: int256,
  gas: ([, block, , branch], storage) =>
    27_000 + DEPTH_GAS * Number(depthOf(storage, toHash(block))) + BRANCH_HASH_GAS * branch.length,
  mutability: 'view',
  run: ({ storage }, [transaction, block, path, branch]) => {
    const chain = new HeaderChain(storage)
    const header = chain.byHash(toHash(block))
    if (header === undefined) return CONFIRMATION_ERRORS.unknownBlock
    if (!chain.isCanonical(header)) return CONFIRMATION_ERRORS.notInBestChain
    const depth = depthOf(storage, header.hash)
    if (depth > MAX_BLOCK_DEPTH) return CONFIRMATION_ERRORS.tooOld
    if (path >> BigInt(branch.length) !== 0n) return CONFIRMATION_ERRORS.badBranch
    const root = branchRoot(toInternalOrder(transaction), path, branch.map(toInternalOrder))
    return equalBytes(root, header.merkleRoot) ? depth + 1n : CONFIRMATION_ERRORS.badBranch
  },
})

/** Number of best chain blocks above a block; zero for an unknown block. */
function depthOf(storage: BridgeStorage, block: Hash): bigint {
  const chain = new HeaderChain(storage)
  const header = chain.byHash(block)
  const depth = header === undefined ? 0n : chain.best.height - header.height
  return depth < 0n ? 0n : depth
}

/** Codes of failed fast peg-ins. In a fast peg-in a liquidity provider pays the user first, and receives the coins later. */
const FAST = {
  notContract: -300n,
  sender: -301n,
  processed: -302n,
  invalid: -303n,
  generic: -900n,
}

const registerFastBridge = bridgeMethod({
  selector: '0x6adc0133',
  name: 'registerFastBridge{Aux}Transaction',
  inputs: [bytes, uint256, bytes, bytes32, bytes, address, bytes, bool],
  output: int256,
  gas: 25_000,
  run: (bridge, [raw, height, tree, , , contract]) => {
    if (!bridge.isFromContract) return FAST.notContract
    if (bridge.caller !== contract) return FAST.sender
    return fastRegistration(bridge, raw, height, tree)
  },
})

/**
 * Checks a fast peg-in. A valid one fails, too: its deposit address is made of keys of the federation's signers, which the node
 * does not have.
 */
function fastRegistration(
  { storage }: BridgeCall,
  raw: Uint8Array,
  height: bigint,
  tree: Uint8Array,
): bigint {
  try {
    const transaction = readAuxTransaction(raw)
    if (processedHeight(storage, toDisplayOrder(transaction.id)) !== undefined) return FAST.processed
    requireInBlock(storage, transaction, height, tree)
    return FAST.generic
  } catch (error) {
    if (error instanceof PrecompileFailure) return FAST.invalid
    throw error
  }
}

export const peginMethods = [
  registerTransaction,
  isProcessed,
  getProcessedHeight,
  registerCoinbase,
  hasCoinbase,
  getConfirmations,
  registerFastBridge,
]
