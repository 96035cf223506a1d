/** Values of a compiled contract in memory, call data and storage, at instructions of a real node. */

import { beforeAll, describe, expect, test } from '@jest/globals'
import { id } from 'ethers'
import { bigIntToBytes32 } from '../../../../lib/base/hex.ts'
import { storageLayout } from '../../../../lib/insight/artifacts/storage-layout.ts'
import type { DataLocation } from '../../../../lib/modules/debug/debug-function.ts'
import { slotsOf, valueOnStack } from '../../../../lib/modules/debug/values/stack-values.ts'
import { valueInStorage } from '../../../../lib/modules/debug/values/storage-values.ts'
import type { Value, MachineView } from '../../../../lib/modules/debug/values/value.ts'
import {
  BUYER,
  ORDER,
  SHOWN_ORDER,
  plain,
  typeNamed,
  valuesContract,
  valuesNode,
} from '../solidity-values.ts'
import type { LoggedMoment } from '../solidity-values.ts'

/** Selector of `move(uint256)`. */
const MOVE = id('move(uint256)').slice(0, 10)

let run: Awaited<ReturnType<typeof valuesNode>>
let filled: LoggedMoment
let later: LoggedMoment
beforeAll(async () => {
  run = await valuesNode()
  ;[filled, later] = (await run('fill', [ORDER])) as [LoggedMoment, LoggedMoment]
})

/** The value of a variable of a function, from words of the stack. */
function shown(
  name: string,
  functionName: string,
  location: DataLocation,
  { words, machine }: LoggedMoment,
  at: number,
) {
  const type = typeNamed(name, functionName)
  return valueOnStack(type, location, words.slice(at, at + slotsOf(type, location)), machine) as Value
}

/** A state variable. */
function stored(name: string, machine: MachineView = filled.machine): Value {
  const { type, slot, offset } = storageLayout(valuesContract)!.find(({ label }) => label === name)!
  return valueInStorage(type, slot, offset, machine) as Value
}

describe('values in memory', () => {
  test('are structs, arrays and texts', () => {
    const value = shown('copied', 'log', 'memory', filled, 0)
    expect(value.type).toBe('struct Values.Order memory')
    expect(plain(value)).toEqual(SHOWN_ORDER)
    expect(plain(shown('list', 'log', 'memory', filled, 1))).toEqual(['0', '-3', '0'])
    expect(plain(shown('texts', 'log', 'memory', filled, 2))).toEqual(['"one"', '"two"'])
    expect(plain(shown('made', 'log', 'memory', later, 0))).toEqual({ tag: '9', run: `${BUYER}.${MOVE}` })
    expect(shown('none', 'log', 'memory', filled, 3)).toMatchObject({ text: '[]', count: 0 })
  })
})

describe('values in call data', () => {
  test('are references to structs, arrays and texts', async () => {
    const way = [
      { x: 7n, y: 8n },
      { x: 9n, y: -9n },
    ]
    const [first, second] = await run('read', [ORDER, [1, 2], way, 'abc'])
    expect(plain(shown('given', 'read', 'calldata', first!, 0))).toEqual(SHOWN_ORDER)
    expect(plain(shown('sizes', 'read', 'calldata', first!, 1))).toEqual(['1', '2'])
    expect(plain(shown('way', 'read', 'calldata', first!, 3))).toEqual([
      { x: '7', y: '8' },
      { x: '9', y: '-9' },
    ])
    expect(plain(shown('text', 'read', 'calldata', second!, 0))).toBe('"abc"')
  })

  test('are nested', async () => {
    const other = { ...ORDER, note: 'x'.repeat(50), sizes: [] }
    const parts = [['0x01'], ['0x', `0x${'02'.repeat(40)}`]]
    const [first, second] = await run('nest', [
      [ORDER, other],
      [
        [1, 2],
        [3, 4],
        [5, 6],
      ],
      parts,
      [3, `${BUYER}01020304`],
    ])
    const shownOther = { ...SHOWN_ORDER, note: `"${'x'.repeat(50)}"`, sizes: [] }
    expect(plain(shown('givens', 'nest', 'calldata', first!, 0))).toEqual([SHOWN_ORDER, shownOther])
    expect(plain(shown('pairs', 'nest', 'calldata', first!, 2))).toEqual([
      ['1', '2'],
      ['3', '4'],
      ['5', '6'],
    ])
    expect(plain(shown('parts', 'nest', 'calldata', second!, 0))).toEqual(parts)
    expect(plain(shown('other', 'nest', 'calldata', second!, 1))).toEqual({
      tag: '3',
      run: `${BUYER}.0x01020304`,
    })
  })
})

describe('state variables', () => {
  test.each([
    ['small', '7'],
    ['negative', '-2'],
    ['flag', 'true'],
    ['owner', BUYER],
    ['tag', '0x12345678'],
    ['status', 'Status.Sent'],
    ['price', '5'],
    ['token', `Token(${BUYER})`],
    ['short', '"Coin"'],
    ['long', '"a text of more than thirty-one bytes, so that it has a place of its own"'],
    ['data', '0x00ff'],
    ['empty', '0x'],
    ['numbers', ['1', '2', '3', '4', '5']],
    ['fixedList', ['7', '8', '9']],
    [
      'grid',
      [
        ['0', '0', '0', '0', '0'],
        ['0', '0', '0', '0', '6'],
      ],
    ],
    ['order', SHOWN_ORDER],
    ['orders', [SHOWN_ORDER]],
    ['hook', `${BUYER}.${MOVE}`],
  ])('have values: %s', (name, expected) => {
    expect(plain(stored(name))).toEqual(expected)
  })

  test('have their places', () => {
    const slot = (number: number) => `0x${number.toString(16).padStart(64, '0')}`
    expect(stored('negative').stored).toMatchObject({ slot: slot(0), offset: 1, bytes: 2 })
    expect(stored('fixedList').stored).toMatchObject({ slot: slot(7), offset: 0, bytes: 96 })
    expect(stored('balances').stored).toBeUndefined()
  })

  test('a mapping lists its known keys with a value', () => {
    const keys = [1n, BigInt(BUYER), 0x12345678n << 224n, 2n ** 256n - 5n, 2n].map(bigIntToBytes32)
    const machine = { ...filled.machine, keys: () => [...keys, Buffer.from('gold')] }
    expect(stored('balances', machine).text).toBe('mapping (1 known key)')
    expect(plain(stored('balances', machine))).toEqual({ [`[${BUYER}]`]: '100' })
    expect(plain(stored('named', machine))).toEqual({ '["gold"]': '3' })
    expect(plain(stored('nested', machine))).toEqual({ '[0x12345678]': { '[-5]': { x: '1', y: '-1' } } })
    expect(plain(stored('accounts', machine))).toEqual({
      '[Status.Paid]': { amount: '4', trusted: {} },
      '[Status.Sent]': { amount: '0', trusted: { [`[${BUYER}]`]: 'true' } },
    })
  })

  test('a mapping has values of keys that are given', () => {
    const key = (type: string, word: bigint) => ({ type, text: '', word })
    const text = (content: string) => ({ type: 'string', text: '', content: Buffer.from(content) })
    expect(plain(stored('balances').at!(key('address', BigInt(BUYER))))).toBe('100')
    expect(plain(stored('balances').at!(key('address', 1n)))).toBe('0')
    expect(plain(stored('named').at!(text('gold')))).toBe('3')
    const constant = { type: 'int_const', text: '', constant: 0x12345678n }
    const inner = stored('nested').at!(constant) as Value
    expect(plain(inner.at!({ type: 'int_const', text: '', constant: -5n }))).toEqual({ x: '1', y: '-1' })
    expect(stored('balances').at!(text('gold'))).toBeUndefined()
    expect(stored('balances').at!(key('bytes32', 1n))).toBeUndefined()
    expect(stored('balances').at!(key('uint256', 1n << 160n))).toBeUndefined()
    expect(stored('accounts').at!(key('int8', 2n ** 256n - 1n))).toBeUndefined()
  })

  test('functions are named where their entry is known', () => {
    const { word } = stored('callback')
    const entry = Number(word!)
    const functionAt = (at: number) => (at === entry ? 'Values.inner' : undefined)
    expect(stored('callback', { ...filled.machine, functionAt }).text).toBe('Values.inner')
    expect(stored('callback').text).toBe(`function at ${entry}`)
  })
})

test('a text of a struct and an array is short', () => {
  expect(stored('order').text).toBe(
    '{ id: 5, buyer: 0xabababababababababababababababababababab, status: Status.Paid, note: "to the ..., ... }',
  )
  expect(stored('numbers').text).toBe('[1, 2, 3, 4, 5]')
  expect(stored('orders').text.length).toBeLessThan(120)
})

test('items are found by index', () => {
  const index = (word: bigint) => ({ type: 'uint256', text: '', word })
  expect(plain(stored('numbers').at!(index(4n)))).toBe('5')
  expect(stored('numbers').at!(index(5n))).toBeUndefined()
  expect(stored('data').at!(index(1n))).toMatchObject({ type: 'bytes1', text: '0xff', word: 0xffn << 248n })
  expect(stored('data').at!(index(2n))).toBeUndefined()
})
