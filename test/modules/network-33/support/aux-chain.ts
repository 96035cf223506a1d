/** Builds headers, transactions and proofs of the auxiliary chain for tests of the Bridge alone. */

import { toHex } from '../../../../lib/base/hex.ts'
import type { Hex } from '../../../../lib/base/hex.ts'
import type { Signature } from '../../../../lib/crypto/curve.ts'
import { curve, writeDerSignature } from '../../../../lib/crypto/secp256k1.ts'
import { doubleSha256 } from '../../../../lib/crypto/sha256.ts'
import { mineAuxHeader } from '../../../../lib/modules/network-33/aux-chain/aux-chain.ts'
import { merkleRoot, partialTree } from '../../../../lib/modules/network-33/bridge/merkle.ts'
import { SENDER_INPUTS } from '../../../../lib/modules/network-33/aux-chain/pegin-transaction.ts'
import type { SenderInput } from '../../../../lib/modules/network-33/aux-chain/pegin-transaction.ts'
import {
  AUX_GENESIS_HEADER,
  hasValidWork,
  readAuxHeader,
} from '../../../../lib/modules/network-33/bridge/aux-header.ts'
import {
  writeAuxTransaction,
  type AuxOutput,
} from '../../../../lib/modules/network-33/bridge/aux-transaction.ts'
import {
  federationOutputScript,
  genesisFederation,
} from '../../../../lib/modules/network-33/bridge/federation.ts'

export { AUX_GENESIS_HEADER }

/** The hash of a header or a transaction in display byte order. */
export const shownHash = (bytes: Uint8Array) => toHex(doubleSha256(bytes).reverse())

/** A header on top of another, with work; `salt` makes siblings differ. */
export const mineHeader = (parent: Uint8Array, root: Uint8Array = new Uint8Array(32), salt = 0): Uint8Array =>
  mineAuxHeader(parent, root, 1_296_688_700 + salt)

/** The same header with a nonce that does not solve it. */
export function unsolved(header: Uint8Array): Uint8Array {
  const spoilt = Buffer.from(header)
  for (let nonce = 0; hasValidWork(readAuxHeader(spoilt)); nonce++) {
    spoilt.writeUInt32LE(nonce, 76)
  }
  return new Uint8Array(spoilt)
}

/** A number of headers on top of another. */
export function mineHeaders(parent: Uint8Array, count: number, salt = 0): Uint8Array[] {
  const headers: Uint8Array[] = []
  for (let tip = parent; headers.length < count;) headers.push((tip = mineHeader(tip, undefined, salt)))
  return headers
}

/** An input of a transaction. */
export type Spent = SenderInput

/** An output of a transaction. */
export type Paid = AuxOutput

/** The output that every input spends. */
const SPENT = { previousId: new Uint8Array(32).fill(7), previousIndex: 7, sequence: 0xffff_ffff }

/** The bytes of a transaction; the witness is in it if an input has one. */
export const auxTransaction = (inputs: readonly Spent[], outputs: readonly Paid[]): Uint8Array =>
  writeAuxTransaction(
    inputs.map(({ script }) => ({ ...SPENT, script })),
    outputs,
    inputs.map(({ witness = [] }) => witness),
  )

/** A block of two transactions, the coinbase and one more, and the proof of the second. Ids in internal order. */
export function blockOfTwo(coinbaseId: Uint8Array, id: Uint8Array) {
  const ids = [coinbaseId, id]
  return { root: merkleRoot(ids), tree: partialTree(ids, 1) }
}

/** A block with a single transaction, and its proof. */
export const blockOfOne = (id: Uint8Array) => ({ root: id, tree: partialTree([id], 0) })

const publicKeyOf = (privateKey: Uint8Array) => curve.encodePoint(curve.publicKey(privateKey))

/** The script that spends an output to a key hash. */
export const keyScript = (privateKey: Uint8Array): Uint8Array =>
  SENDER_INPUTS.keyHash(publicKeyOf(privateKey)).script

/** The same for a key hash inside a script hash. */
export const witnessKeyInput = (privateKey: Uint8Array): Spent =>
  SENDER_INPUTS.nestedWitnessKeyHash(publicKeyOf(privateKey))

/** A signature in DER, without the byte for the type of its hash. */
export const derOf = (signature: Pick<Signature, 'r' | 's'>): Hex => toHex(writeDerSignature(signature))

/** The federation of a node without options. */
const DEFAULT_FEDERATION = genesisFederation('9.0.3')

/** A payment to a federation with two blocks on top, as params of `receiveHeaders` and `registerAuxTransaction`. */
export function minedPegIn(privateKey: Uint8Array, sat: bigint, federation = DEFAULT_FEDERATION) {
  const script = federationOutputScript(federation)
  const raw = auxTransaction([{ script: keyScript(privateKey) }], [{ sat, script }])
  const { root, tree } = blockOfOne(doubleSha256(raw))
  const header = mineHeader(AUX_GENESIS_HEADER, root)
  const headers = [header, ...mineHeaders(header, 2)].map(toHex)
  return { raw, headers: [headers], registration: [toHex(raw), 1n, toHex(tree)] } as const
}
