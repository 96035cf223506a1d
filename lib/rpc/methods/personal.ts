/** Methods that manage accounts, keys and locks. Methods that sign with a passphrase are in signing.ts. */

import * as z from 'zod'
import { NodeError } from '../../base/errors.ts'
import { toHex } from '../../base/hex.ts'
import { begin } from '../../base/routine.ts'
import { keyOfPhrase } from '../../accounts/derive.ts'
import type { Keystore } from '../../accounts/keystore.ts'
import type { Node } from '../../node/node.ts'
import { passphrase, privateKey, seed, unlockDuration } from '../../schema/keys.ts'
import { addressText, flag, hashText } from '../../schema/results.ts'
import { address } from '../../schema/wire.ts'
import { method, param } from '../method.ts'
import { COW } from './examples.ts'

/** The keystore of a node that has one. @throws NodeError 'walletDisabled' */
export function requireKeystore({ keystore }: Node): Keystore {
  if (keystore.isEnabled) return keystore
  throw new NodeError('walletDisabled', 'The local wallet feature is disabled (--no-accounts)')
}

/** Private key 1, whose address is well known. */
const EXAMPLE_KEY = `0x${'00'.repeat(31)}01`
const EXAMPLE_ADDRESS = '0x7e5f4552091a69125d5dfcb7b8c2659029395bdf'

export const newAccount = method({
  name: 'personal_newAccount',
  summary: 'Makes an account with a random key, encrypted with a passphrase and unlocked for 30 minutes.',
  params: [param('passphrase', passphrase, 'Passphrase that unlocks the account later.')],
  result: addressText,
  access: 'write',
  isConfidential: true,
  errors: ['walletDisabled'],
  example: { params: ['a passphrase'] },
  run: ({ passphrase: chosen }, node) => begin(requireKeystore(node).create(chosen)),
})

export const newAccountWithSeed = method({
  name: 'personal_newAccountWithSeed',
  summary:
    'Creates or restores the account whose key is keccak-256 of a seed, unlocked until it is locked. It has no passphrase and is not kept in a file.',
  params: [param('seed', seed, 'Any text; the same text gives the same account.')],
  result: addressText,
  access: 'write',
  isConfidential: true,
  errors: ['walletDisabled'],
  example: { params: ['cow'], result: COW },
  run: ({ seed: phrase }, node) => requireKeystore(node).add(keyOfPhrase(phrase)),
})

export const importRawKey = method({
  name: 'personal_importRawKey',
  summary:
    'Adds an account by its key, encrypted with a passphrase and unlocked for 30 minutes. An account that is here already gets the new passphrase.',
  params: [
    param('key', privateKey, 'Private key of 32 bytes, with or without 0x.'),
    param('passphrase', passphrase, 'Passphrase that unlocks the account later.'),
  ],
  result: addressText,
  access: 'write',
  isConfidential: true,
  errors: ['walletDisabled'],
  example: { params: [EXAMPLE_KEY, 'a passphrase'], result: EXAMPLE_ADDRESS },
  run: ({ key, passphrase: chosen }, node) => begin(requireKeystore(node).import(key, chosen)),
})

export const dumpRawKey = method({
  name: 'personal_dumpRawKey',
  summary: 'The private key of an unlocked account.',
  params: [param('address', address, 'Account whose key is wanted.')],
  result: hashText,
  isConfidential: true,
  errors: ['walletDisabled', 'unknownAccount', 'lockedAccount'],
  example: {
    params: [COW],
    result: '0xc85ef7d79691fe79573b1a7064c19c1a9819ebdbd1faaab1a8ec92344438aaf4',
  },
  run: ({ address: account }, node) => toHex(requireKeystore(node).privateKey(account)),
})

export const listAccounts = method({
  name: 'personal_listAccounts',
  summary: 'Addresses of all accounts, locked ones too: those of the network first, then as they were added.',
  result: z.array(addressText).readonly(),
  errors: ['walletDisabled'],
  example: { params: [] },
  run: (_, node) => requireKeystore(node).addresses,
})

export const lockAccount = method({
  name: 'personal_lockAccount',
  summary: 'Locks an account; false when it was locked already.',
  params: [param('address', address, 'Account to lock.')],
  result: flag,
  access: 'write',
  errors: ['walletDisabled', 'unknownAccount'],
  example: { params: [COW], result: true },
  run: ({ address: account }, node) => requireKeystore(node).lock(account),
})

export const unlockAccount = method({
  name: 'personal_unlockAccount',
  summary:
    'Unlocks an account for a time; false if it has no passphrase, as accounts of the network and of seeds.',
  params: [
    param('address', address, 'Account to unlock.'),
    param('passphrase', passphrase, 'Passphrase of the account.'),
    param(
      'duration',
      unlockDuration,
      'How long: seconds as a number (0 for no end), or milliseconds as a hex string; 30 minutes if left out.',
    ),
  ],
  result: flag,
  access: 'write',
  isConfidential: true,
  errors: ['walletDisabled', 'unknownAccount', 'wrongPassphrase'],
  example: {
    after: [{ method: 'personal_importRawKey', params: [EXAMPLE_KEY, 'a passphrase'] }],
    params: [EXAMPLE_ADDRESS, 'a passphrase', 60],
    result: true,
  },
  run: ({ address: account, passphrase: given, duration }, node) =>
    begin(requireKeystore(node).unlock(account, given, duration)),
})

const STRANGER = '0x00000000000000000000000000000000000000c0'

export const addAccount = method({
  name: 'evm_addAccount',
  summary:
    'Adds an account without a key, locked behind a passphrase, as Ganache does: personal_unlockAccount or personal_sendTransaction lets it send. False when the account is here already.',
  params: [
    param('address', address, 'Account, a contract too.'),
    param('passphrase', passphrase, 'Passphrase that unlocks the account later.'),
  ],
  result: flag,
  access: 'write',
  isConfidential: true,
  errors: ['walletDisabled'],
  example: { params: [STRANGER, 'a passphrase'], result: true },
  run: ({ address: account, passphrase: chosen }, node) =>
    begin(requireKeystore(node).addKeyless(account, chosen)),
})

export const removeAccount = method({
  name: 'evm_removeAccount',
  summary:
    'Forgets an account, as Ganache does; false when it is not here. Its keystore file, if it has one, stays for the next start.',
  params: [
    param('address', address, 'Account.'),
    param(
      'passphrase',
      passphrase,
      'Its passphrase; empty for the accounts of the network, which have none.',
    ),
  ],
  result: flag,
  access: 'write',
  isConfidential: true,
  errors: ['walletDisabled', 'wrongPassphrase'],
  example: { params: [COW, ''], result: true },
  run: ({ address: account, passphrase: given }, node) => begin(requireKeystore(node).remove(account, given)),
})
