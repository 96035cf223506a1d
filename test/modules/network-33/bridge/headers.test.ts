import { describe, expect, test } from '@jest/globals'
import { toHex } from '../../../../lib/base/hex.ts'
import { AUX_GENESIS_HEADER, mineHeader, mineHeaders, shownHash, unsolved } from '../support/aux-chain.ts'
import { BridgeBench, refusalOf } from '../support/bridge.ts'

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

  const [first, second] = mineHeaders(AUX_GENESIS_HEADER, 2) as [Uint8Array, Uint8Array]
  const easier = first.slice()
  easier.set([0xff, 0xff, 0x7f, 0x21], 72)

  test.each([
    ['without a known parent', second],
    ['without work', unsolved(first)],
    ['with a target out of range', easier],
  ])('skips a header %s and adds the others (node-next 4.1)', (_, skipped) => {
    const bench = new BridgeBench()
    sendAll(bench, [skipped])
    expect(bench.read('getAuxBlockchainBestChainHeight')).toBe(0n)
    sendAll(bench, [skipped, first])
    expect(bench.read('getAuxBlockchainBestBlockHeader')).toBe(toHex(first))
  })

  test('fails on a header that is not 80 bytes, and adds none', () => {
    const bench = new BridgeBench()
    expect(refusalOf(() => sendAll(bench, [first, second.subarray(0, 79)]))).toContain('ends after 79 bytes')
    expect(refusalOf(() => sendAll(bench, [Uint8Array.from([...first, 0])]))).toContain('1 bytes too many')
    expect(bench.read('getAuxBlockchainBestChainHeight')).toBe(0n)
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

  test.each([
    [26, 0n],
    [27, -2n],
  ])('of height 1 below a best height of %d answers %d (node-next 4.9)', (best, answer) => {
    const bench = new BridgeBench()
    sendAll(bench, mineHeaders(AUX_GENESIS_HEADER, best))
    const sibling = mineHeader(AUX_GENESIS_HEADER, undefined, 9)
    expect(bench.send('receiveHeader', [toHex(sibling)])).toBe(answer)
  })
})

describe('the lowest height that is looked up (node-chain 10.5)', () => {
  const HEADERS = mineHeaders(AUX_GENESIS_HEADER, 23)

  // The limit is 5 below the best header up to height 15, and 10 from then on.
  test.each([
    [4, 0, 0],
    [5, 0, 0],
    [7, 1, 2],
    [15, 9, 10],
    [16, 9, 10],
    [23, 9, 10],
  ])('of best height %d is above %d', (best, hidden, lowest) => {
    const bench = new BridgeBench()
    sendAll(bench, HEADERS.slice(0, best))
    const at = (height: number) => bench.read('getAuxBlockchainBlockHeaderByHeight', [BigInt(height)])
    expect(at(lowest)).toBe(toHex(lowest === 0 ? AUX_GENESIS_HEADER : HEADERS[lowest - 1]!))
    if (hidden < lowest) expect(at(hidden)).toBe('0x')
    // Only searches by height have the limit.
    expect(bench.read('getAuxBlockchainBlockHashAtDepth', [BigInt(best - 1)])).toBe(shownHash(HEADERS[0]!))
    expect(bench.read('getAuxBlockchainBlockHeaderByHash', [shownHash(HEADERS[0]!)])).toBe(toHex(HEADERS[0]!))
  })

  test('a height has 32 bits', () => {
    const bench = new BridgeBench()
    const at = (height: bigint) => bench.read('getAuxBlockchainBlockHeaderByHeight', [height])
    expect(at(2n ** 255n)).toBe(toHex(AUX_GENESIS_HEADER))
    expect(at(2n ** 31n)).toBe('0x')
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
