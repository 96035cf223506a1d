import { createTx, createTxFromRLP } from '@ethereumjs/tx'
import type { TypedTransaction, TypedTxData } from '@ethereumjs/tx'
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { NodeError } from '../../lib/base/errors.ts'
import { asAddress, fromHex, toHash, toHex, toQuantity } from '../../lib/base/hex.ts'
import type { Address } from '../../lib/base/hex.ts'
import { decodeRlp } from '../../lib/base/rlp.ts'
import type { RlpItem } from '../../lib/base/rlp.ts'
import { encodeEnvelope } from '../../lib/evm/transaction-members.ts'
import type { Transaction, TransactionFields } from '../../lib/evm/transaction.ts'
import { freshNode } from '../support/node.ts'
import { stockCommon } from '../support/library-chain.ts'

const { codec, network } = await freshNode({ network: 'ethereum', hardfork: 'prague' })
const common = stockCommon(network)
const PRIVATE_KEY = fromHex(`0x${'11'.repeat(32)}`)
const SENDER = asAddress('0x19e7e376e7c213b7e7e7e46cc70a5dd086daff2a')

const number = (bits: bigint) => fc.bigInt(0n, 2n ** bits - 1n)
const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })
const address = bytes(20).map((raw) => asAddress(toHex(raw)))
const word = bytes(32).map(toHash)
const accessList = fc.array(fc.record({ address, storageKeys: fc.array(word, { maxLength: 3 }) }), {
  maxLength: 3,
})
const authorization = fc.record({
  chainId: number(64n),
  address,
  nonce: number(64n),
  yParity: number(1n),
  r: number(256n),
  s: number(255n),
})

const fields = fc
  .record({
    type: fc.nat(4),
    nonce: number(40n),
    to: fc.option<Address, undefined>(address, { nil: undefined }),
    gasLimit: number(63n),
    value: number(128n),
    data: fc.uint8Array({ maxLength: 100 }),
    price: number(128n),
    tip: number(64n),
    accessList,
    authorizationList: fc.array(authorization, { minLength: 1, maxLength: 3 }),
    maxFeePerBlobGas: number(128n),
    blobVersionedHashes: fc.array(
      bytes(31).map((raw) => toHash(Uint8Array.of(1, ...raw))),
      { minLength: 1, maxLength: 3 },
    ),
  })
  .map(({ price, tip, ...rest }): TransactionFields => {
    const { type, nonce, gasLimit, value, data } = rest
    return {
      type,
      nonce,
      to: type < 3 ? rest.to : (rest.to ?? SENDER),
      gasLimit,
      value,
      data,
      maxFeePerGas: type < 2 ? price : price + tip,
      maxPriorityFeePerGas: type < 2 ? price : tip,
      accessList: type === 0 ? undefined : rest.accessList,
      authorizationList: type === 4 ? rest.authorizationList : undefined,
      ...(type === 3 && {
        maxFeePerBlobGas: rest.maxFeePerBlobGas,
        blobVersionedHashes: rest.blobVersionedHashes,
      }),
    }
  })

/** The same transaction as the library takes it. */
function libraryData(transaction: TransactionFields): TypedTxData {
  const { type, maxFeePerGas, maxPriorityFeePerGas, accessList: list, authorizationList } = transaction
  const { nonce, to, gasLimit, value, data } = transaction
  const price = type < 2 ? { gasPrice: maxFeePerGas } : { maxFeePerGas, maxPriorityFeePerGas }
  return {
    type,
    nonce,
    gasLimit,
    value,
    data,
    ...price,
    ...(to !== undefined && { to }),
    ...(type > 0 && { chainId: network.chainId }),
    ...(list !== undefined && {
      accessList: list.map((entry) => ({ ...entry, storageKeys: [...entry.storageKeys] })),
    }),
    ...(type === 3 && {
      maxFeePerBlobGas: transaction.maxFeePerBlobGas,
      blobVersionedHashes: [...(transaction.blobVersionedHashes ?? [])],
    }),
    ...(authorizationList !== undefined && {
      authorizationList: authorizationList.map(({ address: delegate, ...numbers }) => ({
        address: delegate,
        chainId: toQuantity(numbers.chainId),
        nonce: toQuantity(numbers.nonce),
        yParity: toQuantity(numbers.yParity),
        r: toQuantity(numbers.r),
        s: toQuantity(numbers.s),
      })),
    }),
  }
}

const shown = ({ encoded, hash }: Transaction) => [toHex(encoded), hash]
const shownByLibrary = (inner: TypedTransaction) => [toHex(inner.serialize()), toHex(inner.hash())]

describe('a transaction of any type, compared with @ethereumjs/tx', () => {
  test('is signed with the same bytes and the same hash', () => {
    fc.assert(
      fc.property(fields, (transaction) => {
        const theirs = createTx(libraryData(transaction), { common }).sign(PRIVATE_KEY)
        expect(shown(codec.sign(transaction, PRIVATE_KEY, SENDER))).toEqual(shownByLibrary(theirs))
      }),
      { numRuns: 150 },
    )
  })

  test('has the same bytes without a signature', () => {
    fc.assert(
      fc.property(fields, (transaction) => {
        const { encoded, v, r, s } = codec.unsigned(transaction, SENDER)
        const theirs = createTx(libraryData(transaction), { common })
        expect([toHex(encoded), v, r, s]).toEqual([toHex(theirs.serialize()), 0n, 0n, 0n])
      }),
      { numRuns: 100 },
    )
  })

  test('is decoded to the fields that were signed', () => {
    fc.assert(
      fc.property(fields, (transaction) => {
        const encoded = createTx(libraryData(transaction), { common }).sign(PRIVATE_KEY).serialize()
        expect(codec.decode(encoded)).toMatchObject({
          ...transaction,
          sender: SENDER,
          chainId: network.chainId,
        })
      }),
      { numRuns: 150 },
    )
  })

  test('is refused where the library refuses it, when one of its members is changed', () => {
    const changes = fc.record({ member: fc.nat(13), item: fc.oneof(...BAD_ITEMS.map(fc.constant)) })
    fc.assert(
      fc.property(fields, changes, (transaction, { member, item }) => {
        const signed = codec.sign(transaction, PRIVATE_KEY, SENDER)
        const items = membersOf(signed)
        fc.pre(member < items.length)
        const changed = encodeEnvelope(
          signed.type,
          items.map((own, position) => (position === member ? item : own)),
        )
        // The library takes no bytes for a list; geth's decoder expects a list.
        const isBytesForList = Array.isArray(items[member]) && !Array.isArray(item)
        expect(isAccepted(changed)).toBe(!isBytesForList && isAcceptedByLibrary(changed))
      }),
      { numRuns: 600 },
    )
  })
})

/** Items that are wrong in the place of most members. */
const BAD_ITEMS: readonly RlpItem[] = [
  new Uint8Array(0),
  Uint8Array.of(0),
  Uint8Array.of(1),
  Uint8Array.of(0, 1),
  new Uint8Array(8).fill(255),
  new Uint8Array(9).fill(1),
  new Uint8Array(20).fill(1),
  new Uint8Array(32).fill(255),
  new Uint8Array(33).fill(1),
  [],
  [Uint8Array.of(1)],
  [[new Uint8Array(20), []]],
  [[new Uint8Array(19), []]],
  [[new Uint8Array(20), [new Uint8Array(31)]]],
  [[new Uint8Array(20)]],
]

function membersOf({ type, encoded }: Transaction): readonly RlpItem[] {
  const list = decodeRlp(type === 0 ? encoded : encoded.subarray(1))
  if (list instanceof Uint8Array) throw new Error('not a list')
  return list
}

/** Whether it is decoded, and its fees are possible; the pool checks the fees (networks/ethereum/consensus/admit.ts). */
function isAccepted(encoded: Uint8Array): boolean {
  try {
    const { maxFeePerGas, maxPriorityFeePerGas } = codec.decode(encoded)
    return maxPriorityFeePerGas <= maxFeePerGas
  } catch (error) {
    expect(error).toBeInstanceOf(NodeError)
    return false
  }
}

function isAcceptedByLibrary(encoded: Uint8Array): boolean {
  try {
    const inner = createTxFromRLP(encoded, { common })
    inner.getSenderAddress()
    return inner.isSigned()
  } catch {
    return false
  }
}
