/** Checks that reverts and loaded states restore every result, and that requests to a world change no other world. */

import { runAtOnce } from '../../../lib/base/routine.ts'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import type { OptionsInput } from '../../../lib/modules/options.ts'
import { allMethods } from '../../../scripts/all-methods.ts'
import { freshNode } from '../../support/node.ts'
import { anyCommands, commandRuns, runCommands } from './support/random-commands.ts'
import { drawsFrom } from '../../support/random-draws.ts'
import { WatchedWorld } from './support/watched-world.ts'
import { READ_PARAMS, UNASKED } from '../../support/read-params.ts'
import { WRITE_PARAMS } from '../../support/write-params.ts'
import { isWhole } from '../../support/tier.ts'

type Row = readonly [name: string, options: OptionsInput, seed: number | undefined]

const SILENT = 'no listeners to every block'
const ROWS: readonly Row[] = [
  ['instant blocks', {}, 1],
  [SILENT, {}, 2],
  ['manual blocks', { mining: false }, 3],
  ['a block every second', { blockTime: 1 }, 4],
  ['long lists and a new seed in every run', {}, undefined],
]

const ROWS_33: readonly Row[] = [
  ['the system transaction', { systemTransaction: true }, 5],
  ['a frozen clock', { frozenTime: true, mining: false }, 6],
]
const ROWS_ETHEREUM: readonly Row[] = [
  ['the rules of London and a frozen clock', { hardfork: 'london', frozenTime: true }, 5],
]

/** A seed gives the same commands in both tiers: the fast one has the short lists, the slow one the long lists. */
const inTier = ([, , seed]: Row): boolean => (seed === undefined) === isWhole

describe.each([
  ['network-33', [...ROWS, ...ROWS_33]],
  ['ethereum', [...ROWS, ...ROWS_ETHEREUM]],
])('after random commands on %s', (network, rows) => {
  test.each(rows.filter(inTier))(
    'a revert restores every result and other worlds are unchanged, with %s',
    async (name, options, seed) => {
      // Some faults need many commands.
      const maxCommands = isWhole ? 600 : 200
      const lists = anyCommands({ maxCommands, isSilent: name === SILENT })
      const law = fc.asyncProperty(lists, async (commands) => {
        const { worlds } = await runCommands({ network, ...options }, commands)
        await worlds[0].node.close()
      })
      await fc.assert(law, commandRuns(1, seed))
    },
  )
})

test('a dumped state that another node loads restores every result, after random commands', async () => {
  const loadedElsewhere = fc.asyncProperty(anyCommands({ maxCommands: 40 }), async (commands) => {
    const { worlds } = await runCommands({}, commands)
    const expected = await worlds[0].look(drawsFrom(1), ['chain'])
    const other = await WatchedWorld.watch('other', await freshNode())
    await other.call('dev_loadState', [await worlds[0].call('dev_dumpState', [])])
    expect(await other.changesSince(expected)).toEqual([])
  })
  await fc.assert(loadedElsewhere, commandRuns(15))
})

test('every writing method has params, and every other method has params or a reason for none', () => {
  const asked = new Set([...Object.values(READ_PARAMS).flatMap(Object.keys), ...Object.keys(UNASKED)])
  const known = { write: new Set(Object.keys(WRITE_PARAMS)), read: asked, all: asked }
  const missing = allMethods.methods.filter(({ name, access }) => !known[access].has(name))
  expect(missing.map(({ name }) => name)).toEqual([])
})

test('a revert releases the blocks it removes', async () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage: () => void = runInNewContext('gc')
  const node = await freshNode()
  const id = node.snapshots.take()
  const taken: WeakRef<object>[] = []
  for (let cycle = 0; cycle < 20; cycle++) {
    taken.push(new WeakRef(runAtOnce(node.miner.mine())))
    node.snapshots.take()
    node.snapshots.revert(id)
  }
  await new Promise((resolve) => setImmediate(resolve))
  collectGarbage()
  expect(taken.filter((block) => block.deref() !== undefined)).toEqual([])
})
