import { describe, expect, test } from '@jest/globals'
import { recoverMessageAddress } from 'viem'
import { NodeError } from '../../lib/base/errors.ts'
import { asAddress, fromHex, toHex } from '../../lib/base/hex.ts'
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

  test.each(['0x', '0x01', `0x${'ab'.repeat(500)}`] as const)(
    'signs %s so that a client recovers the signer',
    async (raw) => {
      const { keystore } = setUp()
      const signer = keystore.add(keyOfPhrase('cow'))
      const signature = signHash(messageHash(fromHex(raw)), keystore.privateKey(signer))
      expect((await recoverMessageAddress({ message: { raw }, signature })).toLowerCase()).toBe(signer)
    },
  )

  test('lists addresses in the order of addition, each once', () => {
    const { keystore } = setUp()
    const addresses = ['b', 'a', 'b'].map((phrase) => keystore.add(keyOfPhrase(phrase)))
    expect(keystore.addresses).toEqual(addresses.slice(0, 2))
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
  test('reverts later locks and accounts', async () => {
    const { instance, keystore } = setUp()
    const cow = keystore.add(keyOfPhrase('cow'))
    const made = await finish(keystore.create('secret'))
    keystore.lock(made)
    const capture = instance.capture()
    keystore.lock(cow)
    await finish(keystore.unlock(made, 'secret'))
    await finish(keystore.create('other'))
    await finish(keystore.import(keyOfPhrase('cow'), 'a passphrase'))
    instance.restore(capture)
    expect(keystore.addresses).toEqual([cow, made])
    expect([cow, made].map((address) => keystore.isUnlocked(address))).toEqual([true, false])
    expect(await finish(keystore.unlock(cow, 'a passphrase'))).toBe(false)
  })

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

  test('does not change files: their accounts stay known, and later ones are locked', async () => {
    const files = memoryFiles()
    const { instance, keystore } = setUp({ files })
    const cow = keystore.add(keyOfPhrase('cow'))
    const earlier = await finish(keystore.create('earlier'))
    const seed = keystore.add(keyOfPhrase('another'))
    const capture = instance.capture()
    const later = await finish(keystore.create('later'))
    await finish(keystore.import(keyOfPhrase('another'), 'now in a file'))
    keystore.add(keyOfPhrase('only in memory'))
    keystore.lock(earlier)
    instance.restore(capture)
    expect(keystore.addresses).toEqual([cow, earlier, seed, later])
    const unlocked = keystore.addresses.map((address) => keystore.isUnlocked(address))
    expect(unlocked).toEqual([true, true, true, false])
    keystore.lock(seed)
    expect(await finish(keystore.unlock(seed, 'now in a file'))).toBe(true)
    expect(await finish(keystore.unlock(later, 'later'))).toBe(true)
    const next = setUp({ files }).keystore
    await next.load()
    expect(next.addresses).toHaveLength(3)
  })
})

describe('a key with a passphrase', () => {
  test('is unlocked for thirty minutes, to the millisecond', async () => {
    const { host, keystore } = setUp()
    const address = await finish(keystore.create('secret'))
    host.step(DEFAULT_UNLOCK_MS - 1)
    expect(keystore.isUnlocked(address)).toBe(true)
    host.step(1)
    expect(keystore.isUnlocked(address)).toBe(false)
    expect(() => keystore.privateKey(address)).toThrow(expect.objectContaining({ kind: 'lockedAccount' }))
  })

  test('is listed while it is locked', async () => {
    const { keystore } = setUp()
    const address = await finish(keystore.create('secret'))
    expect(keystore.lock(address)).toBe(true)
    expect(keystore.lock(address)).toBe(false)
    expect(keystore.addresses).toEqual([address])
  })

  test('is unlocked by it for the requested time', async () => {
    const { host, keystore } = setUp()
    const address = await finish(keystore.create('secret'))
    keystore.lock(address)
    expect(await finish(keystore.unlock(address, 'secret', 5))).toBe(true)
    host.step(4)
    expect(keystore.isUnlocked(address)).toBe(true)
    host.step(1)
    expect(keystore.isUnlocked(address)).toBe(false)
  })

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

  test('does not change at a wrong passphrase or an unknown account', async () => {
    const { keystore } = setUp()
    const address = await finish(keystore.create('secret'))
    const wrong = { kind: 'wrongPassphrase', message: expect.stringContaining(address) }
    await expect(async () => finish(keystore.unlock(address, 'Secret'))).rejects.toMatchObject(wrong)
    await expect(async () => finish(keystore.decrypt(address, ''))).rejects.toMatchObject(wrong)
    await expect(async () => finish(keystore.unlock(UNKNOWN, 'secret'))).rejects.toMatchObject({
      kind: 'unknownAccount',
    })
    expect(keystore.isUnlocked(address)).toBe(true)
  })

  test('can be decrypted while it is locked, and stays locked', async () => {
    const { keystore } = setUp()
    const key = keyOfPhrase('cow')
    const address = await finish(keystore.import(key, 'secret'))
    keystore.lock(address)
    expect(await finish(keystore.decrypt(address, 'secret'))).toEqual(key)
    expect(keystore.isUnlocked(address)).toBe(false)
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

  test('is removed when it is locked, until it is added again', () => {
    const { keystore } = setUp()
    const address = keystore.add(keyOfPhrase('cow'))
    keystore.lock(address)
    expect(() => keystore.privateKey(address)).toThrow(/personal_newAccountWithSeed/)
    expect(keystore.add(keyOfPhrase('cow'))).toBe(address)
    expect(keystore.isUnlocked(address)).toBe(true)
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

  test('are loaded by the next keystore as locked accounts', async () => {
    const files = memoryFiles()
    const { keystore } = setUp({ files })
    const address = await finish(keystore.create('secret'))
    const next = setUp({ files }).keystore
    await next.load()
    expect(next.addresses).toEqual([address])
    expect(next.isUnlocked(address)).toBe(false)
    expect(await finish(next.decrypt(address, 'secret'))).toEqual(keystore.privateKey(address))
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
