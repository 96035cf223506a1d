/** Single values of params, as the reference node reads and refuses them (node-rpc 3). */

import { expect, test } from '@jest/globals'
import * as values from '../../../lib/rpc/faithful/values.ts'
import { read } from '../../support/faithful.ts'

const SHORT = 'cd2a3d9f938e13cd947ec05abc7fe734df8dd82'
const NO_ADDRESS = '! Invalid address: null, empty or invalid hex value.'
const FAILS = '! Internal server error'

test.each([
  ['an address without prefix', values.address, `${SHORT}6`, `0x${SHORT}6`],
  ['39 digits of an address', values.address, `0x${SHORT}`, `0x0${SHORT}`],
  ['an address that is null', values.address, null, FAILS],
  ['an address that is a number', values.address, 5, NO_ADDRESS],
  [
    '40 characters that are no hex',
    values.address,
    'g'.repeat(40),
    '! Invalid address format: invalid hex value.',
  ],
  ['a hash', values.hash('topic'), 'AB'.repeat(32), `0x${'ab'.repeat(32)}`],
  ['a short hash', values.hash('topic'), '0xab', '! Invalid topic: incorrect length.'],
  ['a hash that is an object', values.hash('topic'), {}, '! Invalid topic: incorrect length.'],
  ['a block hash that is null', values.blockHash, null, '! blockHash is null'],
  [
    'a hash that is read late, cut to its last bytes',
    values.looseHash(),
    `12${'ab'.repeat(32)}`,
    `0x${'ab'.repeat(32)}`,
  ],
  ['a short hash that is read late and must fit', values.looseHash(true), '0xab', FAILS],
  ['a number', values.number, 10, '0xa'],
  ['a decimal number', values.number, '10', '0xa'],
  ['a prefix alone', values.number, '0x', '0x0'],
  ['a negative number', values.number, '-1', `0x${'f'.repeat(64)}`],
  [
    'digits of a hexadecimal number without prefix',
    values.number,
    'ab',
    '! Number values should not contain letters or hex values should start with 0x.',
  ],
  [
    'a number that is none',
    values.number,
    '-0x1',
    '! Invalid param -0x1: value must be a valid hex or string number.',
  ],
  ['data of three digits', values.data, '0xabc', '0x0abc'],
  ['data that is none', values.data, '0xg', '! Invalid data format: invalid hex value.'],
  ['an index', values.lowerHex('index'), '0xa', '0xa'],
  [
    'an index in upper case',
    values.lowerHex('index'),
    '0xA',
    '! Invalid argument "0xA": param should be a hex value string.',
  ],
  [
    'an index without digits',
    values.lowerHex('index'),
    '0x',
    '! Invalid index param: value must be a valid hex number.',
  ],
  ['an absent duration', values.lowerHex('duration'), null, undefined],
  ['a boolean as a number', values.flag, 2, true],
  ['a boolean as a text', values.flag, 'TRUE', true],
  ['a boolean that is none', values.flag, 'yes', '! JSON parse error'],
  ['an odd number of digits of a key', values.key, 'abc', FAILS],
  ['a short key', values.key, '0x12', `0x${'12'.padStart(64, '0')}`],
  ['seconds', values.seconds, '100', '0x64'],
  ['seconds below zero', values.seconds, -5, '0x0'],
  ['seconds that are none', values.seconds, '1.5', '! invalid number of seconds 1.5'],
  ['a decimal id of a snapshot', values.snapshotId, '1', '! invalid snapshot id 1'],
  [
    'a short address of a quota',
    values.quotaAddress,
    '0x12',
    '! invalid argument 0: hex string has length 2, want 40 for NODE address',
  ],
])('%s', (_, reader, given, expected) => {
  expect(read(reader, given)).toEqual(expected)
})
