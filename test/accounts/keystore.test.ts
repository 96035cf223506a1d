import { describe, expect, test } from '@jest/globals'
import { NodeError } from '../../lib/base/errors.ts'
import { asAddress, toHex } from '../../lib/base/hex.ts'
import { finish } from '../../lib/base/routine.ts'
import { keccak256 } from '../../lib/crypto/keccak.ts'
import { keyOfPhrase } from '../../lib/accounts/derive.ts'
import { messageHash, signHash } from '../../lib/accounts/signed-data.ts'
import { SCRYPT_COSTS, readKeyFile } from '../../lib/accounts/key-file.ts'
import type { KeyFiles } from '../../lib/accounts/key-folder.ts'
import { DEFAULT_UNLOCK_MS, Keystore } from '../../lib/accounts/keystore.ts'
import { ChainInstance } from '../../lib/chain/instance/chain-instance.ts'
import { fingerprint } from '../support/fingerprint.ts'
import { ManualHost } from '../support/node.ts'

const UNKNOWN = asAddress(`0x${'12'.repeat(20)}`)
const cost = { ...SCRYPT_COSTS.light, n: 16 }

function setUp({ isEnabled = true, files }: { isEnabled?: boolean; files?: KeyFiles } = {}) {
  const instance = new ChainInstance()
  const host = new ManualHost()
  return { instance, host, keystore: new Keystore(instance, { isEnabled, host, cost, files }) }
}

/** Files in memory, with the writes in order. */
function memoryFiles(texts: Readonly<Record<string, string>> = {}) {
  const stored = new Map(Object.entries(texts))
  const readAll: KeyFiles['readAll'] = async () => {
    const files = [...stored].sort().map(([file, text]) => ({ file, ...readKeyFile(text) }))
    return new Map(files.map(({ address, encrypted, file }) => [address!, { encrypted, file }]))
  }
  const write = async (name: string, text: string): Promise<void> => void stored.set(name, text)
  return { stored, readAll, write }
}

describe('keystore', () => {
  test('signs messages as the reference does', () => {
    const { keystore } = setUp()
    const signer = keystore.add(keyOfPhrase('sampleSeed1'))
    const message = keccak256(new TextEncoder().encode('this is the data to hash'))
    // node-rpc 5.8.
    expect(signHash(messageHash(message), keystore.privateKey(signer))).toBe(
      '0xc8be87722c6452172a02a62fdea70c8b25cfc9613d28647bf2aeb3c7d1faa1a91b861fccc05bb61e25ff4300502812750706ca8df189a0b8163540b9bccabc9f1b',
    )
  })

  test.each([
    ['names the account without a key', true, 'its key is not in this node'],
    ['says that it holds no keys', false, '--no-accounts'],
  ])('%s', (_case, isEnabled, text) => {
    const refused = () => setUp({ isEnabled }).keystore.privateKey(UNKNOWN)
    expect(refused).toThrow(NodeError)
    expect(refused).toThrow(text)
    expect(refused).toThrow(UNKNOWN)
  })
})

describe('a revert', () => {
  test('keeps the remaining time of an unlocked account', async () => {
    const { instance, host, keystore } = setUp()
    const address = await finish(keystore.create('secret'))
    host.step(DEFAULT_UNLOCK_MS - 10)
    const capture = instance.capture()
    for (const time of ['first', 'second']) {
      host.step(DEFAULT_UNLOCK_MS)
      expect([time, keystore.isUnlocked(address)]).toEqual([time, false])
      instance.restore(capture)
      host.step(9)
      expect([time, keystore.isUnlocked(address)]).toEqual([time, true])
    }
    host.step(1)
    expect(keystore.isUnlocked(address)).toBe(false)
  })
})

describe('a key with a passphrase', () => {
  test('can be unlocked for a shorter time, unless it is unlocked without end', async () => {
    const { host, keystore } = setUp()
    const address = await finish(keystore.create('secret'))
    await finish(keystore.unlock(address, 'secret', 1))
    host.step(1)
    expect(keystore.isUnlocked(address)).toBe(false)
    await finish(keystore.unlock(address, 'secret', Infinity))
    await finish(keystore.unlock(address, 'secret', 1))
    host.step(DEFAULT_UNLOCK_MS)
    expect(keystore.isUnlocked(address)).toBe(true)
  })

  test('gets a new passphrase when it is imported again', async () => {
    const { keystore } = setUp()
    const address = await finish(keystore.import(keyOfPhrase('cow'), 'old'))
    await finish(keystore.import(keyOfPhrase('cow'), 'new'))
    await expect(async () => finish(keystore.unlock(address, 'old'))).rejects.toMatchObject({
      kind: 'wrongPassphrase',
    })
    expect(await finish(keystore.unlock(address, 'new'))).toBe(true)
  })

  test('is not in the chain instance in plain form once it is locked or its time is over', async () => {
    const { instance, host, keystore } = setUp()
    const keys = ['one', 'two'].map(keyOfPhrase)
    const [first] = await Promise.all(keys.map(async (key) => finish(keystore.import(key, 'secret'))))
    const shown = () => JSON.stringify(fingerprint(instance))
    for (const key of keys) expect(shown()).toContain(toHex(key))
    host.step(DEFAULT_UNLOCK_MS)
    keystore.lock(first!)
    for (const key of keys) expect(shown()).not.toContain(toHex(key))
  })
})

describe('a key without passphrase', () => {
  test('is never locked automatically, and accepts no passphrase', async () => {
    const { host, keystore } = setUp()
    const address = keystore.add(keyOfPhrase('cow'))
    host.step(1e12)
    expect(keystore.isUnlocked(address)).toBe(true)
    expect(await finish(keystore.unlock(address, ''))).toBe(false)
    await expect(async () => finish(keystore.decrypt(address, ''))).rejects.toMatchObject({
      kind: 'wrongPassphrase',
    })
  })

  test('gets a passphrase by import, and is still not locked automatically', async () => {
    const { host, keystore } = setUp()
    const address = keystore.add(keyOfPhrase('cow'))
    await finish(keystore.import(keyOfPhrase('cow'), 'secret'))
    host.step(DEFAULT_UNLOCK_MS)
    expect(keystore.isUnlocked(address)).toBe(true)
    keystore.lock(address)
    expect(await finish(keystore.unlock(address, 'secret'))).toBe(true)
  })
})

describe('keystore files', () => {
  test('hold new and imported keys, and no keys of seeds', async () => {
    const files = memoryFiles()
    const { keystore } = setUp({ files })
    const made = await finish(keystore.create('secret'))
    const imported = await finish(keystore.import(keyOfPhrase('cow'), 'secret'))
    keystore.add(keyOfPhrase('seed'))
    expect([...files.stored.keys()]).toEqual(
      [made, imported].map((address) => `UTC--2023-11-14T22-13-20.000000000Z--${address.slice(2)}`),
    )
  })

  test('are not overwritten by a run with the same random bytes', async () => {
    const files = memoryFiles()
    const earlier = await finish(setUp({ files }).keystore.create('earlier'))
    const { keystore } = setUp({ files })
    await keystore.load()
    const later = await finish(keystore.create('later'))
    expect(keystore.addresses).toEqual([earlier, later])
    expect(await finish(keystore.unlock(earlier, 'earlier'))).toBe(true)
  })

  test('are replaced if the account has one with any name', async () => {
    const first = memoryFiles()
    const address = await finish(setUp({ files: first }).keystore.import(keyOfPhrase('cow'), 'old'))
    const files = memoryFiles({ mine: [...first.stored.values()][0]! })
    const { keystore } = setUp({ files })
    await keystore.load()
    await finish(keystore.import(keyOfPhrase('cow'), 'new'))
    expect([...files.stored.keys()]).toEqual(['mine'])
    const next = setUp({ files }).keystore
    await next.load()
    expect(await finish(next.unlock(address, 'new'))).toBe(true)
  })

  test('do not lock an account of the network', async () => {
    const files = memoryFiles()
    const address = await finish(setUp({ files }).keystore.import(keyOfPhrase('cow'), 'secret'))
    const { keystore } = setUp({ files })
    keystore.add(keyOfPhrase('cow'))
    await keystore.load()
    expect(keystore.isUnlocked(address)).toBe(true)
  })

  test('with the key of another account are detected when they are opened', async () => {
    const files = memoryFiles()
    await finish(setUp({ files }).keystore.import(keyOfPhrase('cow'), 'secret'))
    const [[name, text]] = [...files.stored] as [[string, string]]
    const swapped = JSON.stringify({ ...JSON.parse(text), address: UNKNOWN })
    const { keystore } = setUp({ files: memoryFiles({ [name]: swapped }) })
    await keystore.load()
    await expect(async () => finish(keystore.unlock(UNKNOWN, 'secret'))).rejects.toMatchObject({
      kind: 'unknownAccount',
      message: expect.stringContaining(
        'its keystore file holds the key of 0xcd2a3d9f938e13cd947ec05abc7fe734df8dd826',
      ),
    })
  })

  test('that cannot be written do not change the keystore', async () => {
    const refuse = () => Promise.reject(new NodeError('internal', 'disk full'))
    const { instance, keystore } = setUp({ files: { ...memoryFiles(), write: refuse } })
    const before = fingerprint(instance)
    await expect(async () => finish(keystore.create('secret'))).rejects.toThrow('disk full')
    expect(fingerprint(instance)).toEqual(before)
  })
})
