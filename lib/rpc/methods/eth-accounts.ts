/** Methods that list the accounts of this node and sign with their keys. */

import * as z from 'zod'
import type { Address } from '../../base/hex.ts'
import { signHash } from '../../keystore/signature.ts'
import { hashTypedData } from '../../keystore/typed-data.ts'
import { signedTransactionObject } from '../../schema/keys.ts'
import { transactionRequest } from '../../schema/requests.ts'
import { addressText, dataText } from '../../schema/results.ts'
import { typedData } from '../../schema/typed-data.ts'
import { address, data } from '../../schema/wire.ts'
import { method, param } from '../method.ts'
import { renderPending } from '../render/transaction.ts'
import { SIGN_ERRORS, sendContext, signRequest, signedBytes } from './eth-send.ts'
import { COW, COW1, TRANSFER } from './examples.ts'

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
