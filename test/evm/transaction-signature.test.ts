import { expect, test } from '@jest/globals'
import { bytesToBigInt } from '../../lib/base/hex.ts'
import { encodeRlp } from '../../lib/base/rlp.ts'
import { addressOfPrivateKey } from '../../lib/crypto/address.ts'
import { curve } from '../../lib/crypto/secp256k1.ts'
import { senderPublicKey } from '../../lib/evm/transaction-signature.ts'
import { keyOf, legacyMembers } from '../support/signing.ts'
import { addressOf, transactionOf } from '../support/transactions.ts'

const KEY = keyOf('cow')

/** The transaction of these members, as the codec reads it. */
function signed(members: readonly Uint8Array[], sender = addressOfPrivateKey(KEY), type = 0) {
  const [v, r, s] = members.slice(6).map(bytesToBigInt) as [bigint, bigint, bigint]
  return transactionOf({ type, sender, encoded: encodeRlp(members), v, r, s })
}

test.each([
  ['for the chain', 33n],
  ['for every chain', undefined],
])('the key of a transaction signed %s', (_, chainId) => {
  const transaction = signed(legacyMembers({ chainId }))
  expect(senderPublicKey(transaction)).toEqual(curve.publicKey(KEY))
})

test('an unsigned transaction has no sender key', () => {
  const members = legacyMembers()
  expect(senderPublicKey(signed(members, addressOf(7)))).toBeUndefined()
  expect(
    senderPublicKey(signed([...members.slice(0, 7), new Uint8Array(32).fill(255), members[8]!])),
  ).toBeUndefined()
  expect(senderPublicKey(signed(members, undefined, 2))).toBeUndefined()
})
