/** Methods that sign with a passphrase. Methods that manage accounts are in personal.ts. */

import { begin, runWithPauses, waitFor } from '../../base/routine.ts'
import type { Routine } from '../../base/routine.ts'
import { NodeError } from '../../base/errors.ts'
import { toAddress, toHex } from '../../base/hex.ts'
import type { Address, Hash } from '../../base/hex.ts'
import type { Keystore } from '../../keystore/keystore.ts'
import { messageHash, recoverSigner, signHash } from '../../keystore/signature.ts'
import type { TransactionRequest } from '../../simulation/transaction-request.ts'
import { passphrase, signature, signedTransactionObject } from '../../schema/keys.ts'
import { optional, data } from '../../schema/wire.ts'
import { transactionRequest } from '../../schema/requests.ts'
import { addressText, dataText, hashText } from '../../schema/results.ts'
import { method, param } from '../method.ts'
import { renderPending } from '../render/transaction.ts'
import { shorten } from '../shorten.ts'
import { SEND_ERRORS, SIGN_ERRORS, requireFrom, send, sendContext, signRequest } from './eth-send.ts'
import { signedBytes } from './eth-send.ts'
import type { SendContext } from './eth-send.ts'
import { requireKeystore } from './personal.ts'
import { COW, COW1 } from './examples.ts'

const EXAMPLE_PHRASE = 'a passphrase'
const EXAMPLE_TRANSACTION = {
  from: '0x7e5f4552091a69125d5dfcb7b8c2659029395bdf',
  to: COW1,
}

/** An account with a passphrase: private key 1. */
const IMPORTED = {
  method: 'personal_importRawKey',
  params: [`0x${'00'.repeat(31)}01`, EXAMPLE_PHRASE],
} as const

/** Funds the account: network 33 accepts transactions only of accounts with a balance. */
const PAID = {
  method: 'eth_sendTransaction',
  params: [{ from: COW, to: EXAMPLE_TRANSACTION.from, value: '0x1' }],
} as const

const transaction = param('transaction', transactionRequest, 'What to sign; `from` is needed.')
const phrase = param('passphrase', passphrase, 'Passphrase of the sender.')

export const sendTransaction = method({
  name: 'personal_sendTransaction',
  summary:
    'Signs a transaction with a passphrase and sends it as eth_sendTransaction does. The account may be locked, and stays as it is.',
  params: [transaction, phrase],
  result: hashText,
  access: 'write',
  isConfidential: true,
  errors: ['walletDisabled', 'unknownAccount', 'wrongPassphrase', ...SEND_ERRORS],
  example: { after: [IMPORTED, PAID], params: [EXAMPLE_TRANSACTION, EXAMPLE_PHRASE] },
  run: ({ transaction: wanted, passphrase: given }, node, request) => {
    const key = requireKeystore(node).decryptSenderKey(requireFrom(wanted), given)
    return begin(sendWithKey(wanted, key, () => sendContext(node, request)))
  },
})

/** Sends a transaction when its key is decrypted; the block is planned afterwards, because the decryption can take a second. */
function* sendWithKey(
  wanted: TransactionRequest,
  decryption: Routine<Uint8Array | undefined>,
  contextNow: () => SendContext,
): Routine<Hash> {
  const key = yield* decryption
  const context = contextNow()
  const signed = yield* waitFor(signRequest(wanted, () => key, context))
  return yield* send(signed, context, wanted)
}

export const signTransaction = method({
  name: 'personal_signTransaction',
  summary: 'Signs a transaction with a passphrase and does not send it.',
  params: [transaction, phrase],
  result: signedTransactionObject,
  isConfidential: true,
  errors: ['walletDisabled', 'unknownAccount', 'wrongPassphrase', ...SIGN_ERRORS],
  example: { after: [IMPORTED], params: [EXAMPLE_TRANSACTION, EXAMPLE_PHRASE] },
  run: async ({ transaction: wanted, passphrase: given }, node, request) => {
    const keystore = requireKeystore(node)
    const keyOf = (from: Address) => runWithPauses(keystore.decrypt(from, given))
    const signed = await signRequest(wanted, keyOf, sendContext(node, request))
    return { raw: signedBytes(signed), tx: renderPending(signed) }
  },
})

export const sign = method({
  name: 'personal_sign',
  summary:
    'Signs a message with the prefix of EIP-191, as eth_sign with its params in reverse order; either order is accepted.',
  params: [
    param('data', data, 'Message.'),
    param('address', data, 'Account to sign with.'),
    param('passphrase', optional(passphrase), 'Passphrase, needed only while the account is locked.'),
  ],
  result: dataText,
  isConfidential: true,
  errors: ['walletDisabled', 'unknownAccount', 'lockedAccount', 'wrongPassphrase'],
  example: {
    params: ['0x01', COW],
    result:
      '0xe514beeec709cb8c5426970286dc5728254034bf3b7f5525f5d66316ec7e744e18656c117b823ea0d06cf0fac1a8f5e9fd28a43bca474dfa15644617c8ded41b1b',
  },
  run: async ({ data: first, address: second, passphrase: given }, node) => {
    const keystore = requireKeystore(node)
    const { message, signer } = inOrder(first, second, keystore)
    const key =
      given === undefined || keystore.isUnlocked(signer)
        ? keystore.privateKey(signer)
        : await runWithPauses(keystore.decrypt(signer, given))
    return signHash(messageHash(message), key)
  },
})

/** Message and signer: wallets accept either order, because eth_sign has the reverse order. */
function inOrder(first: Uint8Array, second: Uint8Array, keystore: Keystore) {
  const [swapped, usual] = [first, second].map(asAccount)
  if (swapped !== undefined && (usual === undefined || (keystore.has(swapped) && !keystore.has(usual)))) {
    return { message: second, signer: swapped }
  }
  if (usual !== undefined) return { message: first, signer: usual }
  throw new NodeError(
    'invalidParams',
    `params[1] (address): expected a 20-byte address, got ${shorten(JSON.stringify(toHex(second)))}`,
  )
}

const asAccount = (bytes: Uint8Array): Address | undefined =>
  bytes.length === 20 ? toAddress(bytes) : undefined

export const ecRecover = method({
  name: 'personal_ecRecover',
  summary: 'The account that signed a message with the prefix of EIP-191.',
  params: [
    param('data', data, 'Message.'),
    param('signature', signature, 'r, s and v, as personal_sign and eth_sign return them.'),
  ],
  result: addressText,
  example: {
    params: [
      '0x01',
      '0xe514beeec709cb8c5426970286dc5728254034bf3b7f5525f5d66316ec7e744e18656c117b823ea0d06cf0fac1a8f5e9fd28a43bca474dfa15644617c8ded41b1b',
    ],
    result: COW,
  },
  run: ({ data: message, signature: given }) => recoverSigner(messageHash(message), given),
})
