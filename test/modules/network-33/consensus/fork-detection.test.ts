import { describe, expect, test } from '@jest/globals'
import { toHex } from '../../../../lib/base/hex.ts'
import {
  NO_ANCESTRY,
  ancestryAfter,
  forkDetectionData,
  type MergedMiningHeader,
} from '../../../../lib/modules/network-33/consensus/header.ts'
import { doubleSha256 } from '../../../../lib/crypto/sha256.ts'
import { NO_WORK, variant } from '../support/merged-mining.ts'

/** Headers from 0 on, each with a different aux header and with a number of uncles. */
function chainOf(length: number, unclesIn: (number: number) => number): MergedMiningHeader[] {
  const headers: MergedMiningHeader[] = []
  for (let number = 0; number < length; number++) {
    const parent = headers.at(-1)
    const header = new Uint8Array(80).fill(number & 0xff).fill(number >> 8, 40)
    headers.push(
      variant(
        { number: BigInt(number) },
        {
          uncleCount: unclesIn(number),
          aux: { ...NO_WORK, header },
          ancestry: parent === undefined ? NO_ANCESTRY : ancestryAfter(parent),
        },
      ),
    )
  }
  return headers
}

/** The data as node-chain 6.5 has it, by walking back. */
function expectedData(headers: readonly MergedMiningHeader[], number: number): string {
  const newest = number - 1 - ((number - 1) % 64)
  const checkpoints = Array.from({ length: 7 }, (_, index) => {
    const display = doubleSha256(headers[newest - 64 * index]!.own.aux.header).reverse()
    return display[31]!
  })
  const uncles = headers.slice(number - 32, number).reduce((total, { own }) => total + own.uncleCount, 0)
  const height = [number >>> 24, number >>> 16, number >>> 8, number].map((part) => part & 0xff)
  return toHex(Uint8Array.of(...checkpoints, Math.min(uncles, 255), ...height))
}

const dataOf = ({ number, own }: MergedMiningHeader) => toHex(forkDetectionData(number, own.ancestry))

describe('fork detection data', () => {
  test('has seven checkpoints, the uncles of 32 blocks, and the height', () => {
    const headers = chainOf(1100, (number) => (number % 5 === 0 ? number % 3 : 0))
    for (let number = 449; number < headers.length; number++) {
      expect([number, dataOf(headers[number]!)]).toEqual([number, expectedData(headers, number)])
    }
  })

  test('begins with block 449', () => {
    const headers = chainOf(450, () => 0)
    expect(headers.slice(0, 449).map(dataOf)).toEqual(Array.from({ length: 449 }, () => '0x'))
    expect(dataOf(headers[449]!)).toHaveLength(2 + 24)
  })

  test('counts no more than 255 uncles, and forgets them after 32 blocks', () => {
    const headers = chainOf(600, (number) => (number <= 500 ? 10 : 0))
    const countIn = (number: number) => forkDetectionData(BigInt(number), headers[number]!.own.ancestry)[7]
    expect([500, 512, 532, 533].map(countIn)).toEqual([255, 210, 10, 0])
  })
})
