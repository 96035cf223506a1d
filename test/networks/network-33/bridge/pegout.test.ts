import { describe, expect, test } from '@jest/globals'
import { AbiCoder } from 'ethers'
import { fromHex, toHash, toHex } from '../../../../lib/base/hex.ts'
import { decodeRlp } from '../../../../lib/base/rlp.ts'
import { bridgeSummary } from '../../../../lib/networks/network-33/bridge/state-access.ts'
import { readAuxTransaction } from '../../../../lib/networks/network-33/bridge/aux-transaction.ts'
import {
  AUTHORIZERS,
  BRIDGE_ADDRESS,
  FEDERATORS,
} from '../../../../lib/networks/network-33/bridge/constants.ts'
import { BRIDGE_EVENTS } from '../../../../lib/networks/network-33/bridge/events.ts'
import { ALL_COINS, BridgeBench, COW, COW_KEY, refusalOf } from '../../../support/bridge.ts'
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
  /** A Bridge whose federation has a coin, and a request for another amount. */
  function withCoin(sat: bigint): BridgeBench {
    const bench = new BridgeBench()
    bench.pegIn(COW_KEY, sat)
    return bench
  }

  const update = (bench: BridgeBench) => bench.send('updateCollections', [], { transactionHash: UPDATE })

  test('pays a batch, waits for confirmations, and passes it to the signers', () => {
    const bench = withCoin(1_000_000n)
    transfer(bench, 400_000n * WEI_PER_SAT)
    update(bench)
    expect(bench.events().map(([name]) => name)).toEqual([
      'update_collections',
      'release_requested',
      'batch_pegout_created',
      'pegout_transaction_created',
    ])
    expect(decoded('bytes', bench.events()[2]![1])).toBe(REQUEST)
    expect(decoded('bytes', bench.events()[3]![1])).toBe('0xfe40420f00')
    expect(bench.read('getQueuedPegoutsCount')).toBe(0n)
    expect(bench.read('getNextPegoutCreationBlockNumber')).toBe(51n)
    bench.block.number = 3n
    update(bench)
    expect(bench.events()).toHaveLength(1)
    bench.block.number = 4n
    update(bench)
    expect(bench.events()[1]).toEqual(['pegout_confirmed', `0x${word(1n)}`])
    expect(bridgeSummary(bench.state.commitRoot()).awaitingSignatures).toEqual([UPDATE])
  })

  test('spends the coin, pays less the fee, and keeps the change', () => {
    const bench = withCoin(1_000_000n)
    transfer(bench, 400_000n * WEI_PER_SAT)
    update(bench)
    bench.block.number = 4n
    update(bench)
    const [[hash, raw]] = decodeRlp(fromHex(String(bench.read('getStateForAuxReleaseClient')))) as [
      [Uint8Array, Uint8Array],
    ]
    expect(toHex(hash)).toBe(UPDATE)
    const { inputs, outputs } = readAuxTransaction(raw)
    expect(inputs).toHaveLength(1)
    expect(outputs.map(({ sat }) => sat)).toEqual([400_000n - 20_900n, 600_000n])
    // The change pays the next batch.
    transfer(bench, 600_000n * WEI_PER_SAT)
    bench.block.number = 51n
    update(bench)
    expect(bench.read('getQueuedPegoutsCount')).toBe(0n)
  })

  test('leaves requests that the coins do not cover or that are too early', () => {
    const bench = withCoin(500_000n)
    transfer(bench, 500_001n * WEI_PER_SAT)
    update(bench)
    expect(bench.events()).toHaveLength(1)
    expect(bench.read('getQueuedPegoutsCount')).toBe(1n)
    expect(bench.read('getNextPegoutCreationBlockNumber')).toBe(0n)
    const early = withCoin(500_000n)
    update(early)
    transfer(early, 300_000n * WEI_PER_SAT)
    early.block.number = 50n
    update(early)
    expect(early.read('getQueuedPegoutsCount')).toBe(1n)
    early.block.number = 51n
    update(early)
    expect(early.read('getQueuedPegoutsCount')).toBe(0n)
  })
})

test('peg-outs are not signed', () => {
  const bench = new BridgeBench()
  const [federator] = [...FEDERATORS]
  const sign = (caller: typeof COW) =>
    refusalOf(() => bench.send('addSignature', ['0x', [], UPDATE], { caller }))
  expect(sign(COW)).toContain('is not a federator')
  expect(sign(federator!)).toContain('no peg-out of this hash waits')
})
