/** Adds signatures of members to releases, and publishes signed releases (node-next 4.7). Terms: bridge.ts. */

import { EMPTY_BYTES, equalBytes, toHash, toHex } from '../../../base/hex.ts'
import { readDerSignature, writeDerSignature, curve } from '../../../crypto/secp256k1.ts'
import { PrecompileFailure } from '../../../evm/precompile.ts'
import {
  auxReader,
  plainSignatureHash,
  readAuxTransaction,
  witnessSignatureHash,
  writeAuxTransaction,
  type AuxTransaction,
} from './aux-transaction.ts'
import type { BridgeCall } from './bridge-call.ts'
import { accountOf, proposedFederation, type FederationKind, type FederationMember } from './federation.ts'
import { isValidating } from './federation-change.ts'
import { RELEASED, SIGNING, SPENDING, type PegoutBatch } from './pegout-state.ts'
import { unlock, shownItems } from './release-transaction.ts'

/** The byte after a signature in a script, which says that it covers the whole transaction (SIGHASH_ALL). */
const SIGHASH_ALL = 1

interface SignableInput {
  readonly kind: FederationKind
  readonly redeem: Uint8Array
  /** The hash that its signatures cover. */
  readonly hash: Uint8Array
  /** Signatures in DER, in the order of the keys. */
  readonly signatures: readonly Uint8Array[]
  readonly threshold: number
}

/**
 * Adds a key's signatures, one for each input, to the release of a transaction. Signatures that do not fit are ignored. @throws
 * PrecompileFailure if the key or a signature cannot be read, or without signatures
 */
export function addSignatures(
  bridge: BridgeCall,
  [key, signatures, creationHash]: readonly [Uint8Array, readonly Uint8Array[], Uint8Array],
): void {
  if (curve.decodePoint(key) === undefined) throw new PrecompileFailure('the public key cannot be read')
  if (signatures.length === 0) throw new PrecompileFailure('there are no signatures')
  const unreadable = signatures.find((signature) => readDerSignature(signature) === undefined)
  if (unreadable !== undefined) throw new PrecompileFailure(`${toHex(unreadable)} is not a signature in DER`)
  if (creationHash.length !== 32) {
    throw new PrecompileFailure(`a hash has 32 bytes, not ${creationHash.length}`)
  }
  const { storage } = bridge
  const isSought = ({ transactionHash }: PegoutBatch) => transactionHash === toHash(creationHash)
  const isProof = isValidating(bridge) && SPENDING.read(storage).some(isSought)
  const waiting = isProof ? SPENDING : SIGNING
  const members = isProof ? (proposedFederation(storage)?.members ?? []) : bridge.members
  const release = waiting.read(storage).find(isSought)
  const member = members.find(([own = EMPTY_BYTES]) => equalBytes(own, key))
  if (isProof && member === undefined) {
    throw new PrecompileFailure('the public key is not that of a member of the proposed federation')
  }
  if (release === undefined || member === undefined) return
  const signed = withSignatures(members, release, { key, signatures })
  if (signed === undefined) return
  const releaseTxHash = creationHash
  bridge.emit('add_signature', { releaseTxHash, federator: accountOf(member), federatorAuxPublicKey: key })
  const { raw, isComplete } = signed
  if (isComplete) {
    bridge.emit('release_aux', { releaseTxHash, auxRawTransaction: raw })
    const { id } = readAuxTransaction(raw)
    RELEASED.write(storage, [...RELEASED.read(storage), { id, raw }])
  }
  waiting.write(
    storage,
    waiting.read(storage).flatMap((one) => {
      if (!isSought(one)) return [one]
      return isComplete ? [] : [{ ...release, raw }]
    }),
  )
}

/** Signatures of a key, one for each input. */
interface KeySignatures {
  readonly key: Uint8Array
  readonly signatures: readonly Uint8Array[]
}

/** The release with signatures; absent if one does not fit or the key has already signed. */
function withSignatures(
  members: readonly FederationMember[],
  release: PegoutBatch,
  { key, signatures }: KeySignatures,
): { readonly raw: Uint8Array; readonly isComplete: boolean } | undefined {
  const transaction = readAuxTransaction(release.raw)
  const inputs = inputsOf(transaction, release)
  const given = inputs.map((input, index) => ({ input, signature: signatures[index] ?? EMPTY_BYTES }))
  const areFitting = given.every(({ input, signature }) => fits(key, input, signature))
  if (signatures.length !== inputs.length || !areFitting) return undefined
  const signed = given.map(({ input, signature }) => inKeyOrder(input, signature, members))
  const unlocked = signed.map((input) => unlock({ ...input, signatures: itemsOf(input) }))
  const raw = writeAuxTransaction(
    transaction.inputs.map((input, index) => ({ ...input, script: unlocked[index]?.script ?? EMPTY_BYTES })),
    transaction.outputs,
    unlocked.map(({ witness }) => witness),
  )
  return { raw, isComplete: signed.every((input) => input.signatures.length === input.threshold) }
}

/** The signatures of a private key that a release needs, one for each input; undefined if the key has signed or is not a member's. */
export function signaturesBy(privateKey: Uint8Array, release: PegoutBatch): KeySignatures | undefined {
  const key = curve.encodePoint(curve.publicKey(privateKey))
  const inputs = inputsOf(readAuxTransaction(release.raw), release)
  const signed = inputs.map((input) => ({
    input,
    signature: writeDerSignature(curve.sign(input.hash, privateKey)),
  }))
  if (!signed.every(({ input, signature }) => fits(key, input, signature))) return undefined
  return { key, signatures: signed.map(({ signature }) => signature) }
}

/** Whether a signature is valid for a key that has not signed the input. */
const fits = (key: Uint8Array, input: SignableInput, signature: Uint8Array): boolean =>
  isBy(key, input, signature) && !input.signatures.some((earlier) => isBy(key, input, earlier))

/** The input with another signature, in the order of keys that the redeem script requires. */
function inKeyOrder(
  input: SignableInput,
  added: Uint8Array,
  members: readonly FederationMember[],
): SignableInput {
  const redeem = Buffer.from(input.redeem)
  const positionOf = (signature: Uint8Array) =>
    redeem.indexOf(members.find(([key = EMPTY_BYTES]) => isBy(key, input, signature))?.[0] ?? EMPTY_BYTES)
  const signatures = [...input.signatures, added].toSorted(
    (left, right) => positionOf(left) - positionOf(right),
  )
  return { ...input, signatures }
}

/** The signatures with their type, and empty items for missing ones. */
const itemsOf = ({ signatures, threshold }: SignableInput): readonly Uint8Array[] =>
  Array.from({ length: threshold }, (_, index) => {
    const signature = signatures[index]
    return signature === undefined ? EMPTY_BYTES : Uint8Array.of(...signature, SIGHASH_ALL)
  })

function inputsOf(transaction: AuxTransaction, { inputValues }: PegoutBatch): readonly SignableInput[] {
  const values = auxReader(inputValues, 'values of inputs')
  return transaction.inputs.map((_, index) => {
    const items = shownItems(transaction, index)
    const script = items.at(-1) ?? EMPTY_BYTES
    const sat = BigInt(values.count())
    const isPlain = transaction.witnesses.length === 0
    return {
      kind: isPlain ? 'plain' : 'witness',
      redeem: script,
      hash: isPlain
        ? plainSignatureHash(transaction, { index, script })
        : witnessSignatureHash(transaction, { index, script }, sat),
      signatures: items.slice(0, -1).flatMap((item) => (item.length === 0 ? [] : [item.subarray(0, -1)])),
      // The other items are the first one, the script, and in a witness the choice of the branch.
      threshold: items.length - (isPlain ? 2 : 3),
    }
  })
}

/** Number of members that have signed a release and that must sign. Each signs all inputs. */
export function signatureCount(release: PegoutBatch) {
  const [first] = inputsOf(readAuxTransaction(release.raw), release)
  return { signatures: first?.signatures.length ?? 0, threshold: first?.threshold ?? 0 }
}

/** Whether a key of the redeem script made a signature. */
function isBy(key: Uint8Array, { redeem, hash }: SignableInput, signature: Uint8Array): boolean {
  const point = curve.decodePoint(key)
  const scalars = readDerSignature(signature)
  if (point === undefined || scalars === undefined) return false
  return Buffer.from(redeem).includes(Buffer.from(key)) && curve.verify(hash, scalars, point)
}
