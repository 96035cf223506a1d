/** Evaluated expressions over values of a program. */

import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import type { NodeError } from '../../../../lib/base/errors.ts'
import { bigIntToBytes32 } from '../../../../lib/base/hex.ts'
import {
  evaluate,
  isTrue,
  parseExpression,
  type ExpressionNames,
} from '../../../../lib/modules/debug/expressions/evaluate.ts'
import {
  constantValue,
  contentValue,
  elementaryType,
  typedValue,
  uintValue,
} from '../../../../lib/modules/debug/expressions/typed-values.ts'
import { valueInStorage } from '../../../../lib/modules/debug/values/storage-values.ts'
import { machineWith, typeNamed } from '../solidity-values.ts'

const typed = (name: string, word: bigint) => typedValue(elementaryType(name)!, BigInt.asUintN(256, word))

const machine = machineWith({ storage: (slot) => (slot < 9n ? 3n : 5n), keys: () => [bigIntToBytes32(1n)] })
const stored = (name: string) => valueInStorage(typeNamed(name), 0n, 0, machine)

const VALUES = new Map([
  ['small', typed('uint8', 250n)],
  ['wide', typed('uint256', 1000n)],
  ['negative', typed('int8', -7n)],
  ['least', typed('int8', -128n)],
  ['flag', typed('bool', 1n)],
  ['owner', typed('address', 0xabn)],
  ['tag', typed('bytes4', 0x12345678n << 224n)],
  ['hash', typed('bytes32', 7n)],
  ['name', contentValue('string', Buffer.from('Coin'))],
  ['long', contentValue('string', Buffer.from('x'.repeat(40)))],
  ['data', contentValue('bytes', Buffer.from([0, 255]))],
  ['lost', { unknown: 'it was optimized away' }],
  ['numbers', stored('numbers')],
  ['balances', stored('balances')],
  ['order', stored('order')],
  ['status', stored('status')],
  ['price', stored('price')],
  ['token', stored('token')],
  ['Status.Paid', { type: 'enum Status', text: 'Status.Paid', word: 1n }],
  ['msg.sender', typed('address', 0xabn)],
  ['this', typed('address', 0xeen)],
])
const names: ExpressionNames = {
  lookup: (name) => VALUES.get(name),
  call: (target, name, args) =>
    Promise.resolve(
      contentValue(
        'string',
        Buffer.from(`${target.text.slice(-2)}.${name}(${args.map(({ text }) => text).join()})`),
      ),
    ),
}
const shown = async (text: string): Promise<string> => {
  const value: any = await evaluate(parseExpression(text), names)
  return value.unknown ?? `${value.type} ${value.text}`
}
const problem = (text: string): Promise<string> =>
  shown(text).then(
    (value) => `no error: ${value}`,
    (error: unknown) => {
      const { kind, message } = error as NodeError
      return kind === 'invalidParams' ? message : `${kind}: ${message}`
    },
  )

describe('the value of', () => {
  test.each([
    ['1 + 2 * 3', 'int_const 7'],
    ['2 ** 256 - 1 == type(uint256).max', 'bool true'],
    ['type(int8).min', 'int8 -128'],
    ['small + 5', 'uint8 255'],
    ['small + 300', 'uint16 550'],
    ['small - 1', 'uint8 249'],
    ['1 - negative', 'int8 8'],
    ['small + wide', 'uint256 1250'],
    ['negative / 2', 'int8 -3'],
    ['negative % 4', 'int8 -3'],
    ['-negative', 'int8 7'],
    ['negative < small', 'bool true'],
    ['8 / 2', 'int_const 4'],
    ['wide / 7', 'uint256 142'],
    ['small << 1', 'uint8 244'],
    ['small << 9999999999', 'uint8 0'],
    ['negative >> 1', 'int8 -4'],
    ['wide >> 3', 'uint256 125'],
    ['small & 0x0f', 'uint8 10'],
    ['~small', 'uint8 5'],
    ['2 ** small > 5', 'bool true'],
    ['flag && !(wide > 1000) || lost', 'bool true'],
    ['flag ? small : lost', 'uint8 250'],
    ['false && lost', 'bool false'],
    ['owner == 0x00000000000000000000000000000000000000aB', 'bool true'],
    ['owner == msg.sender && owner != address(0)', 'bool true'],
    ['tag == 0x12345678', 'bool true'],
    ['tag == hex"12345678"', 'bool true'],
    ['tag & 0xff000000', 'bytes4 0x12000000'],
    ['tag << 8', 'bytes4 0x34567800'],
    ['bytes2(tag)', 'bytes2 0x1234'],
    ['uint32(tag)', 'uint32 305419896'],
    ['bytes32(uint256(5)) == bytes32(wide - 995)', 'bool true'],
    ['uint8(wide)', 'uint8 232'],
    ['int8(small)', 'int8 -6'],
    ['uint8(negative)', 'uint8 249'],
    ['address(uint160(5))', `address 0x${'5'.padStart(40, '0')}`],
    ['name == "Coin"', 'bool true'],
    ['name != long', 'bool true'],
    ['data == hex"00ff"', 'bool true'],
    ['bytes(name)[0]', 'bytes1 0x43'],
    ['bytes(name).length + name.length', 'uint256 8'],
    ['numbers.length', 'uint256 3'],
    ['numbers[0] * 2', 'uint64 10'],
    ['balances[owner]', 'uint256 5'],
    ['order.id + 1', 'uint256 4'],
    ['order.at.x', 'int64 3'],
    ['status == Status.Paid', 'bool false'],
    ['status == 3', 'bool true'],
    ['price + 1', 'uint96 4'],
    ['token == address(3)', 'bool true'],
    ['owner.balance', 'string memory "ab.balance()"'],
    ['token.move(1 + 1, name)', String.raw`string memory "3).move(2,\"Coin\")"`],
    ['total(small)', 'string memory "ee.total(250)"'],
    ['lost + 1', 'it was optimized away'],
    ['wide + order.at.y * lost', 'it was optimized away'],
    ['total(lost)', 'it was optimized away'],
    ['lost.id[1]', 'it was optimized away'],
  ])('%s', async (text, expected) => {
    expect(await shown(text)).toBe(expected)
  })
})

describe('what is wrong with', () => {
  test.each([
    ['small + small', '250 + 250 exceeds uint8'],
    ['small - 251', '250 - 251 exceeds uint8'],
    ['small * small', '250 * 250 exceeds uint8'],
    ['small ** 2', '250 ** 2 exceeds uint8'],
    ['wide ** 99999999999', '1000 ** 99999999999 exceeds uint256'],
    ['2 ** 99999999999', '2 ** 99999999999 exceeds 4096 bits'],
    ['1 << 99999999999', '1 << 99999999999 exceeds 4096 bits'],
    ['least / -1', '-128 / -1 exceeds int8'],
    ['-least', '-(-128) exceeds int8'],
    ['-small', '- does not apply to uint8'],
    ['wide / 0', '1000 / 0 is a division by zero'],
    ['7 / 2', '7 / 2 is no integer'],
    ['7 / 0', '7 / 0 is a division by zero'],
    ['wide % (small - 250)', '1000 % 0 is a division by zero'],
    ['wide ** -1', 'the exponent -1 is negative'],
    ['negative + small', '+ does not apply to int8 and uint8'],
    ['negative + wide', '+ does not apply to int8 and uint256'],
    ['negative + 200', '+ does not apply to int8 and int_const'],
    ['small + -1', '+ does not apply to uint8 and int_const'],
    ['flag + 1', '+ does not apply to bool and int_const'],
    ['flag == 1', '== does not apply to bool and int_const'],
    ['name < "x"', '< does not apply to string memory and string memory'],
    ['name == 5', '== does not apply to string memory and int_const'],
    ['tag == 0x1234567890', '== does not apply to bytes4 and int_const'],
    ['tag + 1', '+ does not apply to bytes4 and int_const'],
    ['!small', '! does not apply to uint8'],
    ['small && flag', 'expected a bool, not uint8'],
    ['flag && small', 'expected a bool, not uint8'],
    ['small ? 1 : 2', 'expected a bool, not uint8'],
    ['nothing + 1', 'there is no nothing here'],
    ['Status.Lost', 'there is no Status here'],
    ['order.price', 'struct Values.Order storage has no member price'],
    ['balances.length', 'mapping(address => uint256) has no member length'],
    ['numbers[3]', 'there is no item 3 among 3 items'],
    ['numbers[-1]', 'there is no item -1 among 3 items'],
    ['numbers[name]', 'an index is a number, not string memory'],
    ['numbers[tag]', 'an index is a number, not bytes4'],
    ['balances[name]', 'there is no key "Coin" of mapping(address => uint256)'],
    ['small[0]', 'uint8 has no items'],
    ['uint8(300)', '300 (int_const) has no conversion to uint8'],
    ['uint8(name)', '"Coin" (string memory) has no conversion to uint8'],
    ['uint8(1, 2)', 'uint8 converts one value'],
    ['uint7(1)', 'no error: string memory "ee.uint7(1)"'],
    ['numbers[0](1)', 'only functions with a name are called'],
  ])('%s', async (text, expected) => {
    expect(await problem(text)).toBe(expected)
  })

  test('a call where nothing is called', async () => {
    const value = evaluate(parseExpression('token.move(1)'), { lookup: names.lookup })
    await expect(value).rejects.toMatchObject({
      kind: 'invalidParams',
      message: 'move is a function, and functions are not called here',
    })
  })
})

test('conditions are truth values', async () => {
  const condition = parseExpression('wide > 999')
  const value: any = await evaluate(condition, names)
  expect(isTrue(value)).toBe(true)
  expect(() => isTrue(uintValue(1n))).toThrow('expected a bool, not uint256')
})

test('arithmetic of a type is that of numbers, or an error', async () => {
  const bits = fc.integer({ min: 1, max: 32 }).map((bytes) => 8 * bytes)
  const operator = fc.constantFrom('+', '-', '*', '/', '%', '<', '==', '&', '|', '^')
  const law = fc.asyncProperty(
    bits,
    fc.boolean(),
    operator,
    fc.bigInt(),
    fc.bigInt(),
    async (size, isSigned, sign, first, second) => {
      const cut = (number: bigint) => (isSigned ? BigInt.asIntN(size, number) : BigInt.asUintN(size, number))
      const [left, right] = [cut(first), cut(second)]
      const type = `${isSigned ? 'int' : 'uint'}${size}`
      const given = new Map([
        ['a', typed(type, left)],
        ['b', typed(type, right)],
      ])
      const results: Record<string, () => bigint | boolean> = {
        '+': () => left + right,
        '-': () => left - right,
        '*': () => left * right,
        '/': () => left / right,
        '%': () => left % right,
        '<': () => left < right,
        '==': () => left === right,
        '&': () => left & right,
        '|': () => left | right,
        '^': () => left ^ right,
      }
      const value = evaluate(parseExpression(`a ${sign} b`), { lookup: (name) => given.get(name) })
      const shown = await value.then(
        (found: any) => found.text,
        (error: unknown) => (error as NodeError).message,
      )
      const isDivided = right === 0n && (sign === '/' || sign === '%')
      const expected = isDivided ? undefined : results[sign]!()
      if (expected === undefined) expect(shown).toContain('division by zero')
      else if (typeof expected === 'bigint' && cut(expected) !== expected)
        expect(shown).toContain(`exceeds ${type}`)
      else expect(shown).toBe(`${expected}`)
    },
  )
  await fc.assert(law, { numRuns: 500 })
})

test('a constant can exceed a word on the way', () => {
  expect(constantValue(2n ** 300n)).toMatchObject({ text: `${2n ** 300n}`, word: 0n })
})
