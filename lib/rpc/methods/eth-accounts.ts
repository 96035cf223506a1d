/** Accounts whose keys this node holds. */

import { z } from 'zod'
import { addressText, dataText } from '../../schema/results.ts'
import { address, data } from '../../schema/wire.ts'
import { method, param } from '../method.ts'

const accounts = method({
  name: 'eth_accounts',
  summary: 'Addresses this node can sign for.',
  params: [],
  result: z.array(addressText).readonly(),
  access: 'read',
  example: { params: [] },
  run: (_, { keystore }) => keystore.addresses,
})

const sign = method({
  name: 'eth_sign',
  summary: 'Signs a message behind the usual prefix (EIP-191). The last byte is 27 or 28.',
  params: [param('address', address, 'Account to sign with.'), param('data', data, 'Message.')],
  result: dataText,
  access: 'read',
  errors: ['unknownAccount'],
  example: { params: ['0xcd2a3d9f938e13cd947ec05abc7fe734df8dd826', '0x01'] },
  run: ({ address: signer, data: message }, { keystore }) => keystore.signMessage(signer, message),
})

export const ethAccountMethods = [accounts, sign]
