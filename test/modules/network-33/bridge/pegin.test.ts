import { describe, expect, test } from '@jest/globals'
import { EMPTY_BYTES, asAddress, asHash, fromHex, toHash, toHex } from '../../../../lib/base/hex.ts'
import type { Address } from '../../../../lib/base/hex.ts'
import { hash160 } from '../../../../lib/crypto/ripemd160.ts'
import { curve } from '../../../../lib/crypto/secp256k1.ts'
import { outputScript, readAuxAddress } from '../../../../lib/modules/network-33/bridge/aux-address.ts'
import { toDisplayOrder } from '../../../../lib/modules/network-33/bridge/aux-header.ts'
import { readAuxTransaction } from '../../../../lib/modules/network-33/bridge/aux-transaction.ts'
import { AUTHORIZERS, BRIDGE_ADDRESS } from '../../../../lib/modules/network-33/bridge/constants.ts'
import { BRIDGE_EVENTS } from '../../../../lib/modules/network-33/bridge/events.ts'
import { BridgeCall } from '../../../../lib/modules/network-33/bridge/bridge-call.ts'
import { GENESIS_FEDERATION } from '../../../../lib/modules/network-33/bridge/federation.ts'
import { payRequests, startRelease } from '../../../../lib/modules/network-33/bridge/release-transaction.ts'
import { bridgeSummary } from '../../../../lib/modules/network-33/bridge/bridge.ts'
import { auxTransaction, keyScript, shownHash, witnessKeyInput } from '../support/aux-chain.ts'
import type { Paid, Spent } from '../support/aux-chain.ts'
import { ALL_COINS, BridgeBench, COW, COW_KEY, refusalOf } from '../support/bridge.ts'
import { readBridgeState } from '../support/bridge-state.ts'
import {
  ADDRESSES,
  carries,
  fromKey,
  fromMultisig,
  fromWitnessMultisig,
  mined,
  toFederation,
} from '../support/deposits.ts'
import { decoded, precompileCall } from '../../../support/precompile-calls.ts'

const WEI_PER_SAT = 10n ** 10n
const RECEIVER = asAddress(`0x${'12'.repeat(20)}`)
const COMPRESSED = curve.encodePoint(curve.publicKey(COW_KEY))
const UNCOMPRESSED = Uint8Array.of(4, ...curve.publicKey(COW_KEY))
const COW_ADDRESS = readAuxAddress('n47u2xVMrzaVpgGDK5TJjZHKggM7r8CdAm')!
const NESTED_ADDRESS = Uint8Array.of(0xc4, ...hash160(Uint8Array.of(0, 20, ...hash160(COMPRESSED))))

const PRESENT_RULES_HEIGHT = 350

/** Fee in sat of a refund with two inputs and one output with this script. */
const refundFee = ({ length }: Uint8Array) => 37_400n + 100n * BigInt(length)

const word = (value: bigint) => value.toString(16).padStart(64, '0')
const enough = toFederation(500_000n)
const unknown: Spent = { script: Uint8Array.from([0x51]) }
/** An input whose script ends with a script of these bytes. */
const spentBy = (...script: number[]): Spent => ({
  script: Uint8Array.from([0, 1, 0x30, script.length, ...script]),
})

const native: Spent = { script: new Uint8Array(0), witness: witnessKeyInput(COW_KEY).witness! }
const uncompressedScript = Uint8Array.from([...keyScript(COW_KEY).slice(0, 72), 65, ...UNCOMPRESSED])
const version1 = carries(`52534b5401${'12'.repeat(20)}`)
const withRefund = (type: string) => carries(`52534b5401${'12'.repeat(20)}${type}${'34'.repeat(20)}`)

const stateOf = (bench: BridgeBench) => readBridgeState(String(bench.read('getStateForDebugging')))
const isProcessed = (bench: BridgeBench, shownId: string) =>
  bench.read('isAuxTxHashAlreadyProcessed', [shownId.slice(2)])

/** Registers a transaction in a block of a height, after the coinbase of the block. */
function registered(inputs: readonly Spent[], outputs: readonly Paid[], height = 1) {
  const raw = auxTransaction(inputs, outputs)
  const { bench, register, registerCoinbase } = mined(raw, { height })
  registerCoinbase()
  register()
  return { bench, raw, register, shownId: toDisplayOrder(readAuxTransaction(raw).id) }
}

test("a peg-in pays the account of the sender's key, and its outputs become coins", () => {
  const { bench, raw, register } = registered([fromKey], [toFederation(600_000n), enough])
  expect(bench.balance(COW)).toBe(1_100_000n * WEI_PER_SAT)
  expect(bench.balance(BRIDGE_ADDRESS)).toBe(ALL_COINS - 1_100_000n * WEI_PER_SAT)
  expect(bench.logs).toEqual([
    {
      address: BRIDGE_ADDRESS,
      topics: [BRIDGE_EVENTS.pegin_aux.topic, asHash(`0x${'00'.repeat(12)}${COW.slice(2)}`), shownHash(raw)],
      data: fromHex(`0x${word(1_100_000n)}${word(0n)}`),
    },
  ])
  expect(bench.read('getAuxTxHashProcessedHeight', [shownHash(raw).slice(2)])).toBe(1n)
  const coins = stateOf(bench).outputs
  expect(coins.map(({ sat, index }) => [sat, index])).toEqual([
    [600_000n, 0],
    [500_000n, 1],
  ])
  register()
  expect([bench.logs, stateOf(bench).outputs]).toEqual([[], coins])
})

describe('a good peg-in (node-next 4.2)', () => {
  test.each<[string, readonly Spent[], readonly Paid[], Address, bigint]>([
    ['of a key hash', [fromKey], [enough], COW, 0n],
    ['of an uncompressed key', [{ script: uncompressedScript }], [enough], COW, 0n],
    ['of a nested witness key hash', [witnessKeyInput(COW_KEY)], [enough], COW, 0n],
    ['that names its receiver', [fromKey], [version1, enough], RECEIVER, 1n],
    ['that names it after the payment', [fromKey], [enough, version1], RECEIVER, 1n],
    ['with a refund address of a key', [fromKey], [withRefund('01'), enough], RECEIVER, 1n],
    ['with a refund address of a script', [fromKey], [withRefund('02'), enough], RECEIVER, 1n],
    ['with data of another kind', [fromKey], [carries('0123456789'), enough], COW, 0n],
    ['of a multisig that names its receiver', [fromMultisig], [version1, enough], RECEIVER, 1n],
    ['of an unknown sender that names its receiver', [unknown], [version1, enough], RECEIVER, 1n],
    ['above the locking cap (IP-379)', [fromKey], [toFederation(100_000_000_001n)], COW, 0n],
  ])('%s is paid', (_, inputs, outputs, receiver, version) => {
    const { bench, shownId } = registered(inputs, outputs)
    const sat = outputs.reduce((sum, output) => sum + output.sat, 0n)
    expect(bench.events()).toEqual([['pegin_aux', `0x${word(sat)}${word(version)}`]])
    expect(bench.balance(receiver)).toBe(sat * WEI_PER_SAT)
    expect(isProcessed(bench, shownId)).toBe(true)
  })
})

describe('a refundable peg-in (node-next 4.2)', () => {
  test.each<[string, readonly Spent[], readonly Paid[], bigint, Uint8Array]>([
    ['of a multisig', [fromMultisig], [enough], 2n, ADDRESSES.multisig],
    ['of a nested witness multisig', [fromWitnessMultisig], [enough], 2n, ADDRESSES.witnessMultisig],
    ['of a multisig with bad data', [fromMultisig], [carries('52534b5402'), enough], 4n, ADDRESSES.multisig],
    ['with another version', [fromKey], [carries(`52534b5402${'12'.repeat(20)}`), enough], 4n, COW_ADDRESS],
    ['with too little data', [fromKey], [carries('52534b54'), enough], 4n, COW_ADDRESS],
    ['with another refund type', [fromKey], [withRefund('03'), enough], 4n, COW_ADDRESS],
    ['that names two receivers', [fromKey], [version1, version1, enough], 4n, COW_ADDRESS],
    [
      'of a witness key with bad data',
      [witnessKeyInput(COW_KEY)],
      [carries('52534b54'), enough],
      4n,
      NESTED_ADDRESS,
    ],
  ])('%s is rejected, refunded and processed', (_, inputs, outputs, reason, address) => {
    const { bench, shownId } = registered(inputs, [...outputs, toFederation(600_000n)])
    expect(bench.events().map(([name]) => name)).toEqual([
      'rejected_pegin',
      'release_requested',
      'pegout_transaction_created',
    ])
    expect(bench.events()[0]![1]).toBe(`0x${word(reason)}`)
    expect(isProcessed(bench, shownId)).toBe(true)
    expect(bench.balance(BRIDGE_ADDRESS)).toBe(ALL_COINS)
    const [release] = stateOf(bench).confirming
    const { inputs: spent, outputs: paid } = readAuxTransaction(fromHex(`0x${release!.raw}`))
    expect(spent.map(({ previousId }) => toDisplayOrder(previousId))).toEqual([shownId, shownId])
    expect(spent.map(({ previousIndex }) => previousIndex)).toEqual([outputs.length - 1, outputs.length])
    const script = outputScript(address)
    expect(paid).toEqual([{ sat: 1_100_000n - refundFee(script), script }])
    expect(stateOf(bench).outputs).toEqual([])
  })
})

describe('a peg-in that cannot be refunded (node-next 4.2, 4.9)', () => {
  test.each<[string, readonly Spent[], readonly Paid[], bigint, bigint]>([
    ['with an output too small', [fromKey], [toFederation(499_999n)], 5n, 3n],
    ['with one of two outputs too small', [fromKey], [enough, toFederation(1n)], 5n, 3n],
    ['of an unknown sender', [unknown], [enough], 3n, 1n],
    ['of a native witness input', [native], [enough], 3n, 1n],
    ['of three items without a multisig script', [spentBy(0xae)], [enough], 3n, 1n],
    ['of a multisig of two signatures of one key', [spentBy(0x52, 1, 2, 0x51, 0xae)], [enough], 3n, 1n],
    ['of an unknown sender with bad data', [unknown], [carries('52534b5401'), enough], 4n, 1n],
  ])('%s is rejected and not processed, so that each registration is', (_, inputs, outputs, reason, why) => {
    const height = reason === 5n ? PRESENT_RULES_HEIGHT : 1
    const { bench, register, shownId } = registered(inputs, outputs, height)
    const events = [
      ['rejected_pegin', `0x${word(reason)}`],
      ['unrefundable_pegin', `0x${word(why)}`],
    ]
    expect(bench.events()).toEqual(events)
    expect(isProcessed(bench, shownId)).toBe(false)
    register()
    expect(bench.events()).toEqual(events)
    expect([bench.balance(BRIDGE_ADDRESS), stateOf(bench).outputs]).toEqual([ALL_COINS, []])
  })
})

const TOO_LITTLE = ['rejected_pegin', 'unrefundable_pegin']

describe('below height 350 of the auxiliary chain older rules hold (node-next 4.3)', () => {
  const stranger: Paid = { sat: 1n, script: Uint8Array.of(0x51) }

  test.each<[string, readonly Paid[], number, readonly string[]]>([
    ['too little is no peg-in at 349', [enough, toFederation(499_999n)], PRESENT_RULES_HEIGHT - 1, []],
    ['too little is a peg-in at 350', [enough, toFederation(499_999n)], PRESENT_RULES_HEIGHT, TOO_LITTLE],
    [
      'a payment to others is a peg-in of too little at 349',
      [stranger],
      PRESENT_RULES_HEIGHT - 1,
      TOO_LITTLE,
    ],
    ['a payment to others is no peg-in at 350', [stranger], PRESENT_RULES_HEIGHT, []],
  ])('%s', (_, outputs, height, events) => {
    const { bench, shownId } = registered([fromKey], outputs, height)
    expect(bench.events().map(([name]) => name)).toEqual(events)
    expect(isProcessed(bench, shownId)).toBe(false)
  })
})

describe('a refund (node-next 4.2)', () => {
  const UPDATE = toHash(new Uint8Array(32).fill(2))
  const REGISTRATION = toHash(new Uint8Array(32).fill(1))

  test('is named by the registering transaction, and waits for confirmations and signatures', () => {
    const raw = auxTransaction([fromMultisig], [enough])
    const { bench, proof } = mined(raw)
    bench.send('registerAuxTransaction', proof, { transactionHash: REGISTRATION })
    const [, requested, created] = bench.logs
    expect(requested!.topics[1]).toBe(REGISTRATION)
    expect(toHex(requested!.data)).toBe(`0x${word(500_000n)}`)
    expect(decoded('bytes', toHex(created!.data))).toBe('0xfe20a10700')
    bench.block.number += 3n
    bench.send('updateCollections', [], { transactionHash: UPDATE })
    expect(bench.events().map(([name]) => name)).toEqual(['update_collections', 'pegout_confirmed'])
    expect(bridgeSummary(bench.state.commitRoot()).awaitingSignatures).toEqual([REGISTRATION])
  })

  test('is not made if the fee consumes it', () => {
    const { bench, proof } = mined(auxTransaction([fromMultisig], [enough]))
    bench.send('voteFeePerKbChange', [5_000_000n], { caller: [...AUTHORIZERS.feePerKb][0]! })
    bench.send('registerAuxTransaction', proof)
    expect(bench.events().map(([name]) => name)).toEqual(['rejected_pegin'])
  })
})

describe('a release of the Bridge (node-next 4.3)', () => {
  const coins = [
    { transactionId: new Uint8Array(32).fill(1), index: 0, sat: 1_100_000n, flyoverHash: EMPTY_BYTES },
  ]
  const funds = { coins, federation: GENESIS_FEDERATION, feePerKb: 100_000n }
  const release = payRequests(funds, [{ sat: 500_000n, script: outputScript(COW_ADDRESS) }])!

  function released(raw: Uint8Array, height = 1) {
    const bench = new BridgeBench()
    const { state, block } = bench
    startRelease(
      new BridgeCall(precompileCall(EMPTY_BYTES, { state, block }), GENESIS_FEDERATION),
      release,
      500_000n,
    )
    const { register, registerCoinbase } = mined(raw, { bench, height })
    registerCoinbase()
    register()
    return bench
  }

  test('is not recognised without its witness', () => {
    const bench = released(readAuxTransaction(release.raw).withoutWitness)
    expect(bench.events().map(([name]) => name)).toEqual(['rejected_pegin', 'unrefundable_pegin'])
    expect(stateOf(bench).outputs).toEqual([])
  })
})

test('the id in a query has 64 digits', () => {
  const bench = new BridgeBench()
  expect(refusalOf(() => bench.read('isAuxTxHashAlreadyProcessed', ['12']))).toContain('64 hex digits')
})
