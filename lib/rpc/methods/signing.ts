/** Methods that list accounts, sign and recover signers. */

import * as z from 'zod'
import { toAddress, toHex } from '../../base/hex.ts'
import type { Address, Hash } from '../../base/hex.ts'
import { signHash, messageHash, recoverSigner } from '../../accounts/signature.ts'
import { hashTypedData } from '../../accounts/typed-data.ts'
import { signedTransactionObject, passphrase, signature } from '../../schema/keys.ts'
import { transactionRequest } from '../../schema/requests.ts'
import { addressText, dataText, hashText } from '../../schema/results.ts'
import { typedData } from '../../schema/keys.ts'
import { address, data, optional } from '../../schema/wire.ts'
import { method, param } from '../method.ts'
import { renderPending } from '../render/transaction.ts'
import {
  SIGN_ERRORS,
  sendContext,
  signRequest,
  signedBytes,
  SEND_ERRORS,
  requireFrom,
  send,
} from './eth-send.ts'
import type { SendContext } from './eth-send.ts'
import { COW, COW1, TRANSFER } from './examples.ts'
import { begin, runWithPauses, waitFor } from '../../base/routine.ts'
import type { Routine } from '../../base/routine.ts'
import { NodeError } from '../../base/errors.ts'
import type { Keystore } from '../../accounts/keystore.ts'
import type { TransactionRequest } from '../../chain/simulation/transaction-request.ts'
import { shorten } from '../shorten.ts'
import { requireKeystore } from './personal.ts'

export const accounts = method({
  name: 'eth_accounts',
  aliases: ['eth_requestAccounts'],
  summary:
    'Addresses of the accounts of this node, including locked ones and those of evm_addAccount, which have no key.',
  result: z.array(addressText).readonly(),
  example: { params: [] },
  run: (_, { keystore }) => keystore.addresses,
})

export const sign = method({
  name: 'eth_sign',
  summary: 'Signs a message with the prefix of EIP-191. The last byte is 27 or 28.',
  params: [param('address', address, 'Account to sign with.'), param('data', data, 'Message.')],
  result: dataText,
  errors: ['unknownAccount', 'lockedAccount'],
  example: { params: [COW, '0x01'] },
  run: ({ address: signer, data: message }, { keystore }) => keystore.signMessage(signer, message),
})

export const signTypedData = method({
  name: 'eth_signTypedData_v4',
  aliases: ['eth_signTypedData', 'eth_signTypedData_v3'],
  summary: 'Signs structured data (EIP-712); all names follow version 4. The last byte is 27 or 28.',
  params: [
    param('address', address, 'Account to sign with.'),
    param('typedData', typedData, 'Types, primary type, domain and message: an object or its JSON as text.'),
  ],
  result: dataText,
  errors: ['unknownAccount', 'lockedAccount'],
  example: {
    params: [
      COW,
      {
        types: {
          EIP712Domain: [
            { name: 'name', type: 'string' },
            { name: 'chainId', type: 'uint256' },
          ],
          Mail: [
            { name: 'to', type: 'address' },
            { name: 'contents', type: 'string' },
          ],
        },
        primaryType: 'Mail',
        domain: { name: 'Post', chainId: 33 },
        message: { to: COW1, contents: 'Hello' },
      },
    ],
  },
  run: ({ address: signer, typedData: typed }, { keystore }) => {
    const hash = hashTypedData(typed)
    return signHash(hash, keystore.privateKey(signer))
  },
})

export const signTransaction = method({
  name: 'eth_signTransaction',
  summary:
    'Signs a transaction with a key of this node and does not send it. In dialect node33 returns the signed bytes and the fields, as geth does; in the others only the signed bytes, which ethers and viem expect.',
  params: [
    param('transaction', transactionRequest, 'What to sign; `from` is needed, the rest is filled in.'),
  ],
  result: z.union([signedTransactionObject, dataText]),
  errors: ['unknownAccount', 'lockedAccount', ...SIGN_ERRORS],
  example: {
    params: [TRANSFER],
  },
  run: async ({ transaction }, node, request) => {
    const keyOf = (from: Address) => node.keystore.privateKey(from)
    const signed = await signRequest(transaction, keyOf, sendContext(node, request))
    const raw = signedBytes(signed)
    // ethers and viem expect only the bytes.
    return request.dialect === 'node33' ? { raw, tx: renderPending(signed) } : raw
  },
})

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

export const personalSignTransaction = method({
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

export const personalSign = method({
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
