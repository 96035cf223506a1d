import { describe, expect, test } from '@jest/globals'
import { AbiCoder } from 'ethers'
import { EMPTY_BYTES, asAddress, fromHex, toHash, toHex } from '../../../../lib/base/hex.ts'
import { decodeRlp } from '../../../../lib/base/rlp.ts'
import { bridgeSummary } from '../../../../lib/modules/network-33/bridge/bridge.ts'
import { readAuxTransaction } from '../../../../lib/modules/network-33/bridge/aux-transaction.ts'
import { AUTHORIZERS, BRIDGE_ADDRESS } from '../../../../lib/modules/network-33/bridge/constants.ts'
import { BridgeStorage } from '../../../../lib/modules/network-33/bridge/bridge-storage.ts'
import { GENESIS_FEDERATION } from '../../../../lib/modules/network-33/bridge/federation.ts'
import { COINS, CONFIRMING } from '../../../../lib/modules/network-33/bridge/pegout-state.ts'
import { payAll } from '../../../../lib/modules/network-33/bridge/release-transaction.ts'
import { BRIDGE_EVENTS } from '../../../../lib/modules/network-33/bridge/events.ts'
import { ALL_COINS, BridgeBench, COW, refusalOf } from '../support/bridge.ts'
import { decoded } from '../../../support/precompile-calls.ts'

const WEI_PER_SAT = 10n ** 10n
const REQUEST = toHash(new Uint8Array(32).fill(1))
const UPDATE = toHash(new Uint8Array(32).fill(2))
const [FEE_VOTER] = [...AUTHORIZERS.feePerKb]

const transfer = (bench: BridgeBench, wei: bigint, special = {}) =>
  bench.transfer(wei, { transactionHash: REQUEST, ...special })

const word = (value: bigint) => value.toString(16).padStart(64, '0')

describe('a plain transfer to the Bridge (node-chain 10.5)', () => {
  test("requests a peg-out to the address of the sender's key", () => {
    const bench = new BridgeBench()
    transfer(bench, 250_000n * WEI_PER_SAT)
    const [log] = bench.logs
    expect(log!.topics).toEqual([
      BRIDGE_EVENTS.release_request_received.topic,
      `0x${'00'.repeat(12)}${COW.slice(2)}`,
    ])
    const [destination, wei] = AbiCoder.defaultAbiCoder().decode(['string', 'uint256'], toHex(log!.data))
    expect([destination, wei]).toEqual(['n47u2xVMrzaVpgGDK5TJjZHKggM7r8CdAm', 250_000n * WEI_PER_SAT])
    expect(bench.balance(BRIDGE_ADDRESS)).toBe(ALL_COINS + 250_000n * WEI_PER_SAT)
    expect(bench.read('getQueuedPegoutsCount')).toBe(1n)
  })

  test('of too little is returned', () => {
    const bench = new BridgeBench()
    const wei = 250_000n * WEI_PER_SAT - 1n
    transfer(bench, wei)
    expect(bench.events()).toEqual([['release_request_rejected', `0x${word(wei)}${word(1n)}`]])
    expect([bench.balance(BRIDGE_ADDRESS), bench.balance(COW)]).toEqual([ALL_COINS, wei])
  })

  test('of less than the fee and a fifth is returned', () => {
    const bench = new BridgeBench()
    bench.send('voteFeePerKbChange', [5_000_000n], { caller: FEE_VOTER! })
    const least = 344n * 5_000n + (344n * 5_000n) / 5n
    transfer(bench, (least - 1n) * WEI_PER_SAT)
    expect(bench.events()[0]![1].endsWith(word(3n))).toBe(true)
    transfer(bench, least * WEI_PER_SAT)
    expect(bench.events()[0]![0]).toBe('release_request_received')
  })

  test('from a contract is rejected and kept', () => {
    const bench = new BridgeBench()
    transfer(bench, 10n ** 18n, { depth: 1 })
    expect(bench.events()).toEqual([['release_request_rejected', `0x${word(10n ** 18n)}${word(2n)}`]])
    expect(bench.balance(BRIDGE_ADDRESS)).toBe(ALL_COINS + 10n ** 18n)
    expect(bench.read('getQueuedPegoutsCount')).toBe(0n)
  })

  test('without a signature fails only in a transaction', () => {
    const bench = new BridgeBench()
    const unsigned = { senderPublicKey: undefined }
    expect(refusalOf(() => transfer(bench, 10n ** 18n, unsigned))).toContain('has signed nothing')
    expect(transfer(bench, 10n ** 18n, { ...unsigned, isSimulated: true })).toBe('0x')
  })
})

describe('updateCollections', () => {
  /** A Bridge whose federation has coins, and which queues requests. */
  function benchOf(coins: readonly bigint[], requests: readonly bigint[] = []): BridgeBench {
    const bench = new BridgeBench()
    bench.giveCoins(...coins)
    for (const sat of requests) transfer(bench, sat * WEI_PER_SAT)
    return bench
  }

  const namesOf = (bench: BridgeBench) => bench.events().map(([name]) => name)

  test('pays a batch, waits for confirmations, and passes it to the signers', () => {
    const bench = benchOf([1_000_000n], [400_000n])
    bench.update(1n, UPDATE)
    expect(namesOf(bench)).toEqual([
      'update_collections',
      'release_requested',
      'pegout_transaction_created',
      'batch_pegout_created',
    ])
    expect(decoded('bytes', bench.events()[2]![1])).toBe('0xfe40420f00')
    expect(decoded('bytes', bench.events()[3]![1])).toBe(REQUEST)
    expect(bench.logs[1]!.topics[1]).toBe(UPDATE)
    expect(bench.read('getQueuedPegoutsCount')).toBe(0n)
    expect(bench.read('getNextPegoutCreationBlockNumber')).toBe(51n)
    bench.update(3n)
    expect(bench.events()).toHaveLength(1)
    bench.update(4n)
    expect(bench.events()[1]).toEqual(['pegout_confirmed', `0x${word(1n)}`])
    expect(bridgeSummary(bench.state.commitRoot()).awaitingSignatures).toEqual([UPDATE])
  })

  test('shows the unsigned transaction under the hash of the call that made it', () => {
    const bench = benchOf([1_000_000n], [400_000n])
    bench.update(1n, UPDATE)
    bench.update(4n)
    const [[hash, raw]] = decodeRlp(fromHex(String(bench.read('getStateForAuxReleaseClient')))) as [
      [Uint8Array, Uint8Array],
    ]
    expect(toHex(hash)).toBe(UPDATE)
    const { outputs, witnesses } = readAuxTransaction(raw)
    expect(outputs.map(({ sat }) => sat)).toEqual([400_000n - 25_300n, 600_000n])
    expect(witnesses[0]!.map(({ length }) => length)).toEqual([0, 0, 0, 0, 252])
  })

  test('passes one ripe batch at a time, the first in the order of the bytes (node-next 4.6)', () => {
    const bench = new BridgeBench()
    bench.giveCoins(500_000n, 500_000n, 500_000n)
    const storage = new BridgeStorage(bench.state)
    const [ofOne, ofTwo, ofThree] = COINS.read(storage).map((coin, index) => ({
      raw: payAll({ coins: [coin], federation: GENESIS_FEDERATION, feePerKb: 1n }, EMPTY_BYTES)!.raw,
      inputValues: EMPTY_BYTES,
      transactionHash: toHash(new Uint8Array(32).fill(index + 1)),
      createdIn: index === 0 ? 2n : 1n,
    }))
    CONFIRMING.write(storage, [
      ofThree!,
      ofTwo!,
      ofOne!,
      { ...ofThree!, transactionHash: ofOne!.transactionHash },
    ])
    const awaiting = (block: bigint) => {
      bench.update(block)
      return bridgeSummary(bench.state.commitRoot()).awaitingSignatures.map((hash) => hash.at(-1))
    }
    expect([awaiting(4n), awaiting(5n), awaiting(6n)]).toEqual([['2'], ['1', '2'], ['1', '2', '3']])
    expect(refusalOf(() => bench.update(7n))).toContain('another peg-out of transaction')
  })

  test('does not spend the change, which is not registered', () => {
    const bench = benchOf([1_000_000n], [400_000n])
    bench.update(1n)
    transfer(bench, 300_000n * WEI_PER_SAT)
    bench.update(51n)
    expect(bench.read('getQueuedPegoutsCount')).toBe(1n)
  })

  test('leaves requests that the coins do not cover, and does not set the next batch', () => {
    const bench = benchOf([500_000n], [500_001n])
    bench.update(1n)
    expect(bench.events()).toHaveLength(1)
    expect(bench.read('getQueuedPegoutsCount')).toBe(1n)
    expect(bench.read('getNextPegoutCreationBlockNumber')).toBe(0n)
  })

  test('sets the next batch without requests, and leaves requests that are too early', () => {
    const bench = benchOf([500_000n])
    bench.update(1n)
    transfer(bench, 300_000n * WEI_PER_SAT)
    bench.update(50n)
    expect(bench.read('getQueuedPegoutsCount')).toBe(1n)
    bench.update(51n)
    expect(bench.read('getQueuedPegoutsCount')).toBe(0n)
  })

  test('burns what a receiver paid to raise the change', () => {
    const bench = benchOf([500_100n], [500_000n])
    bench.update(1n)
    expect(bench.balance(asAddress(`0x${'ff'.repeat(20)}`))).toBe(2_600n * WEI_PER_SAT)
    expect(bench.balance(BRIDGE_ADDRESS)).toBe(ALL_COINS + 497_400n * WEI_PER_SAT)
  })
})

describe('estimated fees', () => {
  /** A Bridge whose federation has a coin. */
  function withCoin(): BridgeBench {
    const bench = new BridgeBench()
    bench.giveCoins(10_000_000n)
    return bench
  }

  test('of the next batch are those of a simulation, or without coins of two inputs', () => {
    const bench = new BridgeBench()
    expect(bench.read('getEstimatedFeesForNextPegOutEvent')).toBe(34_400n)
    bench.giveCoins(1_000_000n)
    expect(bench.read('getEstimatedFeesForNextPegOutEvent')).toBe(25_300n)
    transfer(bench, 250_000n * WEI_PER_SAT)
    expect(bench.read('getEstimatedFeesForNextPegOutEvent')).toBe(28_700n)
  })

  test('of an amount in wei are those of a simulation', () => {
    const ask = (bench: BridgeBench, sat: bigint) =>
      bench.read('getEstimatedFeesForPegOutAmount', [sat * WEI_PER_SAT])
    expect(ask(withCoin(), 250_000n)).toBe(25_300n)
    expect(refusalOf(() => ask(withCoin(), 249_999n))).toContain('below the minimum of 250000')
    expect(refusalOf(() => ask(withCoin(), 10_000_001n))).toContain('do not pay')
  })
})
