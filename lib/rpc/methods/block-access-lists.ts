/** Methods that return what a block accesses and changes (EIP-7928). */

import * as z from 'zod'
import { bytesToBigInt, toAddress, toHex, toQuantity, toWord } from '../../base/hex.ts'
import { invariant } from '../../base/invariant.ts'
import { decodeRlp, type RlpItem } from '../../base/rlp.ts'
import { accessListObject, dataText } from '../../schema/results.ts'
import { readMethod } from '../../kernel/method.ts'
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

/** The members of each account, as the execution APIs have them (src/schemas/block-access-list.yaml). */
const renderAccessList = (list: Uint8Array): z.input<typeof accessListObject>[] =>
  itemsOf(decodeRlp(list)).map((account) => {
    const [address, writes, reads, balances, nonces, codes] = itemsOf(account)
    return {
      address: toAddress(bytesOf(address)),
      storageChanges: itemsOf(writes).map((write) => {
        const [slot, changes] = itemsOf(write)
        return { key: wordOf(slot), changes: changesOf(changes, (value) => ({ value: wordOf(value) })) }
      }),
      storageReads: itemsOf(reads).map(wordOf),
      balanceChanges: changesOf(balances, (value) => ({ value: numberOf(value) })),
      nonceChanges: changesOf(nonces, (value) => ({ value: numberOf(value) })),
      codeChanges: changesOf(codes, (value) => ({ code: toHex(bytesOf(value)) })),
    }
  })

function changesOf<T extends object>(
  changes: RlpItem | undefined,
  render: (value: RlpItem | undefined) => T,
) {
  return itemsOf(changes).map((change) => {
    const [index, value] = itemsOf(change)
    return { index: numberOf(index), ...render(value) }
  })
}

const numberOf = (item: RlpItem | undefined) => toQuantity(bytesToBigInt(bytesOf(item)))

const wordOf = (item: RlpItem | undefined) => toWord(bytesToBigInt(bytesOf(item)))

function bytesOf(item: RlpItem | undefined): Uint8Array {
  invariant(item instanceof Uint8Array, 'an access list has other items')
  return item
}

function itemsOf(item: RlpItem | undefined): readonly RlpItem[] {
  invariant(item !== undefined && !(item instanceof Uint8Array), 'an access list has other items')
  return item
}
