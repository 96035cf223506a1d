/** Methods that manage accounts, keys and locks. Methods that sign with a passphrase are in signing.ts. */

import { NodeError } from '../../base/errors.ts'
import { toHex } from '../../base/hex.ts'
import { keyOfPhrase } from '../../accounts/derive.ts'
import type { Keystore } from '../../accounts/keystore.ts'
import type { Node } from '../../node/node.ts'
import { passphrase, privateKey, seed, unlockDuration } from '../../schema/keys.ts'
import { addressText, flag, hashText, list } from '../../schema/results.ts'
import { address } from '../../schema/wire.ts'
import { param, readMethod, writeMethod } from '../../kernel/method.ts'
import { COW, PROTECTED } from './examples.ts'
import { account } from './params.ts'

/** The keystore of a node that has one. @throws NodeError 'walletDisabled' */
export function requireKeystore({ keystore }: Node): Keystore {
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
  run: ({ passphrase: chosen }, node) => requireKeystore(node).create(chosen),
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
  run: ({ seed: phrase }, node) => requireKeystore(node).add(keyOfPhrase(phrase)),
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
  run: ({ key, passphrase: chosen }, node) => requireKeystore(node).import(key, chosen),
})

export const dumpRawKey = readMethod({
  name: 'personal_dumpRawKey',
  summary: 'The private key of an unlocked account.',
  params: [account],
  result: hashText,
  isConfidential: true,
  errors: ['walletDisabled', 'unknownAccount', 'lockedAccount'],
  example: { params: [COW], result: '0xc85ef7d79691fe79573b1a7064c19c1a9819ebdbd1faaab1a8ec92344438aaf4' },
  run: ({ address: owner }, node) => toHex(requireKeystore(node).privateKey(owner)),
})

export const listAccounts = readMethod({
  name: 'personal_listAccounts',
  summary: 'Addresses of all accounts, locked ones too: those of the network first, then as they were added.',
  result: list(addressText),
  errors: ['walletDisabled'],
  run: (_, node) => requireKeystore(node).addresses,
})

export const lockAccount = writeMethod({
  name: 'personal_lockAccount',
  summary: 'Locks an account; false when it was locked already.',
  params: [account],
  result: flag,
  errors: ['walletDisabled', 'unknownAccount'],
  example: { params: [COW], result: true },
  run: ({ address: owner }, node) => requireKeystore(node).lock(owner),
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
  run: ({ address: owner, passphrase: given, duration }, node) =>
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
  run: ({ address: owner, passphrase: chosen }, node) => requireKeystore(node).addKeyless(owner, chosen),
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
  run: ({ address: owner, passphrase: given }, node) => requireKeystore(node).remove(owner, given),
})
