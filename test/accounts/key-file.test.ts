import { describe, expect, test } from '@jest/globals'
import { Wallet } from 'ethers'
import { Wallet as Wallet5 } from 'ethers5'
import { asAddress, toHex } from '../../lib/base/hex.ts'
import { addressOfPrivateKey } from '../../lib/crypto/address.ts'
import {
  SCRYPT_COSTS,
  keyFileName,
  readKeyFile,
  writeKeyFile,
  encryptKey,
  decryptKey,
} from '../../lib/accounts/key-file.ts'
import { ManualHost } from '../support/node.ts'
import { keyOf } from '../support/signing.ts'
import { readVectors } from '../support/vectors.ts'

const key = keyOf('cow')
const address = addressOfPrivateKey(key)

/** The text of a file that this program writes. */
async function writtenFile(passphrase: string): Promise<string> {
  const { random } = new ManualHost()
  return writeKeyFile(address, await encryptKey(key, passphrase, { random, cost: SCRYPT_COSTS.light }))
}

async function keyIn(text: string, passphrase: string): Promise<string | undefined> {
  const found = await decryptKey(readKeyFile(text).encrypted, passphrase)
  return found === undefined ? undefined : toHex(found)
}

describe('the vectors of the Ethereum Foundation', () => {
  test.each(readVectors('KeyStoreTests/basic_tests.json'))('%s', async (_name, { json, password, priv }) => {
    const text = JSON.stringify(json)
    expect(await keyIn(text, password)).toBe(`0x${priv}`)
  })
})

test('another passphrase gives no key', async () => {
  expect(await keyIn(await writtenFile('secret'), 'secret ')).toBeUndefined()
})

describe('other programs', () => {
  test.each(['secret', '', 'p\u00e4ssw\u00f6rd \u2603'])('ethers reads our file: %j', async (passphrase) => {
    const wallet = await Wallet.fromEncryptedJson(await writtenFile(passphrase), passphrase)
    expect(wallet.privateKey).toBe(toHex(key))
  })

  test('a file of ethers 6 is read', async () => {
    const { encryptKeystoreJson } = await import('ethers')
    const options = { scrypt: { N: 1024, r: 8, p: 1 } }
    const account = { address: new Wallet(toHex(key)).address, privateKey: toHex(key) }
    // Its NFKC form is another text.
    const passphrase = '\ufb01sh'
    const text = await encryptKeystoreJson(account, passphrase, options)
    expect(readKeyFile(text).address).toBe(address)
    expect(await keyIn(text, passphrase)).toBe(toHex(key))
  })

  test('a file of ethers 5 is read', async () => {
    const text = await new Wallet5(toHex(key)).encrypt('secret', { scrypt: { N: 1024, r: 8, p: 1 } })
    expect(await keyIn(text, 'secret')).toBe(toHex(key))
  })
})

test('a file is written as read', async () => {
  for (const [, { json }] of readVectors('KeyStoreTests/basic_tests.json')) {
    const { encrypted } = readKeyFile(JSON.stringify(json))
    expect(readKeyFile(writeKeyFile(address, encrypted))).toEqual({ address, encrypted })
  }
})

test('the name of a file is that of geth', () => {
  const name = keyFileName(asAddress(`0x${'AB'.repeat(20)}`), 1_700_000_000_123)
  expect(name).toBe(`UTC--2023-11-14T22-13-20.123000000Z--${'ab'.repeat(20)}`)
})

describe('a wrong file is rejected with the place of the fault', () => {
  test.each([
    ['nothing', () => '', 'expected a JSON object'],
    ['no object', () => '[]', 'expected a JSON object'],
    ['arrays in arrays', () => '['.repeat(9000) + ']'.repeat(9000), 'expected a JSON object'],
    ['another version', (file: any) => ({ ...file, version: 1 }), 'version: expected version 3'],
    ['no encryption', (file: any) => ({ ...file, crypto: undefined }), 'crypto: expected an object'],
    ['another cipher', change('cipher', 'aes-256-ctr'), 'crypto.cipher: expected aes-128-ctr'],
    [
      'another derivation',
      change('kdf', 'argon2'),
      'crypto.kdf: expected an object with kdf scrypt or pbkdf2',
    ],
    ['a short key', change('ciphertext', 'abcd'), 'crypto.ciphertext: expected 32 bytes as hex digits'],
    ['a short iv', change('cipherparams', { iv: 'ab' }), 'crypto.cipherparams.iv: expected 16 bytes'],
    ['invalid digits', change('mac', 'z'.repeat(64)), 'crypto.mac: expected 32 bytes as hex digits'],
    ['no salt', params({ salt: undefined }), 'crypto.kdfparams.salt: expected a salt'],
    [
      'a cost that is not a power of two',
      params({ n: 1000 }),
      'crypto.kdfparams: n: expected a power of two',
    ],
    ['too much memory', params({ n: 2 ** 24 }), 'crypto.kdfparams: n, r and p: expected at most'],
    ['too much work', params({ p: 65_536 }), 'crypto.kdfparams: n, r and p: expected at most'],
    ['a short derived key', params({ dklen: 16 }), 'crypto.kdfparams.dklen: expected at least 32 bytes'],
    ['a wrong address', (file: any) => ({ ...file, address: '0x12' }), 'address: expected an address'],
  ])('%s', async (_name, spoil, message) => {
    const spoiled = spoil(JSON.parse(await writtenFile('secret')))
    const text = typeof spoiled === 'string' ? spoiled : JSON.stringify(spoiled)
    expect(() => readKeyFile(text)).toThrow(
      expect.objectContaining({ kind: 'invalidOption', message: expect.stringContaining(message) }),
    )
  })
})

function change(member: string, value: unknown) {
  return (file: any) => ({ ...file, crypto: { ...file.crypto, [member]: value } })
}

function params(changed: object) {
  return (file: any) => change('kdfparams', { ...file.crypto.kdfparams, ...changed })(file)
}
