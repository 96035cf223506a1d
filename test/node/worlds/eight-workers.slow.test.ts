/** Eight workers at once on one node, in eight processes. bench/worker.ts has their requests and checks. */

import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { build } from 'esbuild'
import { request, startDevNode } from '../../support/packed-command.ts'
import type { RunningNode } from '../../support/packed-command.ts'

const WORKERS = 8
const TRANSACTIONS = 200
/** Blocks that are left after every other round of twenty was reverted, with the block of the worker's contract. */
const STANDING = 100
const BLOCKS = STANDING + 1
/** Megabytes of heap of the node, which ends when they are full. */
const MAX_HEAP = 80

let node: RunningNode
let program: string
const hired: ChildProcess[] = []

beforeAll(async () => {
  program = join(await mkdtemp(join(tmpdir(), 'worker-')), 'worker.mjs')
  await build({
    entryPoints: [join(import.meta.dirname, '../../../bench/worker.ts')],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
  })
  // Without cross-checks, which need more memory.
  node = await startDevNode([], {
    DEV_NODE_CROSS_CHECK: 'false',
    NODE_OPTIONS: `--max-old-space-size=${MAX_HEAP}`,
  })
})

afterAll(async () => {
  for (const worker of hired) worker.kill()
  expect(await node.stop()).toBe(0)
})

interface Task {
  readonly number: number
  readonly world: string
  readonly transactions: number
}

/** Starts a worker process; each call of the result lets it continue and returns its next message. */
async function hire({ number, world, transactions }: Task): Promise<() => Promise<unknown>> {
  const worker = fork(program, { execArgv: [] })
  hired.push(worker)
  const goOn = async (message: object): Promise<unknown> => {
    const said = once(worker, 'message')
    worker.send(message)
    return (await said)[0]
  }
  expect(await goOn({ url: `${node.url}/w/${world}`, number, transactions })).toEqual({ ready: true })
  return () => goOn({})
}

const ask = <Result>(method: string, params: readonly unknown[] = [], path = '') =>
  request<Result>(`${node.url}${path}`, method, params)

test('eight workers run without loss, mixing or errors', async () => {
  const numbers = Array.from({ length: WORKERS }, (_, index) => index + 1)
  const workers = await Promise.all(
    numbers.map((number) => hire({ number, world: `worker-${number}`, transactions: TRANSACTIONS })),
  )
  const all = <Said>(said: Said) => numbers.map(() => said)
  expect(await Promise.all(workers.map((work) => work()))).toEqual(all({ polls: 0 }))
  expect(await Promise.all(workers.map((verify) => verify()))).toEqual(all({ mined: STANDING }))
  const worlds = await ask<readonly { id: string }[]>('dev_worlds')
  expect(worlds.map(({ id }) => id).sort()).toEqual(numbers.map((number) => `worker-${number}`))
  const blocks = worlds.map(({ id }) => ask('eth_blockNumber', [], `/w/${id}`))
  expect(await Promise.all(blocks)).toEqual(all(`0x${BLOCKS.toString(16)}`))
  expect(await ask('eth_blockNumber')).toBe('0x0')
  expect(node.stderr()).toBe('')
})

test('two workers in one world disturb each other', async () => {
  const task = { world: 'shared', transactions: 40 }
  const [first] = [await hire({ ...task, number: 1 }), await hire({ ...task, number: 2 })]
  expect(await first()).toEqual({ error: expect.stringContaining('AssertionError') })
})
