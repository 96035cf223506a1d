/** The generators reach every method, kind and type of transaction, and repeat what a seed gave. */

import { describe, expect, test } from '@jest/globals'
import { allMethods } from '../../scripts/all-methods.ts'
import { decodeRlp } from '../../lib/base/rlp.ts'
import { fromHex } from '../../lib/base/hex.ts'
import { BYTES } from '../../fuzz/bytes-of-kinds.ts'
import { Choices } from '../../fuzz/choices.ts'
import { KINDS } from '../../fuzz/exchange.ts'
import { MESSAGES } from '../../fuzz/messages-of-kinds.ts'
import { damaged, programsOf } from '../../fuzz/programs.ts'
import { anyRequest, validParams } from '../../fuzz/requests.ts'
import { signedTransaction } from '../../fuzz/transactions.ts'

/** Parts of a hundred params that a method takes. */
function taken(prepare: (params: unknown) => unknown, make: () => readonly unknown[]): number {
  let count = 0
  for (let draw = 0; draw < 100; draw++) {
    try {
      prepare(JSON.parse(JSON.stringify(make())))
      count++
    } catch {
      // The schema refuses some.
    }
  }
  return count
}

describe('params', () => {
  test('of every method are mostly taken when they shall be valid', () => {
    const choices = new Choices(1)
    const rows = allMethods.methods.map((method) => ({
      name: method.name,
      taken: taken(method.prepare, () => validParams(method, choices)),
    }))
    expect(rows.filter((row) => row.taken < 15)).toEqual([])
    expect(rows.reduce((sum, row) => sum + row.taken, 0) / rows.length).toBeGreaterThan(80)
  })

  test('that shall be hostile are mostly refused', () => {
    const choices = new Choices(1)
    let refused = 0
    for (let draw = 0; draw < 500; draw++) {
      const { text } = anyRequest(choices, 'hostile')
      const { method, params } = JSON.parse(text)
      try {
        allMethods.find(method)!.prepare(params)
      } catch {
        refused++
      }
    }
    expect(refused).toBeGreaterThan(250)
  })
})

test('a seed repeats its requests', () => {
  const texts = (seed: number) => {
    const choices = new Choices(seed)
    return Array.from({ length: 50 }, () => anyRequest(choices).text)
  }
  expect(texts(3)).toEqual(texts(3))
  expect(texts(3)).not.toEqual(texts(4))
})

test('every kind but long calls has a generator of its own kind', () => {
  const choices = new Choices(1)
  for (const kind of KINDS.filter((each) => each !== 'long calls')) {
    expect((MESSAGES[kind] ?? BYTES[kind])!(choices)).toMatchObject({ kind })
  }
})

test('transactions have all five types', async () => {
  const choices = new Choices(1)
  const signer = { privateKey: `0x${'11'.repeat(32)}`, chainId: 33 } as const
  const types = new Set<number>()
  for (let nonce = 0; nonce < 60; nonce++) {
    const bytes = fromHex(await signedTransaction(signer, nonce, choices))
    const type = bytes[0]! < 0x80 ? bytes[0]! : 0
    types.add(type)
    expect(decodeRlp(type === 0 ? bytes : bytes.subarray(1))).toBeInstanceOf(Array)
  }
  expect([...types].sort()).toEqual([0, 1, 2, 3, 4])
})

test('damaged code is whole bytes, and mostly different', () => {
  const choices = new Choices(1)
  const codes = programsOf(1, 5)
  const pairs = codes.map((code) => [code, damaged(code, choices)] as const)
  for (const [, changed] of pairs) expect(changed).toMatch(/^0x(..)*$/)
  expect(pairs.filter(([code, changed]) => code !== changed).length).toBeGreaterThan(pairs.length / 2)
})
