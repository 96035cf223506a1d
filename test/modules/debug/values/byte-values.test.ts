/** Values in encoded data and in memory: those that ethers encodes, and damaged ones. */

import { describe, expect, test } from '@jest/globals'
import { AbiCoder } from 'ethers'
import fc from 'fast-check'
import { fromHex } from '../../../../lib/base/hex.ts'
import type { StorageType, StorageValue } from '../../../../lib/insight/artifacts/storage-layout.ts'
import { encodedValues, valueOnStack } from '../../../../lib/modules/debug/values/stack-values.ts'
import { plain, machineWith, typeNamed } from '../solidity-values.ts'

/** A type, its name for ethers, a value, and the value as it is shown. */
interface Case {
  readonly type: StorageType
  readonly abi: string
  readonly given: unknown
  readonly shown: unknown
}

const value = (encoding: string, bytes: number): StorageValue => ({
  kind: 'value',
  label: encoding,
  encoding,
  bytes,
  slots: 1n,
})
const BYTES = { bytes: 32, slots: 1n } as const

const ofWidth = fc.integer({ min: 1, max: 32 })
const number = (name: 'int' | 'uint') =>
  ofWidth.chain((bytes) => {
    const bits = BigInt(8 * bytes)
    const [min, max] =
      name === 'int' ? [-(1n << (bits - 1n)), (1n << (bits - 1n)) - 1n] : [0n, (1n << bits) - 1n]
    const abi = `${name}${bits}`
    return fc
      .bigInt({ min, max })
      .map((given): Case => ({ type: value(abi, bytes), abi, given, shown: `${given}` }))
  })
const fixedBytes = ofWidth.chain((bytes) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((given): Case => {
    const abi = `bytes${bytes}`
    return { type: value(abi, bytes), abi, given, shown: `0x${Buffer.from(given).toString('hex')}` }
  }),
)
const text = fc.string({ unit: 'grapheme', maxLength: 70 }).map((given): Case => ({
  type: { kind: 'bytes', label: 'string', ...BYTES },
  abi: 'string',
  given,
  shown: JSON.stringify(given),
}))
const list = (items: fc.Arbitrary<readonly Case[]>, isFixed: boolean) =>
  items.map((cases): Case => {
    const [first] = cases
    const count = isFixed ? BigInt(cases.length) : undefined
    return {
      type: { kind: 'array', label: 'list', ...BYTES, base: () => first!.type, count },
      abi: `${first!.abi}[${count ?? ''}]`,
      given: cases.map(({ given }) => given),
      shown: cases.map(({ shown }) => shown),
    }
  })
const anyCase = fc.letrec<{ any: Case }>((tie) => ({
  any: fc.oneof(
    { depthSize: 'medium' },
    number('int'),
    number('uint'),
    fixedBytes,
    text,
    // Items of one type: the same value again.
    ...[true, false].map((isFixed) =>
      list(
        fc
          .tuple(tie('any'), fc.integer({ min: 1, max: 4 }))
          .map(([one, count]) => Array.from({ length: count }, () => one)),
        isFixed,
      ),
    ),
    fc.array(tie('any'), { minLength: 1, maxLength: 4 }).map((cases): Case => {
      const members = cases.map(({ type }, index) => ({ label: `m${index}`, slot: 0n, offset: 0, type }))
      return {
        type: { kind: 'struct', label: 'struct S', ...BYTES, members },
        abi: `tuple(${cases.map(({ abi }) => abi).join(',')})`,
        given: cases.map(({ given }) => given),
        shown: Object.fromEntries(cases.map(({ shown }, index) => [`m${index}`, shown])),
      }
    }),
  ),
})).any

const coder = AbiCoder.defaultAbiCoder()

describe('encoded values', () => {
  test('are those that were encoded', () => {
    fc.assert(
      fc.property(fc.array(anyCase, { maxLength: 4 }), (cases) => {
        const data = fromHex(
          `0x01020304${coder
            .encode(
              cases.map(({ abi }) => abi),
              cases.map(({ given }) => given),
            )
            .slice(2)}`,
        )
        const named = cases.map(({ type }, index) => ({ label: `p${index}`, type }))
        const values = encodedValues(named, data, 4, machineWith({}))
        expect(values.map(([name, one]) => [name, plain(one)])).toEqual(
          cases.map(({ shown }, index) => [`p${index}`, shown]),
        )
      }),
      { numRuns: 300 },
    )
  })

  test('are read to the end whatever the data is', () => {
    const type = typeNamed('givens', 'nest')
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.nat(300), fc.constant(32), fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })), {
          maxLength: 40,
        }),
        (words) => {
          const calldata = Buffer.from(
            words.map((word) => word.toString(16).padStart(64, '0')).join(''),
            'hex',
          )
          const machine = machineWith({ calldata, memory: calldata })
          const [[, encoded]] = encodedValues([{ label: 'orders', type }], calldata, 0, machine) as any
          expect(encoded.unknown ?? encoded.text.length).toBeTruthy()
          const moved: any = valueOnStack(type, 'memory', [BigInt(words[0] ?? 0)], machine)
          expect(moved.unknown ?? moved.text.length).toBeTruthy()
        },
      ),
      { numRuns: 300 },
    )
  })

  test('after one of unknown type are not known', () => {
    const known = value('uint8', 1)
    const types = [
      { label: 'a', type: known },
      { label: 'b', type: undefined },
      { label: 'c', type: known },
    ]
    const [a, b, c] = encodedValues(types, new Uint8Array(96), 0, machineWith({}))
    expect(plain(a![1])).toBe('0')
    expect([plain(b![1]), plain(c![1])]).toEqual([
      { unknown: 'its type is not known' },
      { unknown: 'its type is not known' },
    ])
  })

  test('without the bits of their type are not known', () => {
    const data = fromHex(`0x${'ff'.repeat(32)}`)
    const [[, one]] = encodedValues(
      [{ label: 'a', type: value('uint8', 1) }],
      data,
      0,
      machineWith({}),
    ) as any
    expect(one.unknown).toMatch(/^its word 1157\d+ is no uint8$/)
  })
})

/** Words in hex. */
const words = (...all: readonly (number | bigint)[]) =>
  fromHex(`0x${all.map((word) => word.toString(16).padStart(64, '0')).join('')}`)

describe('damaged memory', () => {
  const numbers = typeNamed('sizes', 'read')
  const order = typeNamed('copied', 'log')
  const note = typeNamed('text', 'read')
  test.each([
    ['an offset beyond the end', numbers, 4096n, 'its offset 4096 is beyond the 96 bytes of memory'],
    ['a length beyond the end', numbers, 0n, 'its length 3 is beyond the 96 bytes of memory'],
    ['a large length', numbers, 32n, `its length ${2n ** 255n} is beyond the 96 bytes of memory`],
    ['a text that ends later', note, 64n, 'its length 1 is beyond the 96 bytes of memory'],
  ] as const)('%s', (_name, type, pointer, unknown) => {
    const machine = machineWith({ memory: words(3, 2n ** 255n, 1) })
    expect(valueOnStack(type, 'memory', [pointer], machine)).toMatchObject({ unknown })
  })

  test('has a struct whose later members are not known', () => {
    const machine = machineWith({ memory: words(9) })
    const { id, buyer } = plain(valueOnStack(order, 'memory', [0n], machine))
    expect([id, buyer]).toEqual(['9', { unknown: 'its position 32 is beyond the 32 bytes of memory' }])
  })

  test('with a struct that contains itself has an end', () => {
    const base: StorageType = { kind: 'array', label: 'Node[]', ...BYTES, base: () => node, count: undefined }
    const node: StorageType = {
      kind: 'struct',
      label: 'struct Node',
      ...BYTES,
      members: [{ label: 'children', slot: 0n, offset: 0, type: base }],
    }
    // The only child of the node is the node.
    const machine = machineWith({ memory: words(32, 1, 0) })
    const value: any = valueOnStack(node, 'memory', [0n], machine)
    expect(value.text).toMatch(/^\{ children: \[\{ children: \[/)
    expect(value.text.length).toBeLessThan(120)
  })

  test('an empty array may lie at the end', () => {
    const machine = machineWith({ memory: new Uint8Array(96) })
    expect(valueOnStack(numbers, 'memory', [96n], machine)).toMatchObject({ text: '[]', count: 0 })
  })
})
