import { describe, expect, test } from '@jest/globals'
import { encodeAbiParameters, parseAbiParameters } from 'viem'
import { asAddress, fromHex, toHex } from '../../lib/base/hex.ts'
import { decodeAbi, encodeAbi, signatureOf } from '../../lib/abi/codec.ts'
import { AbiError } from '../../lib/abi/codec.ts'
import { address, arrayOf, bool, bytes, bytes32, int256, int64, string } from '../../lib/abi/codec.ts'
import { cutTo32Bits, uint256, uint32, uint8 } from '../../lib/abi/codec.ts'
import type { AbiType } from '../../lib/abi/codec.ts'
import { cpuMs } from '../support/cpu-time.ts'

const hash = fromHex(`0x${'ab'.repeat(32)}`)
const owner = asAddress('0xcd2a3d9f938e13cd947ec05abc7fe734df8dd826')

const cases: readonly (readonly [string, readonly AbiType[], readonly unknown[], readonly unknown[]])[] = [
  ['uint256', [uint256], [2n ** 256n - 1n], [2n ** 256n - 1n]],
  ['uint8,uint32', [uint8, uint32], [255n, 7n], [255, 7]],
  ['int256,int64', [int256, int64], [-1n, -(2n ** 63n)], [-1n, -(2n ** 63n)]],
  ['address,bool', [address, bool], [owner, true], [owner, true]],
  ['bytes32', [bytes32], [hash], [toHex(hash)]],
  ['bytes,string', [bytes, string], [fromHex('0x0102'), 'grüße'], ['0x0102', 'grüße']],
  [
    'bytes[]',
    [arrayOf(bytes)],
    [[hash.subarray(0, 3), new Uint8Array(33)]],
    [['0xababab', `0x${'00'.repeat(33)}`]],
  ],
  [
    'uint256,bytes32[],bool',
    [uint256, arrayOf(bytes32), bool],
    [1n, [hash, hash], false],
    [1n, [toHex(hash), toHex(hash)], false],
  ],
]

describe('the same encoding as an independent library', () => {
  test.each(cases)('%s', (text, types, values, theirs) => {
    const encoded = encodeAbi(types, values)
    expect(toHex(encoded)).toBe(encodeAbiParameters(parseAbiParameters(text), theirs))
    expect(decodeAbi(types, encoded)).toEqual(values)
  })
})

describe('data that does not match its types', () => {
  const word = (value: bigint) => value.toString(16).padStart(64, '0')
  test.each<[string, readonly AbiType[], string, string]>([
    ['ends early', [uint256], 'ff', '1 bytes of arguments, expected at least 32'],
    ['a number that is too large', [uint8], word(256n), '256 is out of range of uint8'],
    [
      'a negative number beyond its type',
      [int64],
      word(2n ** 256n - 2n ** 63n - 1n),
      'is out of range of int64',
    ],
    ['an offset outside', [bytes], word(33n), 'an offset of 33 in 32 bytes'],
    ['a length outside', [bytes], word(32n) + word(1n), 'a length of 1 where 0 bytes are left'],
    ['a list longer than the data', [arrayOf(bytes32)], word(32n) + word(2n ** 200n), 'a length of'],
  ])('%s', (_, types, data, message) => {
    expect(() => decodeAbi(types, fromHex(`0x${data}`))).toThrow(AbiError)
    expect(() => decodeAbi(types, fromHex(`0x${data}`))).toThrow(message)
  })
})

describe('the encoding of the reference node (node-chain 10.2)', () => {
  const word = (value: bigint) => value.toString(16).padStart(64, '0')

  test.each<[AbiType, unknown]>([
    [bytes, new Uint8Array(0)],
    [string, ''],
  ])('empty $name has a word of zeros', (type, value) => {
    const encoded = encodeAbi([type], [value])
    expect(toHex(encoded)).toBe(`0x${word(32n)}${word(0n)}${word(0n)}`)
    expect(decodeAbi([type], encoded)).toEqual([value])
    expect(toHex(encodeAbi([arrayOf(type), uint256], [[value], 7n]))).toBe(
      `0x${word(64n)}${word(7n)}${word(1n)}${word(32n)}${word(0n)}${word(0n)}`,
    )
  })

  test('without any data, numbers are 0, a bool is false and a list is empty', () => {
    const types = [uint256, int256, address, bool, arrayOf(bytes32)]
    const zero = asAddress(`0x${'00'.repeat(20)}`)
    expect(decodeAbi(types, new Uint8Array(0))).toEqual([0n, 0n, zero, false, []])
  })

  test.each<[AbiType]>([[bytes], [string], [bytes32]])('without any data there is no $name', (type) => {
    expect(() => decodeAbi([type], new Uint8Array(0))).toThrow(AbiError)
  })

  test.each<[string, AbiType, string, unknown]>([
    ['a bool of two is true', bool, word(2n), true],
    ['a bool has 32 bits', bool, word(2n ** 32n), false],
    ['an address ends its word', address, `${'ff'.repeat(12)}${owner.slice(2)}`, owner],
    ['a position has 32 bits with a sign', cutTo32Bits(uint256), word(2n ** 255n + 2n ** 32n - 1n), -1n],
    ['a text that is not UTF-8', string, `${word(32n)}${word(1n)}${'ff'.padEnd(64, '0')}`, '\ufffd'],
  ])('%s', (_, type, data, value) => {
    expect(decodeAbi([type], fromHex(`0x${data}`))).toEqual([value])
  })
})

test('a signature lists the types', () => {
  expect(signatureOf('f', [uint256, arrayOf(bytes32)])).toBe('f(uint256,bytes32[])')
})

test('a list of offsets to the same megabyte is decoded without copying it', () => {
  const word = (value: number) => value.toString(16).padStart(64, '0')
  const [count, length] = [30_000, 1_000_000]
  const items = `${word(count)}${word(count * 32).repeat(count)}`
  const data = fromHex(`0x${word(32)}${items}${word(length)}${'ab'.repeat(length)}`)
  const start = cpuMs()
  const [found] = decodeAbi([arrayOf(bytes)], data)
  expect(found).toHaveLength(count)
  expect(new Set(found.map((item) => item.buffer))).toEqual(new Set([data.buffer]))
  expect(cpuMs() - start).toBeLessThan(5000)
})
