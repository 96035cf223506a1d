/** Blocks, transactions and rules of this node in the form of @ethereumjs/vm. */

import { createBlock } from '@ethereumjs/block'
import type { Block as LibraryBlock } from '@ethereumjs/block'
import { Mainnet, createCustomCommon } from '@ethereumjs/common'
import type { Common } from '@ethereumjs/common'
import { createTxFromRLP } from '@ethereumjs/tx'
import type { TypedTransaction } from '@ethereumjs/tx'
import { Address } from '@ethereumjs/util'
import { fromHex } from '../../../base/hex.ts'
import { InvariantError } from '../../../base/invariant.ts'
import type { Block } from '../../../chain/block.ts'
import type { Network } from '../../../config/network.ts'
import { isKzgProven } from '../../../crypto/kzg.ts'
import { isImpersonated } from '../../../evm/transaction.ts'
import type { Transaction } from '../../../evm/transaction.ts'

/** The library reads no blobs, because they are not part of a block. */
function refuse(): never {
  throw new InvariantError('the library was given blobs')
}

/** The functions of KZG proofs that the library lacks; only the precompile of EIP-4844 calls one of them. */
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

/** The library's form of a block of an Ethereum network, header and body. */
export function libraryBlock({ header, receipts, withdrawals = [] }: Block, common: Common): LibraryBlock {
  const transactions = receipts.map(({ transaction }) => createTxFromRLP(transaction.encoded, { common }))
  const block = createBlock(
    {
      header: {
        parentHash: header.parentHash,
        uncleHash: header.unclesHash,
        coinbase: header.coinbase,
        stateRoot: header.stateRoot,
        transactionsTrie: header.transactionsRoot,
        receiptTrie: header.receiptsRoot,
        logsBloom: header.logsBloom,
        difficulty: header.difficulty,
        number: header.number,
        gasLimit: header.gasLimit,
        gasUsed: header.gasUsed,
        timestamp: header.timestamp,
        extraData: header.extraData,
        mixHash: header.mixHash,
        nonce: header.nonce,
        // Networks without a base fee run with a base fee of zero.
        baseFeePerGas: header.baseFeePerGas ?? 0n,
        ...(header.withdrawalsRoot === undefined ? {} : { withdrawalsRoot: header.withdrawalsRoot }),
        ...(header.blobGasUsed === undefined ? {} : { blobGasUsed: header.blobGasUsed }),
        ...(header.excessBlobGas === undefined ? {} : { excessBlobGas: header.excessBlobGas }),
        ...(header.parentBeaconBlockRoot === undefined
          ? {}
          : { parentBeaconBlockRoot: header.parentBeaconBlockRoot }),
        ...(header.requestsHash === undefined ? {} : { requestsHash: header.requestsHash }),
      },
      transactions,
      ...(header.withdrawalsRoot === undefined ? {} : { withdrawals: [...withdrawals] }),
    },
    { common, skipConsensusFormatValidation: true, freeze: false },
  )
  // After the block was made: it has copies of the transactions.
  for (const [index, { transaction }] of receipts.entries())
    giveSender(block.transactions[index], transaction)
  return block
}

/** Tells the library the sender of a transaction without a real signature. */
function giveSender(form: TypedTransaction | undefined, transaction: Transaction): void {
  if (form === undefined || !isImpersonated(transaction)) return
  const sender = new Address(fromHex(transaction.sender))
  Object.assign(form, { getSenderAddress: () => sender })
}
