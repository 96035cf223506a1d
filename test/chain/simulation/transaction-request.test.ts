import { describe, expect, test } from '@jest/globals'
import { asAddress, asHash } from '../../../lib/base/hex.ts'
import type { TransactionRequest } from '../../../lib/chain/simulation/transaction-request.ts'
import { transactionTypeOf } from '../../../lib/chain/simulation/transaction-request.ts'

const NEWEST = [0, 1, 2, 3, 4]
const LISTS: readonly TransactionRequest[] = [
  {},
  { accessList: [] },
  { accessList: [{ address: asAddress(`0x${'ab'.repeat(20)}`), storageKeys: [] }] },
]
const FEES: readonly (readonly [string, TransactionRequest])[] = [
  ['no fee', {}],
  ['gasPrice', { gasPrice: 0n }],
  ['maxFeePerGas', { maxFeePerGas: 0n }],
  ['maxPriorityFeePerGas', { maxPriorityFeePerGas: 0n }],
  ['gasPrice and maxPriorityFeePerGas', { gasPrice: 0n, maxPriorityFeePerGas: 0n }],
]
const BLOBS: readonly (readonly [string, TransactionRequest])[] = [
  ['maxFeePerBlobGas', { maxFeePerBlobGas: 0n }],
  ['blobVersionedHashes', { blobVersionedHashes: [asHash(`0x01${'00'.repeat(31)}`)] }],
  ['blobs', { blobs: [] }],
]
const AUTHORIZED: TransactionRequest = { authorizationList: [] }

/** The types with no access list, an empty one and one with an item. */
const typesOf = (request: TransactionRequest, accepted = NEWEST) =>
  LISTS.map((list) => transactionTypeOf({ ...request, ...list }, accepted))

describe('the type of a request that names none', () => {
  test.each([
    ['no fee', {}, NEWEST, [2, 2, 2]],
    ['no fee, before London', {}, [0, 1], [0, 1, 1]],
    ['no fee, on a network with legacy transactions only', {}, [0], [0, 0, 0]],
    ['gasPrice', { gasPrice: 0n }, NEWEST, [0, 1, 1]],
    ['gasPrice, on a network with legacy transactions only', { gasPrice: 0n }, [0], [0, 0, 0]],
    ['fees, on a network with legacy transactions only', { maxFeePerGas: 1n }, [0], [0, 0, 0]],
    ['maxFeePerGas', { maxFeePerGas: 0n }, NEWEST, [2, 2, 2]],
    ['maxFeePerGas, before London', { maxFeePerGas: 0n }, [0, 1], [2, 2, 2]],
    ['maxPriorityFeePerGas', { maxPriorityFeePerGas: 0n }, NEWEST, [2, 2, 2]],
  ])('with %s', (_case, request, accepted, types) => {
    expect(typesOf(request, accepted)).toEqual(types)
  })

  test.each(BLOBS.flatMap(([what, blobs]) => FEES.map(([fee, fees]) => [what, fee, { ...blobs, ...fees }])))(
    'with %s and %s is that of blobs',
    (_what, _fee, request) => {
      expect(typesOf(request as TransactionRequest)).toEqual([3, 3, 3])
    },
  )

  test.each(FEES)('with authorizations and %s is that of authorizations, also with blobs', (_fee, fees) => {
    for (const blobs of [{}, ...BLOBS.map(([, members]) => members)]) {
      expect(typesOf({ ...AUTHORIZED, ...blobs, ...fees })).toEqual([4, 4, 4])
    }
  })
})

test('a type that a request names is its type, whatever else it has', () => {
  for (const [, fees] of FEES) expect(typesOf({ type: 1n, ...AUTHORIZED, ...fees })).toEqual([1, 1, 1])
})

test('on a network with legacy transactions only, types are not read, but authorizations and blobs are', () => {
  const type = (request: TransactionRequest) => transactionTypeOf(request, [0])
  for (const named of [1n, 2n, 3n, 4n]) expect(type({ type: named })).toBe(0)
  expect([type({ type: 0n, ...AUTHORIZED }), type({ type: 0n, maxFeePerBlobGas: 1n })]).toEqual([4, 3])
})
