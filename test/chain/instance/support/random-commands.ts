/**
 * Random commands for fast-check on several worlds of a node. After each, what a revert, a load or another world must not
 * change is compared. The writing requests are in random-writes.ts.
 */

import fc from 'fast-check'
import { toQuantity } from '../../../../lib/base/hex.ts'
import type { OptionsInput } from '../../../../lib/modules/options.ts'
import type { Node } from '../../../../lib/node/node.ts'
import { ExpectedWorlds } from './expected-worlds.ts'
import { ManualHost, elapse, freshNode } from '../../../support/node.ts'
import { drawsFrom } from '../../../support/random-draws.ts'
import { anyWrite, dump, index, seed, write } from './random-writes.ts'
import { pick } from '../../../support/command-transactions.ts'
import { WatchedWorld, expectNone, expectSame } from './watched-world.ts'

/** The node under test. */
export interface TestedNode {
  readonly node: Node
  readonly host: ManualHost
}

/** A command, which selects among the contents of the node with its choices. */
type Command = fc.AsyncCommand<ExpectedWorlds, TestedNode>

/** Runs a command with its choices. */
type Run<C> = (expected: ExpectedWorlds, choices: C, tested: TestedNode) => Promise<void>

/** Makes commands of random choices. They are shown by the requests that they made. */
function anyCommand<C>(
  choices: fc.Arbitrary<C>,
  run: Run<C>,
  isPossible: (expected: Readonly<ExpectedWorlds>) => boolean = () => true,
): fc.Arbitrary<Command> {
  const commandOf = (chosen: C): Command & fc.WithCloneMethod<Command> => {
    let log: string[] = []
    return {
      check: isPossible,
      run: (expected, tested) => {
        log = expected.log = []
        return run(expected, chosen, tested)
      },
      toString: () => `\n  ${log.join('\n  ')}`,
      [fc.cloneMethod]: () => commandOf(chosen),
    }
  }
  return choices.map(commandOf)
}

/** What a failure printed, to repeat it: `REPLAY='{"seed":1,"path":"0:2","replayPath":"AB:c"}'`. */
const REPLAY = JSON.parse(process.env['REPLAY'] ?? '{}') as {
  readonly seed?: number
  readonly path?: string
  readonly replayPath?: string
}

const MAX_WORLDS = 4

async function letTimePass(
  { worlds, log }: ExpectedWorlds,
  ms: number,
  { node, host }: TestedNode,
): Promise<void> {
  log.push(`time ${ms} ms`)
  await elapse(node, host, ms)
  for (const world of worlds) await world.node.instance.lock.run('write', () => undefined)
  for (const world of worlds) world.touch()
}

/** Creates a world from the default chain's head or snapshot. `enter` holds it, so that it does not end while idle. */
async function createWorld(expected: ExpectedWorlds, choice: number): Promise<void> {
  const { worlds } = expected
  const id = `world-${++expected.created}`
  const known = [...worlds[0].snapshots.keys()].map(toQuantity)
  const from = pick([undefined, ...known], choice)
  const options = from === undefined ? { id } : { id, from }
  await expected.call(pick(worlds, choice), 'dev_createWorld', [options])
  const world = await WatchedWorld.watch(id, worlds[0].node.worlds.acquire(id).chain)
  expected.worlds = [...worlds, world]
  expected.checkOthers(world)
}

async function deleteWorld(expected: ExpectedWorlds, choice: number): Promise<void> {
  const [first, ...others] = expected.worlds
  const gone = pick(others, choice)
  const outcome = await expected.call(first, 'dev_deleteWorld', [gone.name])
  expectSame('answer of dev_deleteWorld', outcome, true)
  expected.worlds = [first, ...others.filter((world) => world !== gone)]
  if (expected.actor === gone) expected.actor = first
  if (expected.still === gone) expected.still = first
  expected.checkOthers(undefined)
}

/** Continues in another world, and observes a third one before and after the commands. */
async function changeWorld(expected: ExpectedWorlds, { to, still, seed: from }: WorldChange): Promise<void> {
  const { worlds } = expected
  expected.log.push(`to ${pick(worlds, to).name}, observing ${pick(worlds, still).name}`)
  const listed = (await worlds[0].call('dev_worlds', [])) as { id: string; blockHash: string }[]
  const heads = worlds.slice(1).map(({ name, node }) => `${name} ${node.chain.head.block.hash}`)
  expectSame('worlds', listed.map(({ id, blockHash }) => `${id} ${blockHash}`).join(), heads.join())
  const draw = drawsFrom(from)
  const lookAt = async (world: WatchedWorld) =>
    expectNone(`${world.name}, where nothing happened`, await world.strayAnswers(draw))
  await lookAt(expected.still)
  expected.actor = pick(worlds, to)
  expected.still = pick(worlds, still)
  if (expected.still !== expected.actor) await lookAt(expected.still)
}

interface WorldChange {
  readonly to: number
  readonly still: number
  readonly seed: number
}

/** Commands in their order. */
type Commands = ReturnType<typeof fc.commands<ExpectedWorlds, TestedNode, false>>

/** Generates lists of commands. Silent ones add no filters and subscriptions, which prevent reserved blocks. */
export function anyCommands({ maxCommands = 200, isSilent = false } = {}): Commands {
  const hasOthers = ({ worlds }: Readonly<ExpectedWorlds>) => worlds.length > 1
  const hasRoom = ({ worlds }: Readonly<ExpectedWorlds>) => worlds.length < MAX_WORLDS
  const dumped: Run<number> = (expected, from) => dump(expected, drawsFrom(from))
  const command = fc.oneof(
    { weight: 913, arbitrary: anyCommand(anyWrite(isSilent), write) },
    { weight: 10, arbitrary: anyCommand(fc.nat(3000), letTimePass) },
    { weight: 10, arbitrary: anyCommand(seed, dumped) },
    { weight: 12, arbitrary: anyCommand(index, createWorld, hasRoom) },
    { weight: 6, arbitrary: anyCommand(index, deleteWorld, hasOthers) },
    { weight: 50, arbitrary: anyCommand(fc.record({ to: index, still: index, seed }), changeWorld) },
  )
  return fc.commands([command], { maxCommands, size: 'max', ...REPLAY })
}

/** Runs commands on a new node. @throws Error when a command finds a difference */
export async function runCommands(
  options: OptionsInput,
  commands: Parameters<typeof fc.asyncModelRun<ExpectedWorlds, TestedNode, false, ExpectedWorlds>>[1],
): Promise<ExpectedWorlds> {
  const host = new ManualHost()
  const node = await freshNode(options, host)
  const model = await ExpectedWorlds.of(node)
  await fc.asyncModelRun(() => ({ model, real: { node, host } }), commands)
  return model
}

/**
 * Parameters of a random test of commands. Shrinking ends after 100 seconds with the shortest failing list so far.
 * @param seed without it, every run has a new one
 */
export function commandRuns(numRuns: number, seed?: number): fc.Parameters<unknown> {
  const limit = { interruptAfterTimeLimit: 100_000, markInterruptAsFailure: true }
  return { numRuns, ...limit, ...(seed === undefined ? {} : { seed }), ...REPLAY }
}
