import { describe, expect, test } from '@jest/globals'
import { toHex } from '../../../../lib/base/hex.ts'
import {
  AUX_GENESIS_HEADER,
  mineHeader,
  mineHeaders,
  shownHash,
  unsolved,
} from '../../../support/aux-chain.ts'
import { BridgeBench, refusalOf } from '../../../support/bridge.ts'

const sendAll = (bench: BridgeBench, headers: readonly Uint8Array[]) =>
  bench.send('receiveHeaders', [headers.map(toHex)])

describe('receiveHeaders', () => {
  test('the best header is the end of the chain', () => {
    const bench = new BridgeBench()
    const headers = mineHeaders(AUX_GENESIS_HEADER, 4)
    sendAll(bench, headers)
    expect(bench.read('getAuxBlockchainBestChainHeight')).toBe(4n)
    expect(bench.read('getAuxBlockchainBestBlockHeader')).toBe(toHex(headers[3]!))
    expect(bench.read('getAuxBlockchainBlockHashAtDepth', [1n])).toBe(shownHash(headers[2]!))
    expect(bench.read('getAuxBlockchainBlockHeaderByHeight', [2n])).toBe(toHex(headers[1]!))
    expect(bench.read('getAuxBlockchainBlockHeaderByHash', [shownHash(headers[0]!)])).toBe(toHex(headers[0]!))
    expect(bench.read('getAuxBlockchainParentBlockHeaderByHash', [shownHash(headers[1]!)])).toBe(
      toHex(headers[0]!),
    )
  })

  test('known headers are skipped', () => {
    const bench = new BridgeBench()
    const headers = mineHeaders(AUX_GENESIS_HEADER, 3)
    sendAll(bench, headers.slice(0, 2))
    sendAll(bench, headers)
    expect(bench.read('getAuxBlockchainBestChainHeight')).toBe(3n)
  })

  test('a longer branch becomes the best chain and replaces the old headers', () => {
    const bench = new BridgeBench()
    const old = mineHeaders(AUX_GENESIS_HEADER, 2)
    sendAll(bench, old)
    const branch = mineHeaders(AUX_GENESIS_HEADER, 2, 5)
    sendAll(bench, branch)
    expect(bench.read('getAuxBlockchainBestBlockHeader')).toBe(toHex(old[1]!))
    const tip = mineHeader(branch[1]!)
    sendAll(bench, [tip])
    expect(bench.read('getAuxBlockchainBestBlockHeader')).toBe(toHex(tip))
    expect(bench.read('getAuxBlockchainBlockHeaderByHeight', [1n])).toBe(toHex(branch[0]!))
    expect(bench.read('getAuxBlockchainBlockHeaderByHash', [shownHash(old[0]!)])).toBe(toHex(old[0]!))
    const WORD = `0x${'00'.repeat(32)}`
    expect(bench.read('getAuxTransactionConfirmations', [WORD, shownHash(old[0]!), 0n, []])).toBe(-2n)
  })

  test('rejects headers that are not a chain, and stores none of them', () => {
    const bench = new BridgeBench()
    const [first, second] = mineHeaders(AUX_GENESIS_HEADER, 2) as [Uint8Array, Uint8Array]
    expect(refusalOf(() => sendAll(bench, [second]))).toContain('which is not known')
    expect(refusalOf(() => sendAll(bench, [first, unsolved(second)]))).toContain('does not reach its target')
    expect(refusalOf(() => sendAll(bench, [first.subarray(0, 79)]))).toContain('ends after 79 bytes')
    const easier = first.slice()
    easier.set([0xff, 0xff, 0x7f, 0x21], 72)
    expect(refusalOf(() => sendAll(bench, [easier]))).toContain('target out of range')
    expect(bench.read('getAuxBlockchainBestChainHeight')).toBe(0n)
  })

  test('accepts at most 500 headers', () => {
    const bench = new BridgeBench()
    const headers = mineHeaders(AUX_GENESIS_HEADER, 501)
    expect(refusalOf(() => sendAll(bench, headers))).toContain('501 headers exceed the 500 of one call')
    sendAll(bench, headers.slice(0, 500))
    expect(bench.read('getAuxBlockchainBestChainHeight')).toBe(500n)
  })
})

describe('receiveHeader', () => {
  test('accepts one header every 300 seconds', () => {
    const bench = new BridgeBench()
    const [first, second] = mineHeaders(AUX_GENESIS_HEADER, 2) as [Uint8Array, Uint8Array]
    expect(bench.send('receiveHeader', [toHex(second)])).toBe(-3n)
    expect(bench.send('receiveHeader', [toHex(first)])).toBe(0n)
    expect(bench.send('receiveHeader', [toHex(first)])).toBe(-4n)
    bench.block.timestamp += 299n
    expect(bench.send('receiveHeader', [toHex(second)])).toBe(-1n)
    bench.block.timestamp += 1n
    expect(bench.send('receiveHeader', [toHex(second)])).toBe(0n)
    expect(bench.send('receiveHeader', ['0x00'])).toBe(-20n)
  })

  test('rejects headers deeper than 25 below the best', () => {
    const bench = new BridgeBench()
    const headers = mineHeaders(AUX_GENESIS_HEADER, 26)
    sendAll(bench, headers)
    const tooDeep = mineHeader(AUX_GENESIS_HEADER, undefined, 9)
    expect(bench.send('receiveHeader', [toHex(tooDeep)])).toBe(-2n)
    expect(bench.send('receiveHeader', [toHex(mineHeader(headers[0]!, undefined, 9))])).toBe(0n)
  })
})

test('depths outside the chain are rejected', () => {
  const bench = new BridgeBench()
  for (const depth of [-1n, 1n]) {
    expect(refusalOf(() => bench.read('getAuxBlockchainBlockHashAtDepth', [depth]))).toContain(
      `Depth must be between 0 and 0, not ${depth}`,
    )
  }
})
