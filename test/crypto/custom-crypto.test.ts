import { randomBytes } from 'node:crypto'
import { Common, Hardfork, Mainnet } from '@ethereumjs/common'
import { createEVM, getActivePrecompiles } from '@ethereumjs/evm'
import { createTx, type TypedTxData } from '@ethereumjs/tx'
import {
  createAddressFromString,
  ecrecover as stockRecover,
  eoaCode7702SignAuthorization,
} from '@ethereumjs/util'
import { describe, expect, jest, test } from '@jest/globals'
import { bigIntToBytes32, bytesToBigInt, toHex } from '../../lib/base/hex.ts'
import { customCrypto, ecrecover, ecsign } from '../../lib/crypto/custom-crypto.ts'
import { keccak256 } from '../../lib/crypto/keccak.ts'
import { curve } from '../../lib/crypto/secp256k1.ts'

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const random32 = () => new Uint8Array(randomBytes(32))
const randomAddress = () => toHex(randomBytes(20))

/** Assigned without a cast, which checks that our functions have the library's types. */
const tuned = new Common({ chain: Mainnet, hardfork: Hardfork.Prague, customCrypto })
const stock = new Common({ chain: Mainnet, hardfork: Hardfork.Prague })

const fields = () => ({
  nonce: BigInt(randomBytes(2).readUInt16BE()),
  gasLimit: 100_000n,
  to: randomAddress(),
  value: bytesToBigInt(randomBytes(8)),
  data: toHex(randomBytes(40)),
})
const fees = { maxFeePerGas: 20n, maxPriorityFeePerGas: 2n }
const accessList = () => [{ address: randomAddress(), storageKeys: [toHex(random32())] }]
const authorization = () =>
  eoaCode7702SignAuthorization({ chainId: '0x1', address: randomAddress(), nonce: '0x0' }, random32())

const kinds: readonly (readonly [string, () => TypedTxData])[] = [
  ['legacy', () => ({ ...fields(), type: 0, gasPrice: 20n })],
  ['access list (2930)', () => ({ ...fields(), type: 1, gasPrice: 20n, accessList: accessList() })],
  ['dynamic fee (1559)', () => ({ ...fields(), type: 2, ...fees, accessList: accessList() })],
  ['set code (7702)', () => ({ ...fields(), type: 4, ...fees, authorizationList: [authorization()] })],
]

describe.each(kinds)('a %s transaction', (_kind, makeData) => {
  test('is signed and its sender recovered as by the library itself', () => {
    for (let round = 0; round < 50; round++) {
      const [data, privateKey] = [makeData(), random32()]
      const ours = createTx(data, { common: tuned }).sign(privateKey)
      // Without extra entropy the library is deterministic too.
      const theirs = createTx(data, { common: stock }).sign(privateKey, false)
      expect(toHex(ours.serialize())).toBe(toHex(theirs.serialize()))
      expect(toHex(ours.hash())).toBe(toHex(theirs.hash()))
      expect(ours.getSenderAddress().toString()).toBe(theirs.getSenderAddress().toString())
      expect(toHex(ours.getSenderPublicKey())).toBe(toHex(curve.publicKey(privateKey)))
    }
  })
})

test('a legacy transaction without chain id recovers its sender', () => {
  const homestead = (crypto: object) =>
    new Common({ chain: Mainnet, hardfork: Hardfork.Homestead, customCrypto: crypto })
  const privateKey = random32()
  const data = { ...fields(), type: 0, gasPrice: 1n } as const
  const signed = createTx(data, { common: homestead(customCrypto) }).sign(privateKey)
  const again = createTx(signed.toJSON() as TypedTxData, { common: homestead({}) })
  expect([27n, 28n]).toContain(signed.v)
  expect(again.getSenderAddress().toString()).toBe(signed.getSenderAddress().toString())
})

describe('ecsign', () => {
  test('is the recovery bit, r and s', () => {
    const [hash, privateKey] = [random32(), random32()]
    const { r, s, recovery } = curve.sign(hash, privateKey)
    expect(toHex(ecsign(hash, privateKey))).toBe(toHex(new Uint8Array([recovery, ...r, ...s])))
  })
})

describe('ecrecover', () => {
  const [hash, privateKey] = [random32(), random32()]
  const { r, s, recovery } = curve.sign(hash, privateKey)
  const bit = BigInt(recovery)
  const publicKey = toHex(curve.publicKey(privateKey))

  test.each([
    ['the parity bit', bit, undefined],
    ['the parity bit, with a chain id', bit, 31337n],
    ['27 or 28', bit + 27n, undefined],
    ['the form of EIP-155', bit + 35n + 2n * 31337n, 31337n],
  ])('takes v as %s', (_case, v, chainId) => {
    expect(toHex(ecrecover(hash, v, r, s, chainId))).toBe(publicKey)
    expect(toHex(stockRecover(hash, v, r, s, chainId))).toBe(publicKey)
  })

  test.each([
    ['29', 29n, undefined],
    ['26', 26n, undefined],
    ['27 with a chain id', 27n, 31337n],
    ['another chain', 35n + 2n, 31337n],
    ['a number beyond 64 bits', 2n ** 70n, undefined],
  ])('refuses v: %s', (_case, v, chainId) => {
    expect(() => ecrecover(hash, v, r, s, chainId)).toThrow(
      expect.objectContaining({ kind: 'invalidParams' }),
    )
    expect(() => stockRecover(hash, v, r, s, chainId)).toThrow()
  })

  test('takes r and s without leading zeros', () => {
    // The signature whose nonce is half of 1: the x coordinate of that point is famously short.
    const short = bigIntToBytes32(0x3b78ce563f89a0ed9414f5aa28ad0d96d6795f9c63n)
    const [rShort, sShort] = [short.subarray(11), bigIntToBytes32(7n).subarray(31)]
    expect(toHex(ecrecover(hash, 27n, rShort, sShort))).toBe(toHex(stockRecover(hash, 27n, rShort, sShort)))
  })
})

describe('the ecrecover precompile', () => {
  const run = async (common: Common, data: Uint8Array) => {
    const precompile = getActivePrecompiles(common).get('0'.repeat(39) + '1')!
    const evm = await createEVM({ common })
    return precompile({ data, gasLimit: 10_000n, common, _EVM: evm })
  }
  const input = (hash: Uint8Array, v: bigint, r: Uint8Array, s: Uint8Array) =>
    new Uint8Array([...hash, ...bigIntToBytes32(v), ...r, ...s])
  const answers = async (data: Uint8Array) => {
    const [ours, theirs] = [await run(tuned, data), await run(stock, data)]
    return [toHex(ours.returnValue), toHex(theirs.returnValue)]
  }

  test('returns the signer, as the library itself, for low and high s', async () => {
    for (let round = 0; round < 20; round++) {
      const [hash, privateKey] = [random32(), random32()]
      const { r, s, recovery } = curve.sign(hash, privateKey)
      const highS = bigIntToBytes32(ORDER - bytesToBigInt(s))
      const signer = toHex(
        new Uint8Array([...new Uint8Array(12), ...keccak256(curve.publicKey(privateKey)).slice(12)]),
      )
      expect(await answers(input(hash, 27n + BigInt(recovery), r, s))).toEqual([signer, signer])
      expect(await answers(input(hash, 28n - BigInt(recovery), r, highS))).toEqual([signer, signer])
    }
  })

  test.each([
    ['zero r', input(random32(), 27n, new Uint8Array(32), bigIntToBytes32(1n))],
    ['zero s', input(random32(), 28n, bigIntToBytes32(1n), new Uint8Array(32))],
    ['r of the order', input(random32(), 27n, bigIntToBytes32(ORDER), bigIntToBytes32(1n))],
    ['r without a point', input(random32(), 27n, bigIntToBytes32(5n), bigIntToBytes32(1n))],
    ['v of 29', input(random32(), 29n, bigIntToBytes32(1n), bigIntToBytes32(1n))],
    ['no data', new Uint8Array(0)],
  ])('returns no data for %s, as the library itself', async (_case, data) => {
    expect(await answers(data)).toEqual(['0x', '0x'])
  })

  test('recovers hashes above the order alike', async () => {
    const answer = await answers(
      input(new Uint8Array(32).fill(255), 27n, bigIntToBytes32(1n), bigIntToBytes32(1n)),
    )
    expect(answer[0]).toHaveLength(66)
    expect(answer[0]).toBe(answer[1])
  })

  test('is reached through our function in a call of the EVM', async () => {
    const spied = jest.fn(customCrypto.ecrecover)
    const common = new Common({
      chain: Mainnet,
      hardfork: Hardfork.Prague,
      customCrypto: { ...customCrypto, ecrecover: spied },
    })
    const evm = await createEVM({ common })
    const [hash, privateKey] = [random32(), random32()]
    const { r, s, recovery } = curve.sign(hash, privateKey)
    const to = createAddressFromString(`0x${'0'.repeat(39)}1`)
    const outcome = await evm.runCall({
      to,
      data: input(hash, 27n + BigInt(recovery), r, s),
      gasLimit: 10_000n,
    })
    expect(spied).toHaveBeenCalledTimes(1)
    expect(toHex(outcome.execResult.returnValue.slice(12))).toBe(
      toHex(keccak256(curve.publicKey(privateKey)).slice(12)),
    )
  })
})
