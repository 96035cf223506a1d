/** Methods that list accounts, sign and recover signers. */

import { invalidParams } from '../../base/errors.ts'
import * as z from 'zod'
import { toAddress, toHex, type Address } from '../../base/hex.ts'
import { signHash, messageHash, recoverSigner, hashTypedData } from '../../accounts/signed-data.ts'
import { passphrase, signature, signedTransactionObject, typedData } from '../../schema/keys.ts'
import { addressText, dataText, hashText, list } from '../../schema/results.ts'
import { data, optional } from '../../schema/wire.ts'
import { param, readMethod, writeMethod } from '../../kernel/method.ts'
import { renderPending } from '../render/block.ts'
import {
  SEND_ERRORS,
  SIGN_ERRORS,
  requireFrom,
  send,
  sendContext,
  signRequest,
  signedBytes,
  type SendingChain,
} from './eth-send.ts'
import { COW, COW1, PROTECTED, TRANSFER, account, transaction } from './params.ts'
import { finish } from '../../base/routine.ts'
import type { Keystore } from '../../accounts/keystore.ts'
import { shorten } from '../../base/shorten.ts'
import { requireKeystore, type KeyHolder } from './personal.ts'
import type { Node } from '../../node/node.ts'

export const accounts = readMethod({
  name: 'eth_accounts',
  aliases: ['eth_requestAccounts'],
  summary: 'Addresses of the accounts of this node, also of locked ones and of those without a key.',
  result: list(addressText),
  run: (_, { keystore }: KeyHolder) => keystore.addresses,
})

const message = param('data', data, 'Message.')

export const sign = readMethod({
  name: 'eth_sign',
  summary: 'Signs a message with the prefix of EIP-191. The last byte is 27 or 28.',
  params: [account, message],
  result: dataText,
  errors: ['unknownAccount', 'lockedAccount'],
  example: { params: [COW, '0x01'] },
  run: ({ address: signer, data: signed }, { keystore }: KeyHolder) =>
    signHash(messageHash(signed), keystore.privateKey(signer)),
})

export const signTypedData = readMethod({
  name: 'eth_signTypedData_v4',
  aliases: ['eth_signTypedData', 'eth_signTypedData_v3'],
  summary: 'Signs structured data (EIP-712); all names follow version 4. The last byte is 27 or 28.',
  params: [
    account,
    param('typedData', typedData, 'Types, primary type, domain and message: an object or its JSON as text.'),
  ],
  result: dataText,
  errors: ['unknownAccount', 'lockedAccount'],
  example: {
    params: [
      COW,
      {
        types: {
          EIP712Domain: [{ name: 'chainId', type: 'uint256' }],
          Mail: [{ name: 'to', type: 'address' }],
        },
        primaryType: 'Mail',
        domain: { chainId: 33 },
        message: { to: COW1 },
      },
    ],
  },
  run: ({ address: signer, typedData: typed }, { keystore }: KeyHolder) =>
    signHash(hashTypedData(typed), keystore.privateKey(signer)),
})

export const signTransaction = readMethod({
  name: 'eth_signTransaction',
  summary:
    'Signs a transaction with a key of this node and does not send it. In dialect node33 returns the signed bytes and the fields, as geth does; in the others only the signed bytes.',
  params: [transaction],
  result: z.union([signedTransactionObject, dataText]),
  errors: ['unknownAccount', 'lockedAccount', ...SIGN_ERRORS],
  example: { params: [TRANSFER] },
  *run({ transaction: wanted }, node: SendingChain & Pick<Node, 'consensus'>, request) {
    const keyOf = (from: Address) => node.keystore.privateKey(from)
    const signed = yield* signRequest(wanted, keyOf, sendContext(node, request))
    const raw = signedBytes(signed)
    // ethers and viem expect only the bytes.
    return request.dialect === 'node33' ? { raw, tx: renderPending(signed, node.consensus) } : raw
  },
})

const EXAMPLE_PARAMS = [{ from: PROTECTED.address, to: COW1 }, 'a passphrase'] as const

/** Funds the account, because network 33 accepts transactions only from accounts with a balance. */
const PAID = {
  method: 'eth_sendTransaction',
  params: [{ from: COW, to: PROTECTED.address, value: '0x1' }],
} as const

const phrase = param('passphrase', passphrase, 'Passphrase of the sender.')

export const personalSendTransaction = writeMethod({
  name: 'personal_sendTransaction',
  summary: 'As eth_sendTransaction, signed with a passphrase. A locked account stays locked.',
  params: [transaction, phrase],
  result: hashText,
  isConfidential: true,
  errors: ['walletDisabled', 'unknownAccount', 'wrongPassphrase', ...SEND_ERRORS],
  example: { after: [PROTECTED.step, PAID], params: EXAMPLE_PARAMS },
  *run({ transaction: wanted, passphrase: given }, node: SendingChain, request) {
    const key = yield* requireKeystore(node).decryptSenderKey(requireFrom(wanted), given)
    // The block is planned after the decryption, which can take a second.
    const context = sendContext(node, request)
    return yield* send(yield* signRequest(wanted, () => key, context), context, wanted)
  },
})

export const personalSignTransaction = readMethod({
  name: 'personal_signTransaction',
  summary: 'Signs a transaction with a passphrase and does not send it.',
  params: [transaction, phrase],
  result: signedTransactionObject,
  isConfidential: true,
  errors: ['walletDisabled', 'unknownAccount', 'wrongPassphrase', ...SIGN_ERRORS],
  example: { after: [PROTECTED.step], params: EXAMPLE_PARAMS },
  *run({ transaction: wanted, passphrase: given }, node: SendingChain & Pick<Node, 'consensus'>, request) {
    const key = yield* requireKeystore(node).decrypt(requireFrom(wanted), given)
    const signed = yield* signRequest(wanted, () => key, sendContext(node, request))
    return { raw: signedBytes(signed), tx: renderPending(signed, node.consensus) }
  },
})

/** Signature of 0x01 by the first account. */
const EXAMPLE_SIGNATURE =
  '0xe514beeec709cb8c5426970286dc5728254034bf3b7f5525f5d66316ec7e744e18656c117b823ea0d06cf0fac1a8f5e9fd28a43bca474dfa15644617c8ded41b1b'

export const personalSign = readMethod({
  name: 'personal_sign',
  summary: 'As eth_sign with its params in reverse order; either order is accepted.',
  params: [
    message,
    param('address', data, 'Account.'),
    param('passphrase', optional(passphrase), 'Passphrase, needed only while the account is locked.'),
  ],
  result: dataText,
  isConfidential: true,
  errors: ['walletDisabled', 'unknownAccount', 'lockedAccount', 'wrongPassphrase'],
  example: { params: ['0x01', COW], result: EXAMPLE_SIGNATURE },
  run: async ({ data: first, address: second, passphrase: given }, node: KeyHolder) => {
    const keystore = requireKeystore(node)
    const { bytes, signer } = inOrder(first, second, keystore)
    const key =
      given === undefined || keystore.isUnlocked(signer)
        ? keystore.privateKey(signer)
        : await finish(keystore.decrypt(signer, given))
    return signHash(messageHash(bytes), key)
  },
})

/** Message and signer. Wallets accept either order, because eth_sign has the reverse order. */
function inOrder(first: Uint8Array, second: Uint8Array, keystore: Keystore) {
  const [swapped, usual] = [first, second].map(asAccount)
  if (swapped !== undefined && (usual === undefined || (keystore.has(swapped) && !keystore.has(usual)))) {
    return { bytes: second, signer: swapped }
  }
  if (usual !== undefined) return { bytes: first, signer: usual }
  throw invalidParams(
    `params[1] (address): expected a 20-byte address, got ${shorten(JSON.stringify(toHex(second)))}`,
  )
}

const asAccount = (bytes: Uint8Array): Address | undefined =>
  bytes.length === 20 ? toAddress(bytes) : undefined

export const ecRecover = readMethod({
  name: 'personal_ecRecover',
  summary: 'The account that signed a message with the prefix of EIP-191.',
  params: [message, param('signature', signature, 'r, s and v, as personal_sign and eth_sign return them.')],
  result: addressText,
  example: { params: ['0x01', EXAMPLE_SIGNATURE], result: COW },
  run: ({ data: signed, signature: given }) => recoverSigner(messageHash(signed), given),
})
