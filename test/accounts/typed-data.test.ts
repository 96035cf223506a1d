import { describe, expect, test } from '@jest/globals'
import { TypedDataEncoder } from 'ethers'
import fc from 'fast-check'
import { hashTypedData as viemHash } from 'viem'
import { toHex } from '../../lib/base/hex.ts'
import { encodeType, hashTypedData } from '../../lib/accounts/signed-data.ts'
import { typedData } from '../../lib/schema/keys.ts'
import { cpuMs } from '../support/cpu-time.ts'

/** Hash of a client's typed data. */
const hashOf = (given: unknown): string => toHex(hashTypedData(typedData.parse(given)))

/** The example of EIP-712. */
const MAIL = {
  types: {
    EIP712Domain: [
      { name: 'name', type: 'string' },
      { name: 'version', type: 'string' },
      { name: 'chainId', type: 'uint256' },
      { name: 'verifyingContract', type: 'address' },
    ],
    Person: [
      { name: 'name', type: 'string' },
      { name: 'wallet', type: 'address' },
    ],
    Mail: [
      { name: 'from', type: 'Person' },
      { name: 'to', type: 'Person' },
      { name: 'contents', type: 'string' },
    ],
  },
  primaryType: 'Mail',
  domain: {
    name: 'Ether Mail',
    version: '1',
    chainId: 1,
    verifyingContract: '0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC',
  },
  message: {
    from: { name: 'Cow', wallet: '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826' },
    to: { name: 'Bob', wallet: '0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB' },
    contents: 'Hello, Bob!',
  },
}

describe('the example of EIP-712', () => {
  const digest = '0xbe609aee343fb3c4b28e1df9e632fca64fcfaede20f02e86244efddf30957bd2'

  test('has its hash as an object, as text and without the type of its domain', () => {
    const { Person, Mail } = MAIL.types
    expect(hashOf(MAIL)).toBe(digest)
    expect(hashOf(JSON.stringify(MAIL))).toBe(digest)
    expect(hashOf({ ...MAIL, types: { Person, Mail } })).toBe(digest)
  })

  test('has its type', () => {
    expect(encodeType('Mail', new Map(Object.entries(MAIL.types)))).toBe(
      'Mail(Person from,Person to,string contents)Person(string name,address wallet)',
    )
  })
})

/** Elementary types and values of them in JSON. */
const hexOf = (length: number) =>
  fc.uint8Array({ minLength: length, maxLength: length }).map((bytes) => toHex(bytes))
const bits = fc.integer({ min: 1, max: 32 }).map((count) => count * 8)
const anyElementary: fc.Arbitrary<{ type: string; value: fc.Arbitrary<unknown> }> = fc.oneof(
  fc.constantFrom(
    { type: 'string', value: fc.string({ unit: 'binary' }) },
    { type: 'bool', value: fc.boolean() },
    { type: 'address', value: hexOf(20) },
    { type: 'bytes', value: fc.uint8Array({ maxLength: 70 }).map((bytes) => toHex(bytes)) },
  ),
  fc.integer({ min: 1, max: 32 }).map((length) => ({ type: `bytes${length}`, value: hexOf(length) })),
  bits.map((count) => ({
    type: `uint${count}`,
    value: fc.bigInt({ min: 0n, max: 2n ** BigInt(count) - 1n }).map(String),
  })),
  bits.map((count) => ({
    type: `int${count}`,
    value: fc.bigInt({ min: -(2n ** BigInt(count - 1)), max: 2n ** BigInt(count - 1) - 1n }).map(String),
  })),
)

interface Shape {
  readonly type: string
  readonly value: fc.Arbitrary<unknown>
}

/** The type itself, or arrays of it. */
const inArrays = (shape: Shape): fc.Arbitrary<Shape> =>
  fc.array(fc.option(fc.integer({ min: 1, max: 3 })), { maxLength: 2 }).map((lengths) =>
    lengths.reduce<Shape>(
      ({ type, value }, length) =>
        length === null
          ? { type: `${type}[]`, value: fc.array(value, { maxLength: 3 }) }
          : {
              type: `${type}[${length}]`,
              value: fc.array(value, { minLength: length, maxLength: length }),
            },
      shape,
    ),
  )

const anyDomain = fc.record(
  {
    name: fc.string(),
    // viem treats an empty domain as a missing one.
    version: fc.string({ minLength: 1 }),
    chainId: fc.nat(),
    verifyingContract: hexOf(20),
    salt: hexOf(32),
  },
  { requiredKeys: [] },
)

/** Structs, each of which may contain earlier ones; the last is the message. */
const anyTypedData = fc
  .array(fc.array(fc.tuple(anyElementary, fc.nat(), fc.boolean()), { minLength: 1, maxLength: 4 }), {
    minLength: 1,
    maxLength: 4,
  })
  .chain((plans) => {
    let made = fc.constant<readonly (Shape & { members: { name: string; type: string }[] })[]>([])
    for (const [index, plan] of plans.entries()) {
      made = made.chain((earlier) =>
        fc
          .tuple(
            ...plan.map(([simple, choice, isStruct]) =>
              inArrays(isStruct && earlier.length > 0 ? earlier[choice % earlier.length]! : simple),
            ),
          )
          .map((shapes) => ({
            // Not in alphabetical order.
            type: `S${(index * 7) % 4}x${index}`,
            members: shapes.map(({ type }, position) => ({ name: `m${position}`, type })),
            value: fc.record(
              Object.fromEntries(shapes.map(({ value }, position) => [`m${position}`, value])),
            ),
          }))
          .map((struct) => [...earlier, struct]),
      )
    }
    return made
  })
  .chain((structs) => {
    const { type, value } = structs.at(-1)!
    return fc.record({
      types: fc.constant(Object.fromEntries(structs.map((struct) => [struct.type, struct.members]))),
      primaryType: fc.constant(type),
      domain: anyDomain,
      message: value as fc.Arbitrary<Record<string, unknown>>,
    })
  })

/** Only the types that the message uses: ethers rejects others. */
function reachable(given: { types: Record<string, { name: string; type: string }[]>; primaryType: string }) {
  const found = new Set([given.primaryType])
  for (const name of found) {
    for (const { type } of given.types[name]!)
      if (type.split('[')[0]! in given.types) found.add(type.split('[')[0]!)
  }
  return Object.fromEntries([...found].map((name) => [name, given.types[name]!]))
}

describe('random typed data', () => {
  test('has the hash of ethers', () => {
    const law = fc.property(anyTypedData, (given) => {
      expect(hashOf(given)).toBe(TypedDataEncoder.hash(given.domain, reachable(given), given.message))
    })
    fc.assert(law, { numRuns: 150 })
  })

  test('has the hash of viem', () => {
    const law = fc.property(anyTypedData, (given) => {
      expect(hashOf(JSON.stringify(given))).toBe(viemHash(given as never))
    })
    fc.assert(law, { numRuns: 150 })
  })

  test("has the hash of ethers' payload", () => {
    const law = fc.property(anyTypedData, (given) => {
      const payload = TypedDataEncoder.getPayload(given.domain, reachable(given), given.message)
      expect(hashOf(payload)).toBe(hashOf(given))
    })
    fc.assert(law, { numRuns: 100 })
  })
})

test('a struct whose name contains a dollar sign has the hash that ethers gives it', () => {
  const types = { M: [{ name: 'x', type: 'P$n[]' }], P$n: [{ name: 'y', type: 'uint8' }] }
  const given = { types, primaryType: 'M', domain: {}, message: { x: [{ y: 1 }] } }
  expect(hashOf(given)).toBe(TypedDataEncoder.hash({}, types, given.message))
})

test('a list of 200,000 numbers and 10,000 structs are hashed within five seconds, with a hash in WebAssembly', () => {
  const start = cpuMs()
  expect(hashOf(one('uint256[]', new Array(200_000).fill(7)))).toMatch(/^0x/)
  const structs = new Array(10_000).fill({ name: 'n', at: `0x${'ab'.repeat(20)}` })
  const types = {
    P: [
      { name: 'name', type: 'string' },
      { name: 'at', type: 'address' },
    ],
  }
  expect(hashOf(one('P[]', structs, types))).toMatch(/^0x/)
  expect(cpuMs() - start).toBeLessThan(5000)
})

/** Typed data of one member. */
const one = (type: string, value: unknown, types = {}) => ({
  types: { ...types, M: [{ name: 'x', type }] },
  primaryType: 'M',
  domain: {},
  message: { x: value },
})

describe('values', () => {
  test.each([
    ['a number', 'uint8', 255, '255'],
    ['hex', 'uint8', '0xff', '255'],
    ['a negative number', 'int8', -128, '-128'],
    ['negative hex', 'int16', '-0x80', '-128'],
  ])('may be written as %s', (_name, type, value, same) => {
    expect(hashOf(one(type, value))).toBe(hashOf(one(type, same)))
  })

  test('of structs that refer to themselves end with null or a missing member (eth-sig-util, V4)', () => {
    const types = { Node: [{ name: 'next', type: 'Node' }] }
    const end = one('Node', { next: null }, types)
    expect(hashOf(end)).toBe(hashOf(one('Node', { next: undefined }, types)))
    expect(hashOf(end)).not.toBe(hashOf(one('Node', { next: { next: null } }, types)))
  })

  test('without a declaration are ignored', () => {
    const { message, ...rest } = one('bool', true)
    expect(hashOf({ ...rest, message: { ...message, y: 1 }, extra: 1 })).toBe(hashOf(one('bool', true)))
  })
})

test('a message that is a domain is hashed once', () => {
  const given = { ...MAIL, primaryType: 'EIP712Domain', message: {} }
  expect(hashOf(given)).toBe(viemHash(given as never))
})

describe('the error of invalid typed data', () => {
  const deep = (levels: number): unknown => (levels === 0 ? null : { next: deep(levels - 1) })
  const list = { Node: [{ name: 'next', type: 'Node' }] }

  test.each([
    ['a number out of range', one('uint8', 256), 'typedData.message.x: expected a uint8, got 256'],
    ['a number below its range', one('int8', -129), 'typedData.message.x: expected an int8, got -129'],
    ['a fraction', one('uint8', 1.5), 'typedData.message.x: expected a uint8, got 1.5'],
    ['a rounded number', one('uint256', 2 ** 53), 'expected a uint256, got 9007199254740992'],
    ['text for a number', one('uint8', 'one'), 'expected a uint8, got "one"'],
    ['a number for a bool', one('bool', 1), 'expected true or false, got 1'],
    ['a short address', one('address', '0x12'), 'expected an address, got "0x12"'],
    ['a number for text', one('string', 1), 'expected text, got 1'],
    [
      'text for bytes',
      one('bytes', 'abc'),
      'expected bytes as 0x and an even number of hex digits, got "abc"',
    ],
    ['too few bytes', one('bytes4', '0x1234'), 'expected 4 bytes as 0x and 8 hex digits, got "0x1234"'],
    ['a missing value', one('uint8', undefined), 'expected a uint8, got nothing'],
    ['null for a value', one('string', null), 'expected text, got null'],
    ['a value that is not an array', one('bool[]', {}), 'typedData.message.x: expected an array, got {}'],
    ['another length', one('bool[2]', [true]), 'expected an array of 2, got [true]'],
    ['an element', one('bool[][1]', [[true, 0]]), 'typedData.message.x[0][1]: expected true or false, got 0'],
    [
      'a value that is not a struct',
      one('Node', [], list),
      'typedData.message.x: expected an object of type Node',
    ],
    ['a struct too deep', one('Node', deep(101), list), 'nested deeper than 100 levels'],
    ['an unknown type', one('Nobody', 1), 'typedData.types.M: expected a type that is defined, got "Nobody"'],
    ['an alias', one('uint', 1), 'EIP-712 has no aliases: say uint256 or int256'],
    ['an invalid width', one('uint7', 1), 'expected a type that is defined, got "uint7"'],
    ['an invalid number of bytes', one('bytes33', '0x'), 'expected a type that is defined, got "bytes33"'],
    ['a broken bracket', one('bool[', true), 'expected a type that is defined, got "bool["'],
    ['brackets in the middle', one('bool[]x[]', true), 'expected a type that is defined'],
    ['a struct like a type', one('bool', true, { uint8: [] }), 'expected names of structs, got "uint8"'],
    ['a name with punctuation', one('bool', true, { 'A(': [] }), 'expected names of structs, got "A("'],
    ['an unknown primary type', { ...MAIL, primaryType: 'Letter' }, 'typedData.primaryType: expected a type'],
    [
      'a member twice',
      one('bool', true, { A: ['a', 'a'].map((name) => ({ name, type: 'bool' })) }),
      'typedData.types.A: expected members with names of their own, got "a"',
    ],
    [
      'an unusual domain',
      { ...one('bool', true), domain: { chain: 1 } },
      'typedData.domain.chain: expected one of name, version, chainId, verifyingContract, salt',
    ],
    [
      'a wrong domain',
      { ...one('bool', true), domain: { chainId: 'x' } },
      'typedData.domain.chainId: expected',
    ],
    ['an inherited member', one('string', undefined, {}), 'typedData.message.x: expected text, got nothing'],
  ])('%s', (_name, given, message) => {
    expect(() => hashOf(given)).toThrow(
      expect.objectContaining({ kind: 'invalidParams', message: expect.stringContaining(message) }),
    )
  })

  test('is short for names and values of any length', () => {
    const long = 'x'.repeat(10_000)
    const given = {
      types: { [long]: [{ name: long, type: 'bool' }] },
      primaryType: long,
      domain: {},
      message: { [long]: long },
    }
    expect(() => hashOf(given)).toThrow(
      expect.objectContaining({ message: expect.stringMatching(/^.{1,300}$/) }),
    )
  })

  test('names a member with the name of an inherited one', () => {
    const types = { M: [{ name: 'constructor', type: 'string' }] }
    const given = { types, primaryType: 'M', domain: {}, message: {} }
    expect(() => hashOf(given)).toThrow('typedData.message.constructor: expected text, got nothing')
  })
})
