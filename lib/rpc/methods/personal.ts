/** Methods that manage accounts, keys, locks and impersonation. signing.ts signs with passphrases. */

import { NodeError, invalidParams } from '../../base/errors.ts'
import { toHex } from '../../base/hex.ts'
import { keyOfPhrase } from '../../accounts/derive.ts'
import type { Keystore } from '../../accounts/keystore.ts'
import type { Node } from '../../node/node.ts'
import { passphrase, privateKey, seed, unlockDuration } from '../../schema/keys.ts'
import { addressText, flag, hashText, list } from '../../schema/results.ts'
import { address, optional, boolean, data } from '../../schema/wire.ts'
import { param, readMethod, writeMethod } from '../../kernel/method.ts'
import { COW, PROTECTED, account, TRANSFER, transaction } from './params.ts'
import * as z from 'zod'
import { impersonateSignature } from '../../networks/ethereum/precompiles/ecrecover.ts'
import { command, control, controlResult, controlResultSchema } from '../../kernel/control.ts'
import { SEND_ERRORS, impersonatedTransaction, send, sendContext, type SendingChain } from './eth-send.ts'

/** A chain that may hold keys. */
export type KeyHolder = Pick<Node, 'keystore'>

/** The keystore of a node that has one. @throws NodeError 'walletDisabled' */
export function requireKeystore({ keystore }: KeyHolder): Keystore {
  if (keystore.isEnabled) return keystore
  throw new NodeError('walletDisabled', 'The local wallet feature is disabled (--no-accounts)')
}

const newPassphrase = param('passphrase', passphrase, 'Passphrase that unlocks the account later.')

export const newAccount = writeMethod({
  name: 'personal_newAccount',
  summary: 'Makes an account with a random key, encrypted with a passphrase and unlocked for 30 minutes.',
  params: [newPassphrase],
  result: addressText,
  isConfidential: true,
  errors: ['walletDisabled'],
  example: { params: ['a passphrase'] },
  run: ({ passphrase: chosen }, node: KeyHolder) => requireKeystore(node).create(chosen),
})

export const newAccountWithSeed = writeMethod({
  name: 'personal_newAccountWithSeed',
  summary:
    'Creates or restores the account whose key is keccak-256 of a seed, unlocked until it is locked. It has no passphrase and no file.',
  params: [param('seed', seed, 'Any text; the same text gives the same account.')],
  result: addressText,
  isConfidential: true,
  errors: ['walletDisabled'],
  example: { params: ['cow'], result: COW },
  run: ({ seed: phrase }, node: KeyHolder) => requireKeystore(node).add(keyOfPhrase(phrase)),
})

export const importRawKey = writeMethod({
  name: 'personal_importRawKey',
  summary:
    'Adds an account by its key, encrypted with a passphrase and unlocked for 30 minutes. An account that is here already gets the new passphrase.',
  params: [param('key', privateKey, 'Private key of 32 bytes, with or without 0x.'), newPassphrase],
  result: addressText,
  isConfidential: true,
  errors: ['walletDisabled'],
  example: { params: [PROTECTED.key, 'a passphrase'], result: PROTECTED.address },
  run: ({ key, passphrase: chosen }, node: KeyHolder) => requireKeystore(node).import(key, chosen),
})

export const dumpRawKey = readMethod({
  name: 'personal_dumpRawKey',
  summary: 'The private key of an unlocked account.',
  params: [account],
  result: hashText,
  isConfidential: true,
  errors: ['walletDisabled', 'unknownAccount', 'lockedAccount'],
  example: { params: [COW], result: '0xc85ef7d79691fe79573b1a7064c19c1a9819ebdbd1faaab1a8ec92344438aaf4' },
  run: ({ address: owner }, node: KeyHolder) => toHex(requireKeystore(node).privateKey(owner)),
})

export const listAccounts = readMethod({
  name: 'personal_listAccounts',
  summary: 'Addresses of all accounts, locked ones too: those of the network first, then as they were added.',
  result: list(addressText),
  errors: ['walletDisabled'],
  run: (_, node: KeyHolder) => requireKeystore(node).addresses,
})

export const lockAccount = writeMethod({
  name: 'personal_lockAccount',
  summary: 'Locks an account; false when it was locked already.',
  params: [account],
  result: flag,
  errors: ['walletDisabled', 'unknownAccount'],
  example: { params: [COW], result: true },
  run: ({ address: owner }, node: KeyHolder) => requireKeystore(node).lock(owner),
})

export const unlockAccount = writeMethod({
  name: 'personal_unlockAccount',
  summary: 'Unlocks an account for a time; false if it has no passphrase (of the network, or of a seed).',
  params: [
    account,
    param('passphrase', passphrase, 'Passphrase of the account.'),
    param(
      'duration',
      unlockDuration,
      'Seconds as a number, 0 for no end, or milliseconds as hex; else 30 minutes.',
    ),
  ],
  result: flag,
  isConfidential: true,
  errors: ['walletDisabled', 'unknownAccount', 'wrongPassphrase'],
  example: { after: [PROTECTED.step], params: [PROTECTED.address, 'a passphrase', 60], result: true },
  run: ({ address: owner, passphrase: given, duration }, node: KeyHolder) =>
    requireKeystore(node).unlock(owner, given, duration),
})

export const addAccount = writeMethod({
  name: 'evm_addAccount',
  summary:
    'Adds an account without a key, locked behind a passphrase, as Ganache does: personal_unlockAccount or personal_sendTransaction lets it send. False when the account is here already.',
  params: [param('address', address, 'Account, a contract too.'), newPassphrase],
  result: flag,
  isConfidential: true,
  errors: ['walletDisabled'],
  example: { params: ['0x00000000000000000000000000000000000000c0', 'a passphrase'], result: true },
  run: ({ address: owner, passphrase: chosen }, node: KeyHolder) =>
    requireKeystore(node).addKeyless(owner, chosen),
})

export const removeAccount = writeMethod({
  name: 'evm_removeAccount',
  summary: 'Forgets an account, as Ganache does; false when it is not here. Its keystore file stays.',
  params: [
    account,
    param('passphrase', passphrase, 'Its passphrase; empty for accounts of the network, which have none.'),
  ],
  result: flag,
  isConfidential: true,
  errors: ['walletDisabled', 'wrongPassphrase'],
  example: { params: [COW, ''], result: true },
  run: ({ address: owner, passphrase: given }, node: KeyHolder) => requireKeystore(node).remove(owner, given),
})

const CONTRACT = '0x0000000000000000000000000000000001000006'

export const impersonate = control({
  name: 'hardhat_impersonateAccount',
  aliases: ['anvil_impersonateAccount', 'ganache_impersonateAccount'],
  summary: 'Lets an account send by eth_sendTransaction without a key, a contract too.',
  params: [account],
  example: { params: [CONTRACT], result: true },
  run: ({ address: sender }, { impersonation }: Pick<Node, 'impersonation'>) => {
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
  run: ({ address: sender }, { impersonation }: Pick<Node, 'impersonation'>, context) =>
    controlResult(context, impersonation.stop(sender)),
})

export const impersonateAll = control({
  name: 'anvil_autoImpersonateAccount',
  aliases: ['hardhat_autoImpersonateAccount'],
  summary: 'Lets every account send without a key, or only those that were named.',
  params: [param('isEnabled', boolean, 'Whether every account may.')],
  example: { params: [true], result: true },
  run: ({ isEnabled }, { impersonation }: Pick<Node, 'impersonation'>) => impersonation.setAll(isEnabled),
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
  run: ({ signature: { impersonated, signer: listed }, address: named }, { chain }: Pick<Node, 'chain'>) => {
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
  *run({ transaction: asked }, node: SendingChain, request) {
    const context = sendContext(node, request)
    return yield* send(yield* impersonatedTransaction(asked, context), context, asked)
  },
})
