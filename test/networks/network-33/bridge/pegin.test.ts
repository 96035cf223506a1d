import { describe, expect, test } from '@jest/globals'
import { asHash, fromHex, toHex } from '../../../../lib/base/hex.ts'
import { keccak256 } from '../../../../lib/crypto/keccak.ts'
import { doubleSha256 } from '../../../../lib/crypto/sha256.ts'
import { AUTHORIZERS, BRIDGE_ADDRESS } from '../../../../lib/networks/network-33/bridge/constants.ts'
import { BRIDGE_EVENTS } from '../../../../lib/networks/network-33/bridge/events.ts'
import {
  GENESIS_FEDERATION,
  federationOutputScript,
} from '../../../../lib/networks/network-33/bridge/federation.ts'
import {
  AUX_GENESIS_HEADER,
  auxTransaction,
  blockOfOne,
  blockOfTwo,
  keyScript,
  mineHeader,
  mineHeaders,
  shownHash,
  witnessKeyInput,
} from '../../../support/aux-chain.ts'
import type { Paid, Spent } from '../../../support/aux-chain.ts'
import { ALL_COINS, BridgeBench, COW, refusalOf } from '../../../support/bridge.ts'

const KEY = keccak256(new Uint8Array(Buffer.from('cow')))
const FEDERATION = federationOutputScript(GENESIS_FEDERATION)
const WEI_PER_SAT = 10n ** 10n
const OTHER_ID = doubleSha256(Buffer.from('another transaction'))
const [CAPPER] = [...AUTHORIZERS.lockingCap]

const toFederation = (sat: bigint): Paid => ({ sat, script: FEDERATION })
const fromKey: Spent = { script: keyScript(KEY) }

/** An output that carries data. */
const carries = (hex: string): Paid => {
  const payload = fromHex(`0x${hex}`)
  return { sat: 0n, script: Uint8Array.from([0x6a, payload.length, ...payload]) }
}

/** Adds the transaction in a block with two more above it; returns the call that registers it. */
function mined(raw: Uint8Array, id = doubleSha256(raw), confirmations = 3) {
  const bench = new BridgeBench()
  const { root, tree } = blockOfTwo(OTHER_ID, id)
  const header = mineHeader(AUX_GENESIS_HEADER, root)
  const headers = [header, ...mineHeaders(header, confirmations - 1)]
  bench.send('receiveHeaders', [headers.map(toHex)])
  const register = () => bench.send('registerAuxTransaction', [toHex(raw), 1n, toHex(tree)])
  return { bench, register, header, tree }
}

const word = (value: bigint) => value.toString(16).padStart(64, '0')

describe('a peg-in', () => {
  test("pays the account of the sender's key", () => {
    const raw = auxTransaction([fromKey], [toFederation(600_000n), toFederation(500_000n)])
    const { bench, register } = mined(raw)
    register()
    expect(bench.balance(COW)).toBe(1_100_000n * WEI_PER_SAT)
    expect(bench.balance(BRIDGE_ADDRESS)).toBe(ALL_COINS - 1_100_000n * WEI_PER_SAT)
    expect(bench.logs).toEqual([
      {
        address: BRIDGE_ADDRESS,
        topics: [
          BRIDGE_EVENTS.pegin_aux.topic,
          asHash(`0x${'00'.repeat(12)}${COW.slice(2)}`),
          shownHash(raw),
        ],
        data: fromHex(`0x${word(1_100_000n)}${word(0n)}`),
      },
    ])
    const id = shownHash(raw).slice(2)
    expect(bench.read('isAuxTxHashAlreadyProcessed', [id])).toBe(true)
    expect(bench.read('getAuxTxHashProcessedHeight', [id])).toBe(1n)
  })

  test('pays the account that it names (unconfirmed form of the payload)', () => {
    const receiver = `0x${'12'.repeat(20)}`
    const raw = auxTransaction([fromKey], [carries(`52534b5401${'12'.repeat(20)}`), toFederation(500_000n)])
    const { bench, register } = mined(raw)
    register()
    expect(bench.balance(receiver as typeof COW)).toBe(500_000n * WEI_PER_SAT)
    expect(bench.events()).toEqual([['pegin_aux', `0x${word(500_000n)}${word(1n)}`]])
  })

  test('with a witness is identified by its id without the witness', () => {
    const input = witnessKeyInput(KEY)
    const raw = auxTransaction([input], [toFederation(500_000n)])
    const bare = auxTransaction([{ script: input.script }], [toFederation(500_000n)])
    const { bench, register } = mined(raw, doubleSha256(bare))
    register()
    expect(bench.balance(COW)).toBe(500_000n * WEI_PER_SAT)
    expect(bench.read('isAuxTxHashAlreadyProcessed', [shownHash(bare).slice(2)])).toBe(true)
  })

  test('is registered once', () => {
    const { bench, register } = mined(auxTransaction([fromKey], [toFederation(500_000n)]))
    register()
    expect(refusalOf(register)).toContain('was processed before')
    expect(bench.balance(COW)).toBe(500_000n * WEI_PER_SAT)
  })

  const multisig: Spent = { script: Uint8Array.from([0, 2, 0x51, 0xae]) }
  const unknown: Spent = { script: Uint8Array.from([0x51]) }

  test.each<[string, readonly Spent[], readonly Paid[], readonly (readonly [string, bigint])[]]>([
    [
      'too little',
      [fromKey],
      [toFederation(499_999n)],
      [
        ['rejected_pegin', 5n],
        ['unrefundable_pegin', 3n],
      ],
    ],
    [
      'with one of two payments too small',
      [fromKey],
      [toFederation(500_000n), toFederation(1n)],
      [
        ['rejected_pegin', 5n],
        ['unrefundable_pegin', 3n],
      ],
    ],
    ['of several keys', [multisig], [toFederation(500_000n)], [['rejected_pegin', 2n]]],
    [
      'of an unknown sender',
      [unknown],
      [toFederation(500_000n)],
      [
        ['rejected_pegin', 3n],
        ['unrefundable_pegin', 1n],
      ],
    ],
    [
      'with an invalid payload',
      [fromKey],
      [carries('52534b5402'), toFederation(500_000n)],
      [['rejected_pegin', 4n]],
    ],
    [
      'of an unknown sender with an invalid payload',
      [unknown],
      [carries('52534b5401'), toFederation(500_000n)],
      [
        ['rejected_pegin', 4n],
        ['unrefundable_pegin', 2n],
      ],
    ],
    ['above the cap', [fromKey], [toFederation(100_000_000_001n)], [['rejected_pegin', 1n]]],
  ])('%s is rejected', (_, inputs, outputs, events) => {
    const raw = auxTransaction(inputs, outputs)
    const { bench, register } = mined(raw)
    register()
    expect(bench.events()).toEqual(events.map(([name, reason]) => [name, `0x${word(reason)}`]))
    expect(bench.balance(BRIDGE_ADDRESS)).toBe(ALL_COINS)
    expect(bench.read('isAuxTxHashAlreadyProcessed', [shownHash(raw).slice(2)])).toBe(true)
  })

  test('counts released coins against the cap', () => {
    const { bench, register } = mined(auxTransaction([fromKey], [toFederation(100_000_000_000n)]))
    bench.state.putAccount(BRIDGE_ADDRESS, { nonce: 0n, balance: ALL_COINS - 10n ** 10n })
    const id = bench.state
    expect(bench.send('increaseLockingCap', [100_000_000_001n], { caller: CAPPER! })).toBe(true)
    register()
    expect(bench.events()[0]![0]).toBe('pegin_aux')
    expect(id.account(COW)?.balance).toBe(1000n * 10n ** 18n)
  })
})

describe('a transaction without a valid proof', () => {
  const raw = auxTransaction([fromKey], [toFederation(500_000n)])

  test('has too few blocks above it', () => {
    const { bench, register } = mined(raw, undefined, 2)
    expect(refusalOf(register)).toContain('block 1 of 2 has 2 confirmations, 3 are needed')
    expect(bench.balance(COW)).toBe(0n)
  })

  test.each<[string, (tree: Uint8Array) => Uint8Array, string]>([
    ['of another block', () => blockOfOne(doubleSha256(raw)).tree, 'does not show transaction'],
    [
      'that proves another transaction',
      (tree) => Uint8Array.from([...tree.slice(0, -1), 0b011]),
      'does not show transaction',
    ],
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
  ])('has a tree %s', (_, spoil, message) => {
    const { bench, tree } = mined(raw)
    const register = () => bench.send('registerAuxTransaction', [toHex(raw), 1n, toHex(spoil(tree))])
    expect(refusalOf(register)).toContain(message)
    expect(bench.balance(COW)).toBe(0n)
  })

  test('is not a transaction, does not pay the federation, or has no height', () => {
    const stranger = auxTransaction([fromKey], [{ sat: 1n, script: Uint8Array.of(0x51) }])
    expect(refusalOf(mined(stranger).register)).toContain('pays the federation nothing')
    const { bench, tree } = mined(raw)
    const send = (bytes: Uint8Array, height: bigint) =>
      refusalOf(() => bench.send('registerAuxTransaction', [toHex(bytes), height, toHex(tree)]))
    expect(send(raw.subarray(1), 1n)).toContain('an auxiliary transaction')
    expect(send(Uint8Array.from([...raw, 0]), 1n)).toContain('1 bytes too many')
    expect(send(raw, -1n)).toContain('cannot be negative')
    expect(send(raw, 9n)).toContain('0 confirmations')
  })

  test('has an id of 64 digits', () => {
    const bench = new BridgeBench()
    expect(refusalOf(() => bench.read('isAuxTxHashAlreadyProcessed', ['12']))).toContain('64 hex digits')
  })
})

describe('getAuxTransactionConfirmations', () => {
  test('follows the branch and counts blocks', () => {
    const raw = auxTransaction([fromKey], [toFederation(500_000n)])
    const { bench, header } = mined(raw, undefined, 4)
    const other = toHex(OTHER_ID.slice().reverse())
    const ask = (path: bigint, branch: string[]) =>
      bench.read('getAuxTransactionConfirmations', [shownHash(raw), shownHash(header), path, branch])
    expect(ask(1n, [other])).toBe(4n)
    expect(ask(0n, [other])).toBe(-5n)
    expect(ask(3n, [other])).toBe(-5n)
    expect(ask(1n, [])).toBe(-5n)
  })
})

describe('coinbase transactions', () => {
  const witnesses = doubleSha256(Buffer.from('witness root'))
  const reserved = new Uint8Array(32)
  const commitment = toHex(doubleSha256(Buffer.concat([witnesses, reserved]))).slice(2)
  const coinbase = auxTransaction([{ script: Uint8Array.of(1) }], [carries(`aa21a9ed${commitment}`)])

  function withCoinbase(raw = coinbase) {
    const bench = new BridgeBench()
    const { root, tree } = blockOfOne(doubleSha256(raw))
    const header = mineHeader(AUX_GENESIS_HEADER, root)
    bench.send('receiveHeaders', [[header, ...mineHeaders(header, 2)].map(toHex)])
    const shownRoot = toHex(witnesses.slice().reverse())
    const register = (root = shownRoot) =>
      bench.send('registerAuxCoinbaseTransaction', [
        toHex(raw),
        shownHash(header),
        toHex(tree),
        root,
        toHex(reserved),
      ])
    return { bench, header, register }
  }

  test('register the witness root of a block', () => {
    const { bench, header, register } = withCoinbase()
    register()
    expect(bench.read('hasAuxBlockCoinbaseTransactionInformation', [shownHash(header)])).toBe(true)
  })

  test('that commit to another root are rejected', () => {
    const { register } = withCoinbase()
    expect(refusalOf(() => register(`0x${'00'.repeat(32)}`))).toContain('does not commit')
    const none = auxTransaction([{ script: Uint8Array.of(1) }], [carries('00')])
    expect(refusalOf(() => withCoinbase(none).register())).toContain('does not commit')
  })
})

test('a registration for a provider ends with the codes of the documents (node-chain 10.8)', () => {
  const raw = auxTransaction([fromKey], [toFederation(500_000n)])
  const { bench, tree } = mined(raw)
  const args = (bytes: Uint8Array, height: bigint, contract: string) => [
    toHex(bytes),
    height,
    toHex(tree),
    `0x${'00'.repeat(32)}`,
    '0x',
    contract,
    '0x',
    true,
  ]
  const send = (bytes: Uint8Array, height: bigint, contract: string = COW, depth = 1) =>
    bench.send('registerFastBridgeAuxTransaction', args(bytes, height, contract), { depth })
  expect(send(raw, 1n, COW, 0)).toBe(-300n)
  expect(send(raw, 1n, BRIDGE_ADDRESS)).toBe(-301n)
  expect(send(raw.subarray(1), 1n)).toBe(-303n)
  expect(send(raw, 2n)).toBe(-303n)
  expect(send(raw, 1n)).toBe(-900n)
  bench.send('registerAuxTransaction', [toHex(raw), 1n, toHex(tree)])
  expect(send(raw, 1n)).toBe(-302n)
})
