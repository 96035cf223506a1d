import { runAtOnce } from '../../lib/base/routine.ts'
import { expect, test } from '@jest/globals'
import { asHash } from '../../lib/base/hex.ts'
import { present } from '../../lib/base/invariant.ts'
import { HashIndex } from '../../lib/chain/segment.ts'
import { freshNode } from '../support/node.ts'

/** A hash with these first four bytes, of which alone the index knows, and this last byte. */
const hashOf = (first: string, last: string) => asHash(`0x${first}${'0'.repeat(54)}${last}`)

test('finds and removes blocks whose hashes begin with the same four bytes', async () => {
  const { chain, miner } = await freshNode()
  const entries = [1n, 2n, 3n].map((number) => {
    runAtOnce(miner.mine())
    return present(chain.at(number), 'mined block')
  })
  const hashes = [hashOf('deadbeef', '01'), hashOf('deadbeef', '02'), hashOf('0eadbeef', '01')]
  const index = new HashIndex(({ number }) => [hashes[number - 1]!])
  const found = () => hashes.map((hash) => index.find(hash)?.number)
  expect(found()).toEqual([undefined, undefined, undefined])
  for (const entry of entries) index.add(entry)
  expect(found()).toEqual([1, 2, 3])
  expect(index.find(hashOf('deadbeef', '03'))).toBeUndefined()
  index.remove(entries[0]!)
  expect(found()).toEqual([undefined, 2, 3])
  index.remove(entries[1]!)
  expect(found()).toEqual([undefined, undefined, 3])
})
