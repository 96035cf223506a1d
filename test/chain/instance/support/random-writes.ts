/**
 * Random writing requests, each with the check of what it must and must not change. Params of the methods are in
 * write-params.ts, observations in watched-world.ts.
 */

import fc from 'fast-check'
import { NodeError } from '../../../../lib/base/errors.ts'
import { allMethods } from '../../../../scripts/all-methods.ts'
import type { ExpectedWorlds } from './expected-worlds.ts'
import { fingerprint } from '../../../support/fingerprint.ts'
import { drawsFrom } from '../../../support/random-draws.ts'
import type { Draw } from '../../../support/random-draws.ts'
import { pick } from '../../../support/command-transactions.ts'
import { differences, expectNone, expectSame } from './watched-world.ts'
import type { ExpectedSnapshot, WatchedWorld } from './watched-world.ts'
import { LISTENERS, paramsFor } from '../../../support/write-params.ts'

const MAX_DUMPS = 4

/** Every writing method. */
const WRITES = allMethods.methods.filter(({ access }) => access === 'write')

/** Mining work: rare among all methods, and effective only in sequences. */
const WORK = WRITES.filter(({ name }) => /Work$|_submitAuxBlock/.test(name))

/** Methods that may reserve blocks: the world is not observed after them, because that would materialize the blocks. */
const RESERVING = ['evm_mine', 'evm_mine_detailed', 'hardhat_mine']

/** Methods that wait for a block up to the time in their last param; without it they would wait on a stopped clock. */
const WAITING = ['eth_sendTransactionSync', 'eth_sendRawTransactionSync']

/** Methods that reset the chain, and all methods that change the tree of snapshots. */
const RESETS = ['evm_reset', 'hardhat_reset']
const TREE = [...RESETS, 'evm_snapshot', 'evm_revert', 'dev_dropSnapshot']

/** Values that are wrong in most places. */
const INVALID_VALUES: readonly unknown[] = [
  null,
  -1,
  '0x',
  '0xzz',
  {},
  [],
  'no such thing',
  true,
  1.5,
  '0x1',
  2 ** 53,
]

/** Selects among the contents of the node. */
export const index = fc.nat(999)

/** Determines which params the reading methods get. Smaller numbers are not simpler. */
export const seed = fc.noShrink(fc.nat())

/** The choices of a writing request. */
interface Write {
  /** Name of the method, or an alias. */
  readonly name: string
  readonly choices: readonly number[]
  /** A wrong or additional param. */
  readonly invalid: { readonly position: number; readonly value: unknown } | undefined
  readonly seed: number
}

/** Generates writes; transactions and snapshots are the most frequent. */
export function anyWrite(isSilent: boolean): fc.Arbitrary<Write> {
  const namesOf = (methods: typeof WRITES) =>
    fc.constantFrom(...methods).chain(({ name, aliases }) => fc.constantFrom(name, ...aliases))
  const all = isSilent ? WRITES.filter(({ name }) => !LISTENERS.includes(name)) : WRITES
  return fc.record({
    name: fc.oneof(
      { weight: 27, arbitrary: fc.constantFrom('eth_sendTransaction', 'eth_sendRawTransaction') },
      { weight: 5, arbitrary: fc.constant('evm_snapshot') },
      { weight: 7, arbitrary: fc.constant('evm_revert') },
      { weight: 6, arbitrary: namesOf(WORK) },
      { weight: 55, arbitrary: namesOf(all) },
    ),
    choices: fc.array(index, { minLength: 6, maxLength: 6 }),
    invalid: fc.oneof(
      { weight: 11, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: fc.record({ position: index, value: fc.constantFrom(...INVALID_VALUES) }) },
    ),
    seed,
  })
}

/** Sends a writing request in the current world, and checks what it must and must not change. */
export async function write(expected: ExpectedWorlds, chosen: Write): Promise<void> {
  const { actor } = expected
  const method = allMethods.find(chosen.name)!.name
  const params = await paramsFor(method, { node: actor.node, choices: chosen.choices })
  const draw = drawsFrom(chosen.seed)
  if (chosen.invalid !== undefined && !WAITING.includes(method)) {
    await writeInvalid(expected, { ...chosen, invalid: chosen.invalid }, params)
  } else if (method === 'evm_snapshot') await snapshot(expected, chosen.name, { params, draw })
  else if (method === 'evm_revert') await revert(expected, chosen.name, { params, draw })
  else if (method === 'dev_loadState') await load(expected, chosen.name, draw)
  else {
    const outcome = await expected.call(actor, chosen.name, params)
    if (method === 'dev_dropSnapshot') await drop(actor, params, outcome)
    if (RESETS.includes(method)) {
      expectNone('reset', await actor.changesSince(actor.beginning))
      await actor.expectSnapshots([])
    }
  }
  actor.touch({ isUnseen: RESERVING.includes(method) })
  expected.checkOthers(actor)
}

/** Calls with one wrong or additional param, and checks that a rejected call changes nothing. */
async function writeInvalid(
  expected: ExpectedWorlds,
  { name, invalid }: Write & { readonly invalid: { position: number; value: unknown } },
  params: readonly unknown[],
): Promise<void> {
  const { actor } = expected
  const wrong = [...params]
  wrong[invalid.position % (params.length + 1)] = invalid.value
  actor.node.miner.makePostponedBlocks()
  const before = fingerprint(actor.node.instance)
  const outcome = await expected.call(actor, name, wrong)
  if (outcome instanceof NodeError) {
    const after = fingerprint(actor.node.instance)
    if (outcome.kind === 'invalidParams') expectNone('refused params', differences(before, after))
    return
  }
  // The call succeeded: a reset drops the snapshots, whose expectation is unknown now.
  if (!TREE.includes(allMethods.find(name)!.name)) return
  await expected.call(actor, 'evm_reset', [])
  await actor.expectSnapshots([])
}

/** Params of a request, and the draws of an observation. */
interface Observed {
  readonly params: readonly unknown[]
  readonly draw: Draw
}

async function snapshot(expected: ExpectedWorlds, name: string, { params, draw }: Observed): Promise<void> {
  const { actor } = expected
  // Observes before the snapshot. With reserved blocks it observes after it, because observing would materialize them.
  const before = actor.isUnseen ? undefined : await actor.look(draw)
  const id = await expected.call(actor, name, params)
  const observation = before ?? (await actor.look(draw))
  if (id instanceof NodeError) return
  const [options] = params as [{ name?: string }?]
  const taken = { name: options?.name, observation }
  await actor.expectSnapshots([...actor.snapshots, [BigInt(id as string), taken]])
}

async function revert(expected: ExpectedWorlds, name: string, { params, draw }: Observed): Promise<void> {
  const { actor } = expected
  const [ref, options] = params as [string, { keep: boolean }?]
  const found = actor.idOf(ref)
  const kept = actor.isUnseen ? undefined : await actor.look(draw, ['kept'])
  const cells = actor.isUnseen ? {} : actor.cells('kept')
  expectSame('answer of the revert', await expected.call(actor, name, params), found !== undefined)
  const changed = kept === undefined ? [] : await actor.changesSince(kept, ['kept'])
  expectNone('what a revert keeps', [...changed, ...differences(cells, actor.cells('kept'))])
  if (found === undefined) return
  const { observation } = actor.snapshots.get(found)!
  expectNone('revert', await actor.changesSince(observation))
  expectNone('what the revert left', await actor.foundBeyond(observation))
  const isKept = ([id]: readonly [bigint, ExpectedSnapshot]) => options?.keep === true || id <= found
  await actor.expectSnapshots([...actor.snapshots].filter(isKept))
}

async function drop(actor: WatchedWorld, [ref]: readonly unknown[], outcome: unknown): Promise<void> {
  const found = actor.idOf(ref as string)
  expectSame('answer of the drop', outcome, found !== undefined)
  await actor.expectSnapshots([...actor.snapshots].filter(([id]) => id !== found))
}

/** Dumps the state of the current world. */
export async function dump(expected: ExpectedWorlds, draw: Draw): Promise<void> {
  const { actor } = expected
  const observation = await actor.look(draw, ['chain'])
  const withSnapshots = draw(2) === 0
  const state = await expected.call(actor, 'dev_dumpState', [{ snapshots: withSnapshots }])
  const snapshots = withSnapshots ? actor.snapshots : new Map<bigint, ExpectedSnapshot>()
  expected.dumps = [...expected.dumps, { state: String(state), observation, snapshots }].slice(-MAX_DUMPS)
}

/** Loads an earlier dump of any world, or a new one. */
async function load(expected: ExpectedWorlds, name: string, draw: Draw): Promise<void> {
  if (expected.dumps.length === 0 || draw(3) === 0) await dump(expected, draw)
  const { actor } = expected
  const { state, observation, snapshots } = pick(expected.dumps, draw(MAX_DUMPS))
  expectSame('answer of the load', await expected.call(actor, name, [state]), true)
  expectNone('load', await actor.changesSince(observation, ['chain']))
  // Snapshots of the file replace the existing ones; without any, the existing ones stay.
  const written = [...snapshots].map(([id, one]) => [id, asWritten(one)] as const)
  await actor.expectSnapshots(written.length > 0 ? written : actor.snapshots)
}

/** The part of a snapshot's observation that a dumped state restores. */
function asWritten({ name, observation }: ExpectedSnapshot): ExpectedSnapshot {
  const { requests, answers, known } = observation
  const isWritten = requests.map(({ kind }) => kind !== 'running')
  const only = <T>(list: readonly T[]) => list.filter((_, at) => isWritten[at])
  return { name, observation: { requests: only(requests), answers: only(answers), cells: {}, known } }
}
