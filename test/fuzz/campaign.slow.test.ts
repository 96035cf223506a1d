/** Every law of the fuzzer can fail: a node with a planted defect is reported, with what repeats it. */

import { join } from 'node:path'
import { beforeAll, describe, expect, test } from '@jest/globals'
import { build } from 'esbuild'
import { Campaign } from '../../fuzz/campaign.ts'
import type { Failure, Plan } from '../../fuzz/campaign.ts'
import type { Message } from '../../fuzz/exchange.ts'
import { checkMemory } from '../../fuzz/memory.ts'
import { replay, shrink } from '../../fuzz/replay.ts'
import { Session } from '../../fuzz/session.ts'
import { SETTINGS } from '../../fuzz/settings.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const outdir = join(ROOT, '.cache', 'fuzz-test')
const program = join(outdir, 'node-process.js')
const [setting] = SETTINGS as [(typeof SETTINGS)[0]]

beforeAll(async () => {
  const entryPoints = [join(ROOT, 'fuzz', 'node-process.ts')]
  await build({ entryPoints, outdir, bundle: true, platform: 'node', format: 'esm', packages: 'external' })
})

const request: Message = {
  kind: 'single requests',
  via: 'http',
  path: '/',
  text: '{"jsonrpc":"2.0","method":"eth_call","params":[{}],"id":1}',
  requests: 1,
  ids: ['1'],
}

const harmless: Message = { ...request, text: '{"jsonrpc":"2.0","method":"eth_chainId","id":1}' }

describe('a broken law is reported:', () => {
  test.each([
    ['no internal error', 'type error'],
    ['no crash', 'crash'],
    ['no unhandled rejection', 'rejection'],
    ['no request without an answer', 'silence'],
    ['the next honest request in time', 'busy'],
    ['no change by a refused or reading call', 'change'],
  ])('%s', async (law, defect) => {
    const settings = { defect, unansweredMs: defect === 'silence' ? 500 : 20_000 }
    expect(await replay(program, { setting }, [request, harmless, harmless], settings)).toMatchObject({ law })
  })

  test('memory back to its level', async () => {
    const session = await Session.start(program, setting, { defect: 'leak' })
    const levels = [await session.level()]
    for (let sent = 0; sent < 30; sent++) await session.fire(request)
    levels.push(await session.level())
    await session.stop()
    expect(() => checkMemory(levels)).toThrow(expect.objectContaining({ law: 'memory back to its level' }))
    expect(() => checkMemory([levels[0]!, levels[0]!])).not.toThrow()
  })
})

/** A campaign of one node. */
async function campaign(more: Partial<Plan>): Promise<Campaign> {
  const plan: Plan = {
    program,
    settings: [setting],
    seed: 5,
    roundRequests: 1000,
    rounds: 1,
    isOver: (requests) => requests >= 150,
    print: () => undefined,
    onFailure: () => undefined,
    ...more,
  }
  const run = new Campaign(plan)
  await run.run()
  return run
}

/** A campaign that ends with the first failure. */
function campaignUntilFailure(defect: string): Promise<Campaign> {
  const found: Failure[] = []
  return campaign({
    defect,
    isOver: (requests) => found.length > 0 || requests >= 5000,
    onFailure: (failure) => found.push(failure),
  })
}

describe('a campaign', () => {
  test('finds no broken law, and counts what it sends', async () => {
    const run = await campaign({})
    expect(run.failures).toEqual([])
    expect(Number(/(\d+) requests together/.exec(run.summary().join('\n'))?.[1])).toBeGreaterThanOrEqual(150)
  })

  test('reports a defect with the seed and with the exchanges, which repeat it and can be shortened', async () => {
    const defect = 'type error'
    const { failures } = await campaignUntilFailure(defect)
    expect(failures).toMatchObject([
      { law: 'no internal error', seed: 5, detail: expect.stringContaining('planted') },
    ])
    const [{ exchanges } = { exchanges: [] }] = failures
    const fails = async (some: typeof exchanges) =>
      (await replay(program, { setting }, some, { defect })) !== undefined
    const short = await shrink(exchanges.slice(-3), fails)
    expect(short).toHaveLength(1)
    expect(short[0]!.text).toMatch(/eth_call/)
  })
})
