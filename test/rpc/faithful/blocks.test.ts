/** References to blocks, which the reference node reads in a way of its own in each place (node-rpc 3.7 to 3.9). */

import { expect, test } from '@jest/globals'
import * as blocks from '../../../lib/rpc/faithful/blocks.ts'
import { read } from '../../support/faithful.ts'

const HASH = `0x${'ab'.repeat(32)}`
const FAILS = '! Internal server error'

test.each([
  ['a tag', blocks.blockId, 'pending', 'pending'],
  ['a tag in upper case', blocks.blockId, 'LATEST', '! invalid blocknumber LATEST'],
  ['a tag of later networks', blocks.blockId, 'safe', '! invalid blocknumber safe'],
  ['a decimal number', blocks.blockId, '5', '! invalid blocknumber 5'],
  ['another text', blocks.blockId, 'newest', "! Invalid block identifier 'newest'"],
  ['an object where a text is expected', blocks.blockId, {}, "! Invalid block identifier '{'"],
  ['an empty text', blocks.blockId, '', '! Invalid block identifier: empty or null.'],
  ['a hash', blocks.blockId, HASH, HASH],
  ['more than 64 bits', blocks.blockId, '0x10000000000000005', '0x5'],
  ['any text where the form is not checked', blocks.looseBlockId, 'x', '! invalid blocknumber x'],
  ['a decimal number to call in', blocks.calledBlock, '5', '0x5'],
  ['a hash to call in', blocks.calledBlock, HASH, FAILS],
  ['null to estimate in', blocks.estimateBlock, null, 'latest'],
  ['a hash to read code at, cut to 64 bits', blocks.codeBlock, HASH, '0xabababababababab'],
  ['no text and no object', blocks.stateBlock, 5, '! Invalid input'],
  ['an object without a block', blocks.stateBlock, {}, '! Invalid block input'],
  ['a boolean in an object', blocks.stateBlock, { blockHash: HASH, requireCanonical: true }, FAILS],
  [
    'an object with a hash',
    blocks.stateBlock,
    { blockHash: HASH, requireCanonical: 'TRUE' },
    { blockHash: HASH, requireCanonical: true },
  ],
  ['an object with a number', blocks.stateBlock, { blockNumber: '0x5' }, '0x5'],
  ['null as the bound of a filter', blocks.logBound, null, "! Invalid block identifier 'null'"],
  ['a decimal bound of a filter', blocks.logBound, '5', FAILS],
  ['a short text for trace_block', blocks.traceBlock, '0x5', '0x5'],
  ['a text of other length for trace_block', blocks.traceBlock, '0x'.padEnd(40, 'a'), FAILS],
])('%s', (_, reader, given, expected) => {
  expect(read(reader, given)).toEqual(expected)
})
