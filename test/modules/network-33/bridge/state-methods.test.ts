import { describe, expect, test } from '@jest/globals'
import { fromHex, toHash } from '../../../../lib/base/hex.ts'
import type { Hash } from '../../../../lib/base/hex.ts'
import { decodeRlp } from '../../../../lib/base/rlp.ts'
import { bridgeSummary } from '../../../../lib/modules/network-33/bridge/bridge.ts'
import {
  GENESIS_FEDERATION,
  federationOutputScript,
} from '../../../../lib/modules/network-33/bridge/federation.ts'
import { shownHash } from '../support/aux-chain.ts'
import { BridgeBench, COW_KEY } from '../support/bridge.ts'
import { readBridgeState } from '../support/bridge-state.ts'

const WEI_PER_SAT = 10n ** 10n
const FEDERATION_SCRIPT = federationOutputScript(GENESIS_FEDERATION)
const hashOf = (byte: number): Hash => toHash(new Uint8Array(32).fill(byte))
const digits = (hash: string) => hash.slice(2)

const stateOf = (bench: BridgeBench) => readBridgeState(String(bench.read('getStateForDebugging')))

/** A Bridge whose federation has one coin, and the transaction of the coin. */
function withCoin(sat: bigint) {
  const bench = new BridgeBench()
  return { bench, raw: bench.pegIn(COW_KEY, sat) }
}

const pegOut = (bench: BridgeBench, sat: bigint, transactionHash: Hash) =>
  bench.transfer(sat * WEI_PER_SAT, { transactionHash })

describe('getStateForDebugging (node-chain 10.10)', () => {
  test('of a fresh chain is the example of the document', () => {
    expect(new BridgeBench().read('getStateForDebugging')).toBe('0xcb8081c081c081c081c08180')
  })

  test('returns the best height and the coins of the federation', () => {
    const { bench, raw } = withCoin(1_000_000n)
    expect(stateOf(bench)).toEqual({
      bestHeight: 3n,
      outputs: [
        {
          sat: 1_000_000n,
          script: Buffer.from(FEDERATION_SCRIPT).toString('hex'),
          transactionHash: digits(shownHash(raw)),
          index: 0,
          height: 0,
          isCoinbase: false,
        },
      ],
      signing: [],
      queue: [],
      confirming: [],
      nextBatch: 0n,
    })
  })
})

test('batches that wait for signatures are in the order of their hashes in every dump', () => {
  const bench = new BridgeBench()
  bench.giveCoins(500_000n, 500_000n)
  pegOut(bench, 400_000n, hashOf(1))
  bench.update(1n, hashOf(9))
  bench.update(4n, hashOf(3))
  pegOut(bench, 400_000n, hashOf(2))
  bench.update(60n, hashOf(8))
  bench.update(63n, hashOf(4))
  const inOrder = [hashOf(8), hashOf(9)]
  expect(stateOf(bench).signing.map(({ transactionHash }) => transactionHash)).toEqual(inOrder.map(digits))
  const [list] = decodeRlp(fromHex(String(bench.read('getStateForAuxReleaseClient')))) as [Uint8Array[]]
  expect([list[0], list[2]].map((hash) => toHash(hash!))).toEqual(inOrder)
  expect(bridgeSummary(bench.state.commitRoot()).awaitingSignatures).toEqual(inOrder)
})
