/** Renders block access lists as the execution APIs have them (src/schemas/block-access-list.yaml). */

import type * as z from 'zod'
import { bytesToBigInt, toAddress, toHex, toQuantity, toWord } from '../../base/hex.ts'
import { invariant } from '../../base/invariant.ts'
import { decodeRlp } from '../../base/rlp.ts'
import type { RlpItem } from '../../base/rlp.ts'
import type { accessListObject } from '../../schema/results.ts'

/** The members of each account. */
export const renderAccessList = (list: Uint8Array): z.input<typeof accessListObject>[] =>
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
