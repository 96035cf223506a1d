/** Steps of a change of federation: the votes, and signatures of members. */

import { fromHex, toHex } from '../../../../lib/base/hex.ts'
import type { Hex } from '../../../../lib/base/hex.ts'
import { curve } from '../../../../lib/crypto/secp256k1.ts'
import {
  readAuxTransaction,
  plainSignatureHash,
  witnessSignatureHash,
} from '../../../../lib/modules/network-33/bridge/aux-transaction.ts'
import {
  sortedMembers,
  pendingHash,
  type FederationKeys,
} from '../../../../lib/modules/network-33/bridge/federation.ts'
import { shownItems } from '../../../../lib/modules/network-33/bridge/release-transaction.ts'
import { derOf } from './aux-chain.ts'
import { keyOf } from '../../../support/signing.ts'

/** Phrases of three authorizers, which are enough for a decision (node-chain 11.3). */
export const VOTERS = ['auth-a', 'auth-b', 'auth-c'] as const

/** Phrases of the members of the new federation; two of them have to sign. */
export const NEW_MEMBERS = ['new-1', 'new-2', 'new-3'] as const

export const publicKeyOf = (phrase: string): Uint8Array => curve.encodePoint(curve.publicKey(keyOf(phrase)))

/** The new federation. */
export const NEW_FEDERATION: FederationKeys = {
  members: sortedMembers(NEW_MEMBERS.map((phrase) => [0, 1, 2].map(() => publicKeyOf(phrase)))),
  kind: 'witness',
}

/** Methods and arguments to vote for, until the new federation is proposed. */
export const ELECTION: readonly (readonly [name: string, args: readonly unknown[]])[] = [
  ['createFederation', []],
  ...NEW_FEDERATION.members.map((keys) => ['addFederatorPublicKeyMultikey', keys.map(toHex)] as const),
  ['commitFederation', [toHex(pendingHash(NEW_FEDERATION.members))]],
]

/** Arguments of `addSignature` for a release that waits, whose inputs have values in sat. */
export function signaturesOf(
  phrase: string,
  raw: string,
  { hash, values }: ReleaseFacts,
): readonly unknown[] {
  const transaction = readAuxTransaction(fromHex(raw))
  const signatures = transaction.inputs.map((_, index) => {
    const input = { index, script: shownItems(transaction, index).at(-1)! }
    const signed =
      transaction.witnesses.length === 0
        ? plainSignatureHash(transaction, input)
        : witnessSignatureHash(transaction, input, values[index]!)
    return derOf(curve.sign(signed, keyOf(phrase)))
  })
  return [toHex(publicKeyOf(phrase)), signatures, hash]
}

interface ReleaseFacts {
  /** Of the transaction that made the release. */
  readonly hash: Hex
  readonly values: readonly bigint[]
}
