import { describe, expect, test } from '@jest/globals'
import { recoverMessageAddress } from 'viem'
import { NodeError } from '../../lib/base/errors.ts'
import { asAddress, fromHex } from '../../lib/base/hex.ts'
import { keccak256 } from '../../lib/crypto/keccak.ts'
import { keyOfPhrase } from '../../lib/keystore/derive.ts'
import { SCRYPT_COSTS } from '../../lib/keystore/key-derivation.ts'
import { Keystore } from '../../lib/keystore/keystore.ts'
import { World } from '../../lib/world/world.ts'
import { ManualOutside } from '../support/node.ts'

const newKeystore = (isEnabled = true, world = new World()) =>
  new Keystore(world, { isEnabled, outside: new ManualOutside(), cost: SCRYPT_COSTS.light })

describe('keystore', () => {
  test('signs messages as the reference does', () => {
    const keystore = newKeystore()
    const signer = keystore.add(keyOfPhrase('sampleSeed1'))
    const message = keccak256(new TextEncoder().encode('this is the data to hash'))
    // node-rpc 5.8.
    expect(keystore.signMessage(signer, message)).toBe(
      '0xc8be87722c6452172a02a62fdea70c8b25cfc9613d28647bf2aeb3c7d1faa1a91b861fccc05bb61e25ff4300502812750706ca8df189a0b8163540b9bccabc9f1b',
    )
  })

  test.each(['0x', '0x01', `0x${'ab'.repeat(500)}`] as const)(
    'signs %s so that a client finds the signer',
    async (raw) => {
      const keystore = newKeystore()
      const signer = keystore.add(keyOfPhrase('cow'))
      const signature = keystore.signMessage(signer, fromHex(raw))
      expect((await recoverMessageAddress({ message: { raw }, signature })).toLowerCase()).toBe(signer)
    },
  )

  test('lists addresses in the order their keys came, each once', () => {
    const keystore = newKeystore()
    const addresses = ['b', 'a', 'b'].map((phrase) => keystore.add(keyOfPhrase(phrase)))
    expect(keystore.addresses).toEqual(addresses.slice(0, 2))
  })

  test.each([
    ['names the account it has no key of', true, 'its key is not in this node'],
    ['says that it holds none', false, '--no-accounts'],
  ])('%s', (_case, isEnabled, text) => {
    const nobody = asAddress(`0x${'12'.repeat(20)}`)
    const refused = () => newKeystore(isEnabled).privateKey(nobody)
    expect(refused).toThrow(NodeError)
    expect(refused).toThrow(text)
    expect(refused).toThrow(nobody)
  })

  test('keeps its keys through a revert', () => {
    const world = new World()
    const keystore = newKeystore(true, world)
    const capture = world.capture()
    const added = keystore.add(keyOfPhrase('cow'))
    world.restore(capture)
    expect(keystore.addresses).toEqual([added])
  })
})
