import { describe, expect, test } from '@jest/globals'
import { computeAddress, Wallet } from 'ethers'
import { fromHex } from '../../lib/base/hex.ts'
import { addressOfPrivateKey, addressOfPublicKey } from '../../lib/crypto/address.ts'
import { keccak256 } from '../../lib/crypto/keccak.ts'
import { curve } from '../../lib/crypto/secp256k1.ts'

const cow = keccak256(new TextEncoder().encode('cow'))
const cowAddress = '0xcd2a3d9f938e13cd947ec05abc7fe734df8dd826'

describe('addresses', () => {
  test('of the key of "cow"', () => {
    expect(addressOfPrivateKey(cow)).toBe(cowAddress)
    expect(addressOfPublicKey(curve.publicKey(cow))).toBe(cowAddress)
  })

  test('of the first account of the well-known mnemonic', () => {
    const privateKey = fromHex('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')
    expect(addressOfPrivateKey(privateKey)).toBe('0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266')
  })

  test('of random keys equal those of ethers', () => {
    for (let round = 0; round < 20; round++) {
      const { privateKey } = Wallet.createRandom()
      expect(addressOfPrivateKey(fromHex(privateKey))).toBe(computeAddress(privateKey).toLowerCase())
    }
  })

  test('need 64 bytes of public key', () => {
    expect(() => addressOfPublicKey(new Uint8Array([4, ...curve.publicKey(cow)]))).toThrow(/64 bytes/)
    expect(() => addressOfPublicKey(new Uint8Array(33))).toThrow(/64 bytes/)
  })
})
