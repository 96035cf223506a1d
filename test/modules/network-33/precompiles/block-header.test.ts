import { describe, expect, test } from '@jest/globals'
import { ZERO_HASH } from '../../../../lib/chain/header.ts'
import type { Ancestor } from '../../../../lib/evm/block-context.ts'
import {
  MERGED_MINING_TAG,
  NO_PROOF,
  type AuxProof,
} from '../../../../lib/modules/network-33/consensus/aux-block.ts'
import { mergedMining } from '../../../../lib/modules/network-33/consensus/merged-mining.ts'
import { blockHeader } from '../../../../lib/modules/network-33/precompiles/block-header.ts'
import { PrecompileFailure } from '../../../../lib/evm/precompile.ts'
import { blockAfter, callData, decoded, gasOf, runPrecompile } from '../../../support/precompile-calls.ts'
import { addressOf } from '../../../support/transactions.ts'

function ancestor(fields: Partial<Ancestor> = {}): Ancestor {
  return {
    hash: ZERO_HASH,
    coinbase: addressOf(1),
    minimumGasPrice: 0n,
    gasLimit: 10_000_000n,
    gasUsed: 0n,
    difficulty: 1n,
    cumulativeDifficulty: 1n,
    totalDifficulty: 1n,
    paidFees: 0n,
    uncles: [],
    ...fields,
  }
}

const TAGGED = Buffer.concat([MERGED_MINING_TAG, new Uint8Array(32), Buffer.from('abc')])

/** An ancestor with members of a proof of work. */
const proof = (aux: Partial<AuxProof>) => ({
  own: { ...mergedMining.genesisFields.own, aux: { ...NO_PROOF, ...aux } },
})

/** Requests a property of the block at a depth. */
function ask(selector: string, ancestors: readonly Ancestor[], depth: bigint | number = 0) {
  const input = callData(selector, ['int256'], [depth])
  return decoded('bytes', runPrecompile(blockHeader, input, { block: blockAfter(ancestors) }))
}

function askUncle(ancestors: readonly Ancestor[], depth: bigint | number, index: bigint | number) {
  const input = callData('0xabcd8984', ['int256', 'int256'], [depth, index])
  return decoded('bytes', runPrecompile(blockHeader, input, { block: blockAfter(ancestors) }))
}

describe('properties', () => {
  test.each<[name: string, selector: string, block: Partial<Ancestor>, answer: string]>([
    ['getCoinbaseAddress', '0x243e7d36', { coinbase: addressOf(7) }, addressOf(7)],
    ['getBlockHash', '0x2cce81aa', { hash: ZERO_HASH }, ZERO_HASH],
    ['getMergedMiningTags', '0x5ca053dd', proof({ coinbase: TAGGED }), '0x616263'],
    ['getMergedMiningTags of none', '0x5ca053dd', {}, '0x'],
    ['getMinGasPrice', '0x1f1db3ba', { minimumGasPrice: 59_240_000n }, '0x0387ee40'],
    ['getGasLimit', '0x08a06364', { gasLimit: 6_800_000n }, '0x67c280'],
    ['getGasUsed', '0x06ac702b', { gasUsed: 21_000n }, '0x5208'],
    ['getDifficulty', '0x9319a35b', { difficulty: 1n }, '0x01'],
    ['getAuxHeader', '0x3073c6eb', proof({ header: new Uint8Array(80).fill(5) }), `0x${'05'.repeat(80)}`],
    ['getDifficultyWithUncles', '0x579ee593', { cumulativeDifficulty: 3n }, '0x03'],
    ['getCumulativeWork', '0x096c8196', { totalDifficulty: 258n }, '0x0102'],
  ])('%s', (_name, selector, block, answer) => {
    expect(ask(selector, [ancestor(block)])).toBe(answer)
  })

  test.each([
    [0n, '0x00'],
    [127n, '0x7f'],
    [128n, '0x0080'],
    [255n, '0x00ff'],
    [256n, '0x0100'],
    [10_000_000n, '0x00989680'],
  ])('the number %d has a sign', (gasUsed, answer) => {
    expect(ask('0x06ac702b', [ancestor({ gasUsed })])).toBe(answer)
  })

  test('are those of the block at the depth', () => {
    const chain = [1, 2, 3].map((number) => ancestor({ coinbase: addressOf(number) }))
    expect([0, 1, 2].map((depth) => ask('0x243e7d36', chain, depth))).toEqual([1, 2, 3].map(addressOf))
  })
})

describe('the depth', () => {
  const chain = Array.from({ length: 4001 }, () => ancestor({ coinbase: addressOf(7) }))

  test.each([0, 3999])('%i is known', (depth) => {
    expect(ask('0x243e7d36', chain, depth)).toBe(addressOf(7))
  })

  test.each([4000, 32_767, 32_768, 2n ** 255n - 1n, -32_769, -(2n ** 255n)])('%d is unknown', (depth) => {
    expect(ask('0x243e7d36', chain, depth)).toBe('0x')
  })

  test('of a block before the first is unknown', () => {
    expect(ask('0x243e7d36', [ancestor()], 1)).toBe('0x')
  })

  test.each([-1, -32_768])('%i is rejected', (depth) => {
    expect(() => ask('0x243e7d36', chain, depth)).toThrow(PrecompileFailure)
    expect(() => ask('0x243e7d36', chain, depth)).toThrow(`negative depth of a block: ${depth}`)
  })
})

describe('getUncleCoinbaseAddress', () => {
  const uncles = [
    { coinbase: addressOf(5), number: 0n },
    { coinbase: addressOf(6), number: 0n },
  ]
  const chain = [ancestor({ uncles })]

  test.each([
    [0, 0, addressOf(5)],
    [0, 1, addressOf(6)],
    [0, 2, '0x'],
    [0, 32_768, '0x'],
    [0, -32_769, '0x'],
    [1, 0, '0x'],
    [4000, 0, '0x'],
    // The index of an unknown block is not checked.
    [1, -1, '0x'],
  ])('at depth %d the uncle %d', (depth, index, answer) => {
    expect(askUncle(chain, depth, index)).toBe(answer)
  })

  test('rejects negative numbers', () => {
    expect(() => askUncle(chain, 0, -1)).toThrow('negative index of an uncle: -1')
    expect(() => askUncle(chain, -1, 0)).toThrow('negative depth of a block: -1')
  })
})

describe('gas', () => {
  test.each([
    ['one argument', callData('0x243e7d36', ['int256'], [0]), 4000 + 2 * 36],
    ['two arguments', callData('0xabcd8984', ['int256', 'int256'], [0, 0]), 4000 + 2 * 68],
    ['additional data', `${callData('0x243e7d36', ['int256'], [0])}ffff`, 4000 + 2 * 38],
    ['an unknown block', callData('0x243e7d36', ['int256'], [9999]), 4000 + 2 * 36],
    ['an unknown function', '0x12345678', 0],
    ['no argument: depth 0', '0x243e7d36', 4000 + 2 * 4],
    ['half an argument', '0x243e7d3600', 0],
    ['nothing', '0x', 0],
  ])('%s', (_case, input, gas) => {
    expect(gasOf(blockHeader, input)).toBe(gas)
  })

  test.each(['0x', '0x12345678', '0x243e7d3600'])('%s is rejected', (input) => {
    expect(() => runPrecompile(blockHeader, input)).toThrow(`Invalid data given: ${input.slice(2)}.`)
  })
})
