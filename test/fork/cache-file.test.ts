/** The file in which the facts about a block travel: a law, and every way to damage it. */

import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { toHex } from '../../lib/base/hex.ts'
import { sha256 } from '../../lib/crypto/sha256.ts'
import { packFork, unpackFork } from '../../lib/fork/cache-transfer.ts'
import { blockOf } from '../support/fork-cache.ts'

const block = blockOf(20_000_000, 99n)

const FACTS = new Map([
  ['eth_getBalance ["0xaa","0xbb"]', '"0x7"'],
  ['absent eth_getTransactionByHash ["0xcc"]', 'true'],
  ['eth_call [{"to":"0xé"}]', '{"failure":"\\n"}'],
])

describe('a packed fork', () => {
  const method = fc.stringMatching(/^[a-z]{1,5}_[a-zA-Z]{1,8}$/)
  const fact = fc.tuple(
    fc.tuple(fc.constantFrom('', 'absent '), method, fc.array(fc.jsonValue(), { maxLength: 3 })),
    fc.jsonValue(),
  )
  const facts = fc.array(fact, { maxLength: 20 }).map((list) => {
    const entries = list.map(
      ([[prefix, name, params], value]) =>
        [`${prefix}${name} ${JSON.stringify(params)}`, JSON.stringify(value)] as const,
    )
    return new Map(entries)
  })

  test('is unpacked to the same facts', () =>
    fc.assert(
      fc.asyncProperty(facts, async (given) => {
        const { block: found, facts: unpacked } = await unpackFork(await packFork({ block, facts: given }))
        expect(found).toEqual(block)
        expect(new Map(unpacked)).toEqual(given)
      }),
    ))

  test('has the same bytes in whatever order the facts were learned', () =>
    fc.assert(
      fc.asyncProperty(facts, async (given) => {
        const reversed = new Map([...given].toReversed())
        const [one, other] = [
          await packFork({ block, facts: given }),
          await packFork({ block, facts: reversed }),
        ]
        expect(one.equals(other)).toBe(true)
      }),
    ))

  test('says on its first line what it is', async () => {
    const [title] = (await packFork({ block, facts: FACTS })).toString('latin1').split('\n')
    expect(title).toMatch(new RegExp(`^dev-node-fork-cache 1 99 20000000 ${block.blockHash} 0x[0-9a-f]{64}$`))
  })
})

describe('a damaged file is refused', () => {
  test('cut short at every length', async () => {
    const file = await packFork({ block, facts: FACTS })
    for (let length = 0; length < file.length; length++)
      await expect(unpackFork(file.subarray(0, length))).rejects.toThrow(/cut short/)
  })

  test('with any bit flipped', async () => {
    const file = await packFork({ block, facts: FACTS })
    for (let bit = 0; bit < 8 * file.length; bit++) {
      const flipped = Buffer.from(file)
      flipped[bit >> 3]! ^= 1 << (bit & 7)
      await expect(unpackFork(flipped)).rejects.toMatchObject({ kind: 'remoteFailed' })
    }
  })

  test.each([
    [
      'a file of something else',
      Buffer.from('{"accounts": []}\n'),
      'it is not a file of dev-node cache export',
    ],
    ['no bytes', Buffer.alloc(0), 'it is not a file of dev-node cache export'],
    ['another format', Buffer.from('dev-node-fork-cache 2 anything\n'), 'that this release can read'],
    [
      'a first line of another form',
      Buffer.from('dev-node-fork-cache 1 -1 5 0xab\n'),
      'that this release can read',
    ],
  ])('%s', async (_name, file, message) => {
    await expect(unpackFork(file)).rejects.toThrow(message)
  })

  test('facts that cannot be unpacked, although the checksum fits', async () => {
    const title = `dev-node-fork-cache 1 99 5 0x${'ab'.repeat(32)}`
    const sum = toHex(sha256(Buffer.from(`${title}\nnoise`)))
    await expect(unpackFork(Buffer.from(`${title} ${sum}\nnoise`))).rejects.toThrow('Decompression failed')
  })
})
