import { expect, test } from '@jest/globals'
import { bytesToBigInt } from '../../lib/base/hex.ts'
import { encodeRlp } from '../../lib/base/rlp.ts'
import { addressOfPrivateKey } from '../../lib/crypto/address.ts'
import { curve } from '../../lib/crypto/secp256k1.ts'
import { loadNetwork } from '../support/networks.ts'
import { TransactionCodec } from '../../lib/evm/codec.ts'
import { senderPublicKey } from '../../lib/evm/transaction-signature.ts'
import { keyOf, legacyMembers } from '../support/signing.ts'
import { addressOf, transactionOf } from '../support/transactions.ts'

const KEY = keyOf('cow')

/** The transaction of these members, as the codec reads it. */
function signed(members: readonly Uint8Array[], sender = addressOfPrivateKey(KEY)) {
  const [v, r, s] = members.slice(6).map(bytesToBigInt) as [bigint, bigint, bigint]
  return transactionOf({ type: 0, sender, encoded: encodeRlp(members), v, r, s })
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
})

test('the key of a typed transaction', () => {
  const fields = transactionOf({ type: 2, gasLimit: 21_000n })
  const transaction = new TransactionCodec(loadNetwork('ethereum')).sign(
    fields,
    KEY,
    addressOfPrivateKey(KEY),
  )
  expect(senderPublicKey(transaction)).toEqual(curve.publicKey(KEY))
})
