/** Objects a client sends, and references to blocks. */

import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { toHex, toQuantity } from '../../lib/base/hex.ts'
import {
  TAGS,
  blockRef,
  logRequest,
  simpleBlockRef,
  stateOverride,
  transactionRequest,
} from '../../lib/schema/requests.ts'

const ONE = `0x${'11'.repeat(20)}`
const TWO = `0x${'22'.repeat(20)}`
const A = `0x${'aa'.repeat(32)}`
const B = `0x${'bb'.repeat(32)}`

const messageOf = (
  schema: typeof transactionRequest | typeof logRequest | typeof stateOverride,
  value: unknown,
) => schema.safeParse(value).error?.issues[0]?.message

describe('a call', () => {
  test('without members is empty', () => {
    expect(Object.values(transactionRequest.parse({})).filter((value) => value !== undefined)).toEqual([])
  })

  test('reads null as absent in every member', () => {
    const members = [
      'from',
      'to',
      'gas',
      'gasLimit',
      'gasPrice',
      'maxFeePerGas',
      'value',
      'data',
      'input',
      'nonce',
    ]
    const given = Object.fromEntries(
      [...members, 'chainId', 'type', 'accessList'].map((name) => [name, null]),
    )
    expect(transactionRequest.parse(given)).toEqual(transactionRequest.parse({}))
  })

  test.each([
    ['data', { data: '0x01' }, { data: Uint8Array.of(1) }],
    ['input', { input: '0x02' }, { data: Uint8Array.of(2) }],
    ['both with one content', { data: '0x0a', input: '0x0A' }, { data: Uint8Array.of(10) }],
    ['gas', { gas: '0x1' }, { gas: 1n }],
    ['gasLimit', { gasLimit: '0x2' }, { gas: 2n }],
    ['both, gas has precedence', { gas: '0x1', gasLimit: '0x2' }, { gas: 1n }],
    ['unknown members', { chain: 'x', constructor: 1 }, {}],
    [
      'an access list',
      { accessList: [{ address: ONE, storageKeys: [A] }] },
      { accessList: [{ address: ONE, storageKeys: [A] }] },
    ],
  ])('reads %s', (_, given, expected) => {
    expect(transactionRequest.parse(given)).toEqual({ ...transactionRequest.parse({}), ...expected })
  })

  test('ignores members of its prototype', () => {
    const given: unknown = JSON.parse(`{"__proto__": {"from": "${ONE}"}}`)
    expect(transactionRequest.parse(given).from).toBeUndefined()
  })

  test('has one content', () => {
    expect(messageOf(transactionRequest, { data: '0x01', input: '0x' })).toMatch(
      /^expected one content of data and input/,
    )
  })

  test('has one kind of price', () => {
    expect(messageOf(transactionRequest, { gasPrice: '0x1', maxFeePerGas: '0x1' })).toMatch(/not both$/)
  })
})

describe('overrides', () => {
  test('are by account, in lower case', () => {
    const upper = `0x${'AB'.repeat(20)}`
    const parsed = stateOverride.parse({ [upper]: { balance: '0x1' }, [ONE]: { nonce: 2, code: '0x00' } })
    expect([...parsed.keys()]).toEqual([upper.toLowerCase().replace('0X', '0x'), ONE])
    expect(parsed.get(upper.toLowerCase() as never)).toEqual({ balance: 1n })
  })

  test('name slots as quantities or words', () => {
    const parsed = stateOverride.parse({ [ONE]: { stateDiff: { '0x1': A, [B]: A, 2: B } } })
    expect([...parsed.values()][0]!.stateDiff).toEqual(
      new Map([
        [`0x${'00'.repeat(31)}02`, B],
        [`0x${'00'.repeat(31)}01`, A],
        [B, A],
      ]),
    )
  })

  test.each([
    ['a list', [], 'expected a map from address to override'],
    ['text', 'x', 'expected a map from address to override'],
    ['a key that is no address', { '0x1': {} }, 'expected a 20-byte address'],
    [
      'state beside stateDiff',
      { [ONE]: { state: {}, stateDiff: {} } },
      'expected either state or stateDiff, not both',
    ],
    [
      'a slot beyond 32 bytes',
      { [ONE]: { state: { [`${A}00`]: A } } },
      'expected a storage position of up to 32 bytes',
    ],
    ['half a value', { [ONE]: { state: { '0x1': '0x1' } } }, 'expected a 32-byte hash'],
    [
      'an unknown member',
      { [ONE]: { nounce: '0x1' } },
      'expected an object with balance, nonce, code, state, stateDiff or movePrecompileToAddress',
    ],
  ])('refuse %s', (_, given, message) => {
    expect(messageOf(stateOverride, given)).toBe(message)
  })

  test.each([
    ['an account', '{"__proto__": {"balance": "0x1"}}'],
    ['a slot', `{"${ONE}": {"state": {"__proto__": "${A}"}}}`],
  ])('refuse __proto__ as the name of %s', (_, json) => {
    expect(stateOverride.safeParse(JSON.parse(json)).success).toBe(false)
  })
})

describe('a filter', () => {
  test.each([
    ['no address', {}, []],
    ['null', { address: null }, []],
    ['an address', { address: ONE }, [ONE]],
    ['a list', { address: [ONE, TWO] }, [ONE, TWO]],
    ['an empty list', { address: [] }, []],
  ])('with %s', (_, given, addresses) => {
    expect(logRequest.parse(given).addresses).toEqual(addresses)
  })

  test.each([
    ['none', undefined, []],
    ['null', null, []],
    ['an empty list', [], []],
    ['one', [A], [[A]]],
    ['anything, then one', [null, B], [undefined, [B]]],
    ['one of two', [[A, B]], [[A, B]]],
    ['a null among choices', [[A, null]], [[A]]],
    ['no choice, which is anything', [[]], [undefined]],
    ['nulls only, which is anything', [[null]], [undefined]],
  ])('with topics: %s', (_, topics, expected) => {
    expect(logRequest.parse({ topics }).topics).toEqual(expected)
  })

  test.each([
    ['five topics', { topics: [A, A, A, A, A] }, /^expected at most 4 topics$/],
    ['a topic that is too short', { topics: ['0x1'] }, /^expected a 32-byte topic/],
    ['a topic that is not in a list', { topics: A }, /^expected an array of topics$/],
    ['a hash and a bound', { blockHash: A, fromBlock: '0x1' }, /not both$/],
    ['a hash and the other bound', { blockHash: A, toBlock: 'latest' }, /not both$/],
    ['an address in an address', { address: [[ONE]] }, /^expected a 20-byte address/],
    ['a list', [], /^expected a filter object$/],
  ])('refuses %s', (_, given, message) => {
    expect(messageOf(logRequest, given)).toMatch(message)
  })

  test('takes a block hash with null bounds', () => {
    expect(logRequest.parse({ blockHash: A, fromBlock: null, toBlock: null })).toMatchObject({ blockHash: A })
  })
})

describe.each([
  ['blockRef', blockRef],
  ['blockNumber', simpleBlockRef],
])('%s', (_, schema) => {
  test.each(TAGS)('reads %s in any case', (tag) => {
    expect(schema.parse(tag)).toEqual({ tag })
    expect(schema.parse(tag.toUpperCase())).toEqual({ tag })
  })

  test('reads numbers', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n }), (number) => {
        expect(schema.parse(toQuantity(number))).toEqual({ number })
        expect(schema.parse(number.toString())).toEqual({ number })
      }),
      { seed: 33 },
    )
  })

  test('reads 32 bytes as a hash, with leading zeros too', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
        expect(schema.parse(toHex(bytes))).toEqual({ hash: toHex(bytes), requireCanonical: false })
      }),
      { seed: 33 },
    )
  })

  test.each([
    [''],
    ['newest'],
    ['latest '],
    ['0x'],
    ['-1'],
    [-1],
    [1.5],
    [true],
    [null],
    [undefined],
    [[]],
    [['latest']],
  ])('refuses %j', (value) => {
    expect(schema.safeParse(value).error!.issues[0]!.message).toMatch(/^expected a block/)
  })
})

describe('a block as an object', () => {
  test.each([
    [{ blockNumber: '0x1' }, { number: 1n }],
    [{ blockNumber: 1 }, { number: 1n }],
    [{ blockHash: A }, { hash: A, requireCanonical: false }],
    [
      { blockHash: A, requireCanonical: true },
      { hash: A, requireCanonical: true },
    ],
    [
      { blockHash: A, requireCanonical: 'true' },
      { hash: A, requireCanonical: true },
    ],
    [
      { blockHash: A, requireCanonical: 'false' },
      { hash: A, requireCanonical: false },
    ],
  ])('%j is a block', (value, expected) => {
    expect(blockRef.parse(value)).toEqual(expected)
  })

  test.each([
    [{}],
    [{ requireCanonical: true }],
    [{ blockHash: A, blockNumber: '0x1' }],
    [{ blockNumber: '0x1', requireCanonical: true }],
    [{ blockHash: '0x1' }],
    [{ blockHash: A, requireCanonical: 1 }],
    [{ blockNumber: 'latest' }],
    [{ blockNumber: '0x1', number: 1 }],
  ])('%j is refused', (value) => {
    expect(blockRef.safeParse(value).success).toBe(false)
  })

  test('names no block where only numbers and tags do', () => {
    expect(simpleBlockRef.safeParse({ blockNumber: '0x1' }).success).toBe(false)
  })
})
