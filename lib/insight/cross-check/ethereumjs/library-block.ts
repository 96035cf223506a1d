/** Blocks, transactions and rules of this node in the form of @ethereumjs/vm. */

import { createBlock, createBlockHeaderFromRLP, type Block as LibraryBlock } from '@ethereumjs/block'
import { Mainnet, createCustomCommon, type Common } from '@ethereumjs/common'
import { createTxFromRLP } from '@ethereumjs/tx'
import { Address } from '@ethereumjs/util'
import { fromHex } from '../../../base/hex.ts'
import { InvariantError } from '../../../base/invariant.ts'
import type { Block } from '../../../chain/block.ts'
import { encodeHeader } from '../../../chain/header.ts'
import type { Network } from '../../../config/network.ts'
import { isKzgProven } from '../../../crypto/kzg.ts'
import { isImpersonated } from '../../../evm/transaction.ts'

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
  // The library asks for the senders of transactions without a real signature. The block has copies of those above.
  for (const [index, { transaction }] of receipts.entries()) {
    const sender = new Address(fromHex(transaction.sender))
    if (isImpersonated(transaction))
      Object.assign(block.transactions[index] ?? {}, { getSenderAddress: () => sender })
  }
  return block
}
