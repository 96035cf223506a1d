/** Methods that let accounts send or sign without a key. */

import * as z from 'zod'
import { impersonateSignature } from '../../networks/ethereum/precompiles/ecrecover.ts'
import { optional, address, boolean, data } from '../../schema/wire.ts'
import { hashText } from '../../schema/results.ts'
import { command, control, controlResult, controlResultSchema } from '../../kernel/control.ts'
import { invalidParams, param, writeMethod } from '../../kernel/method.ts'
import { SEND_ERRORS, impersonatedTransaction, send, sendContext } from './eth-send.ts'
import { TRANSFER } from './examples.ts'
import { account, transaction } from './params.ts'

const CONTRACT = '0x0000000000000000000000000000000001000006'

export const impersonate = control({
  name: 'hardhat_impersonateAccount',
  aliases: ['anvil_impersonateAccount', 'ganache_impersonateAccount'],
  summary: 'Lets an account send by eth_sendTransaction without a key, a contract too.',
  params: [account],
  example: { params: [CONTRACT], result: true },
  run: ({ address: sender }, { impersonation }) => {
    impersonation.start(sender)
  },
})

export const stop = writeMethod({
  name: 'hardhat_stopImpersonatingAccount',
  aliases: ['anvil_stopImpersonatingAccount', 'ganache_stopImpersonatingAccount'],
  summary: 'Ends what hardhat_impersonateAccount began; false when it had not.',
  params: [account],
  result: controlResultSchema,
  example: { params: [CONTRACT], result: false },
  run: ({ address: sender }, { impersonation }, context) =>
    controlResult(context, impersonation.stop(sender)),
})

export const impersonateAll = control({
  name: 'anvil_autoImpersonateAccount',
  aliases: ['hardhat_autoImpersonateAccount'],
  summary: 'Lets every account send without a key, or only those that were named.',
  params: [param('isEnabled', boolean, 'Whether every account may.')],
  example: { params: [true], result: true },
  run: ({ isEnabled }, { impersonation }) => impersonation.setAll(isEnabled),
})

const SIGNATURE_EXPECTED =
  'expected a signature of 65 bytes: r, s and v, which is 27 or 28; or a list of it and an address'

/** Index of v in a signature, after r and s. */
const V_AT = 64

const signature = data
  .refine(({ length, [V_AT]: v }) => length === V_AT + 1 && (v === 27 || v === 28), SIGNATURE_EXPECTED)
  .transform((bytes) => ({ r: bytes.subarray(0, 32), s: bytes.subarray(32, V_AT), v: bytes[V_AT] ?? 0 }))

/** Anvil takes one param, a list of signature and address. */
const signatureOrBoth = z.union(
  [
    signature.transform((impersonated) => ({ impersonated, signer: undefined })),
    z.tuple([signature, address]).transform(([impersonated, signer]) => ({ impersonated, signer })),
  ],
  SIGNATURE_EXPECTED,
)

export const impersonateSigner = command({
  name: 'anvil_impersonateSignature',
  summary: 'Makes ecrecover return an account for a signature of any hash, until a revert or a reset.',
  params: [
    param('signature', signatureOrBoth, 'r, s and v, as passed to ecrecover; or a list of both params.'),
    param('address', optional(address), 'Account that is to have signed; the zero address ends it.'),
  ],
  errors: ['invalidParams'],
  example: { params: [`0x${'11'.repeat(64)}1b`, CONTRACT], result: null },
  run: ({ signature: { impersonated, signer: listed }, address: named }, { chain }) => {
    const signer = named ?? listed
    if (signer === undefined)
      throw invalidParams('params[1] (address): expected a 20-byte address, got nothing')
    chain.editHead((state) => impersonateSignature(state, impersonated, signer))
  },
})

export const sendUnsigned = writeMethod({
  name: 'eth_sendUnsignedTransaction',
  summary: 'Sends a transaction of any account, without a key and without impersonating it first.',
  params: [transaction],
  result: hashText,
  errors: SEND_ERRORS,
  example: { params: [TRANSFER] },
  *run({ transaction: asked }, node, request) {
    const context = sendContext(node, request)
    return yield* send(yield* impersonatedTransaction(asked, context), context, asked)
  },
})
