import { describe, expect, test } from '@jest/globals'
import { toHex } from '../../../../lib/base/hex.ts'
import { doubleSha256 } from '../../../../lib/crypto/sha256.ts'
import { toDisplayOrder } from '../../../../lib/modules/network-33/bridge/aux-header.ts'
import { readAuxTransaction } from '../../../../lib/modules/network-33/bridge/aux-transaction.ts'
import {
  AUX_GENESIS_HEADER,
  auxTransaction,
  blockOfOne,
  blockOfTwo,
  mineHeader,
  mineHeaders,
  shownHash,
  witnessKeyInput,
} from '../support/aux-chain.ts'
import { BridgeBench, COW, COW_KEY, refusalOf } from '../support/bridge.ts'
import { carries, fromKey, mined, toFederation } from '../support/deposits.ts'

const SAT = 500_000n
const PAID = SAT * 10n ** 10n
const raw = auxTransaction([fromKey], [toFederation(SAT)])

/** Changes of the arguments of a registration: transaction, height, tree. */
type Spoil = (tree: Uint8Array) => readonly [bytes: Uint8Array, height: bigint, tree: Uint8Array]

describe('a failed registration is silent (node-next 4.3, 4.9)', () => {
  test.each<[string, Spoil]>([
    ['unconfirmed', (tree) => [raw, 2n, tree]],
    ['of a height above the best', (tree) => [raw, 9n, tree]],
    ['of a negative height', (tree) => [raw, -1n, tree]],
    ['with the root of another block', () => [raw, 1n, blockOfOne(doubleSha256(raw)).tree]],
    ['not in the tree', (tree) => [raw, 1n, Uint8Array.from([...tree.slice(0, -1), 0b011])]],
    ['of other bytes than those in the tree', (tree) => [raw.subarray(1), 1n, tree]],
    ['unconfirmed, with a malformed tree', () => [raw, 2n, new Uint8Array(0)]],
  ])('%s', (_, spoil) => {
    const { bench, tree } = mined(raw)
    const [bytes, height, spoilt] = spoil(tree)
    bench.send('registerAuxTransaction', [toHex(bytes), height, toHex(spoilt)])
    expect([bench.logs, bench.balance(COW)]).toEqual([[], 0n])
    // The same Bridge accepts the right arguments.
    bench.send('registerAuxTransaction', [toHex(raw), 1n, toHex(tree)])
    expect(bench.balance(COW)).toBe(PAID)
  })
})

describe('a malformed tree is a failure (node-next 4.3)', () => {
  test.each<[string, (tree: Uint8Array) => Uint8Array, string]>([
    ['with too few bits', (tree) => Uint8Array.from([...tree.slice(0, -2), 0]), 'too few flags'],
    [
      'with too few hashes',
      (tree) => Uint8Array.from([...tree.slice(0, 4), 1, ...tree.slice(37)]),
      'too few hashes',
    ],
    [
      'with unused hashes',
      (tree) => Uint8Array.from([...tree.slice(0, -2), 2, 0b101, 0]),
      'unused hashes or flags',
    ],
    ['that ends early', (tree) => tree.slice(0, 20), 'a partial Merkle tree ends after 20 bytes'],
    ['of no transactions', (tree) => Uint8Array.from([0, 0, 0, 0, ...tree.slice(4)]), 'of 0 transactions'],
    ['of equal siblings', () => blockOfTwo(doubleSha256(raw), doubleSha256(raw)).tree, 'equal siblings'],
  ])('%s', (_, spoil, message) => {
    const { bench, tree } = mined(raw)
    const register = () => bench.send('registerAuxTransaction', [toHex(raw), 1n, toHex(spoil(tree))])
    expect(refusalOf(register)).toContain(message)
    expect(bench.balance(COW)).toBe(0n)
  })
})

test.each([
  ['that ends early', raw.subarray(0, -1), 'an auxiliary transaction ends'],
  ['with a byte too many', Uint8Array.from([...raw, 0]), '1 bytes too many'],
  ['without inputs', Uint8Array.from([1, 0, 0, 0, 0, 0, 0, 0, 0, 0]), 'has no inputs'],
])('a malformed transaction %s in the tree is a failure (node-next 4.3)', (_, bytes, message) => {
  expect(refusalOf(mined(bytes).register)).toContain(message)
})

test.each([
  [6, PAID],
  [7, 0n],
])(
  'a registration of height 1 below a best height of %d pays %d (node-chain 10.5)',
  (confirmations, paid) => {
    const { bench, register, tree } = mined(raw, { confirmations })
    if (paid > 0n) register()
    else expect(refusalOf(register)).toContain('height 1 is below 2, the lowest accepted')
    expect(bench.balance(COW)).toBe(paid)
    // What the tree does not contain is ignored at any height.
    bench.send('registerAuxTransaction', [toHex(raw.subarray(1)), 1n, toHex(tree)])
  },
)

describe('a transaction with witness needs the witness root (node-next 4.3, 4.9)', () => {
  const withWitness = auxTransaction([witnessKeyInput(COW_KEY)], [toFederation(SAT)])
  const { id, withoutWitness } = readAuxTransaction(withWitness)

  test('is registered after the coinbase of its block, and processed by its id', () => {
    const { bench, header, register, registerCoinbase } = mined(withWitness)
    register()
    expect([bench.logs, bench.balance(COW)]).toEqual([[], 0n])
    registerCoinbase()
    expect(bench.read('hasAuxBlockCoinbaseTransactionInformation', [shownHash(header)])).toBe(true)
    register()
    expect(bench.balance(COW)).toBe(PAID)
    expect(bench.logs[0]!.topics[2]).toBe(toDisplayOrder(id))
    register()
    expect(bench.logs).toEqual([])
    expect(bench.read('isAuxTxHashAlreadyProcessed', [toDisplayOrder(id).slice(2)])).toBe(true)
    expect(bench.read('isAuxTxHashAlreadyProcessed', [shownHash(withWitness).slice(2)])).toBe(false)
  })

  test('without its witness is shown by its id, and its sender is unknown', () => {
    const { bench, tree } = mined(withWitness)
    bench.send('registerAuxTransaction', [toHex(withoutWitness), 1n, toHex(tree)])
    expect(bench.events().map(([name]) => name)).toEqual(['rejected_pegin', 'unrefundable_pegin'])
  })
})

describe('getAuxTransactionConfirmations', () => {
  test('follows the branch and counts blocks', () => {
    const { bench, header, coinbaseId } = mined(raw, { confirmations: 4 })
    const other = toDisplayOrder(coinbaseId)
    const ask = (path: bigint, branch: string[]) =>
      bench.read('getAuxTransactionConfirmations', [shownHash(raw), shownHash(header), path, branch])
    expect(ask(1n, [other])).toBe(4n)
    expect(ask(0n, [other])).toBe(-5n)
    expect(ask(0n, [])).toBe(-5n)
  })

  const WORD = `0x${'00'.repeat(32)}`
  test.each<[string, bigint, number]>([
    ['more than the branch has', 2n, 1],
    ['a path without a branch', 100_000n, 0],
    ['33 hashes', 0n, 33],
  ])('a path fails for any block: %s', (_, path, length) => {
    const branch = new Array<string>(length).fill(WORD)
    const ask = () => new BridgeBench().read('getAuxTransactionConfirmations', [WORD, WORD, path, branch])
    expect(refusalOf(ask)).toContain(`a branch of ${length} hashes has no path ${path}`)
  })

  test('a block below the lowest height is -3', () => {
    const { bench, header } = mined(raw, { confirmations: 20 })
    expect(bench.read('getAuxTransactionConfirmations', [WORD, shownHash(header), 0n, []])).toBe(-3n)
  })

  test('of an unknown block cost no more with a branch', () => {
    const gas = (branch: string[]) =>
      new BridgeBench().gas('getAuxTransactionConfirmations', [WORD, WORD, 0n, branch])
    expect(gas([WORD]) - gas([])).toBe(2 * 32)
  })
})

describe('coinbase transactions', () => {
  const witnesses = doubleSha256(Buffer.from('witness root'))
  const reserved = new Uint8Array(32)
  const commitment = toHex(doubleSha256(Buffer.concat([witnesses, reserved]))).slice(2)
  const coinbase = auxTransaction([{ script: Uint8Array.of(1) }], [carries(`aa21a9ed${commitment}`)])

  function withCoinbase(bytes = coinbase) {
    const bench = new BridgeBench()
    const { root, tree } = blockOfOne(doubleSha256(bytes))
    const header = mineHeader(AUX_GENESIS_HEADER, root)
    bench.send('receiveHeaders', [[header, ...mineHeaders(header, 2)].map(toHex)])
    const args = [
      toHex(bytes),
      shownHash(header),
      toHex(tree),
      toHex(witnesses.slice().reverse()),
      toHex(reserved),
    ]
    const register = (changes: Readonly<Record<number, string>> = {}) =>
      bench.send('registerAuxCoinbaseTransaction', Object.assign([...args], changes))
    const isRegistered = () => bench.read('hasAuxBlockCoinbaseTransactionInformation', [shownHash(header)])
    return { register, isRegistered }
  }

  test.each([
    ['that is not in the tree', { 2: toHex(blockOfOne(doubleSha256(raw)).tree) }],
    ['with the root of another block', { 0: toHex(raw), 2: toHex(blockOfOne(doubleSha256(raw)).tree) }],
  ])('%s are ignored', (_, changes) => {
    const { register, isRegistered } = withCoinbase()
    register(changes)
    expect(isRegistered()).toBe(false)
  })

  test('that commit to another root, or are in an unknown block, are rejected', () => {
    const { register } = withCoinbase()
    expect(refusalOf(() => register({ 3: `0x${'00'.repeat(32)}` }))).toContain('does not commit')
    const none = auxTransaction([{ script: Uint8Array.of(1) }], [carries('00')])
    expect(refusalOf(() => withCoinbase(none).register())).toContain('does not commit')
    expect(refusalOf(() => register({ 1: `0x${'11'.repeat(32)}` }))).toContain('is not known')
  })
})
