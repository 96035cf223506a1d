/** Methods that return what a block accesses and changes (EIP-7928). */

import * as z from 'zod'
import { toHex } from '../../base/hex.ts'
import { accessListObject, dataText } from '../../schema/results.ts'
import { readMethod } from '../method.ts'
import { renderAccessList } from '../render/access-list.ts'
import { UNKNOWN_HASH } from './examples.ts'
import { anyBlock } from './params.ts'

const NULL = 'null if the block is unknown, or has no access list'

export const getBlockAccessList = readMethod({
  name: 'eth_getBlockAccessList',
  summary: `The accounts and slots that a block accesses, with their values after each part that changes them (EIP-7928): index 0 is before the transactions, then each has one; ${NULL}.`,
  params: [anyBlock],
  result: z.array(accessListObject).nullable(),
  example: { params: [UNKNOWN_HASH], result: null },
  run: ({ block }, { blockResolver }) => {
    const list = blockResolver.find(block)?.block.accessList
    return list === undefined ? null : renderAccessList(list)
  },
})

export const getRawBlockAccessList = readMethod({
  name: 'debug_getRawBlockAccessList',
  summary: `The RLP of the access list of a block, whose hash is in the header (EIP-7928); ${NULL}.`,
  params: [anyBlock],
  result: dataText.nullable(),
  example: { params: [UNKNOWN_HASH], result: null },
  run: ({ block }, { blockResolver }) => {
    const list = blockResolver.find(block)?.block.accessList
    return list === undefined ? null : toHex(list)
  },
})
