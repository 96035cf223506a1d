/**
 * Fuzzes nodes with real sockets, each in a process of its own, and checks the laws of messages.ts:
 * `npm run fuzz -- --minutes 10 --seed 7`. `--help` lists the options.
 */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Campaign } from './campaign.ts'
import type { Failure } from './campaign.ts'
import type { Exchange } from './exchange.ts'
import { longestTransactions } from './longest.ts'
import { replay, shrink } from './replay.ts'
import { SETTINGS } from './settings.ts'

const HELP = `npm run fuzz -- [options]
  --seconds <n>, --minutes <n>   how long; 60 seconds
  --requests <n>                 how many requests instead
  --seed <n>                     seed of the first round; random
  --only <text>                  nodes whose name contains the text: ${SETTINGS.map(({ name }) => name).join('; ')}
  --round <n>                    requests in a round; 2000
  --rounds <n>                   rounds of one node; 6
  --replay <file>                sends what a report of an earlier run contains
  --shrink                       with --replay: finds a shorter list that fails too
  --longest                      measures the transactions that take longest for their gas, instead`

const { values } = parseArgs({
  options: {
    seconds: { type: 'string' },
    minutes: { type: 'string' },
    requests: { type: 'string' },
    seed: { type: 'string' },
    only: { type: 'string', default: '' },
    round: { type: 'string', default: '2000' },
    rounds: { type: 'string', default: '6' },
    replay: { type: 'string' },
    shrink: { type: 'boolean', default: false },
    longest: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

/** npm builds the process of the node next to this file. */
const program = join(import.meta.dirname, 'node-process.js')
const folder = join(process.cwd(), '.cache', 'fuzz')

if (values.help) console.log(HELP)
else if (values.replay !== undefined) await repeat(values.replay)
else if (values.longest) await showLongest()
else await fuzz()

async function fuzz(): Promise<void> {
  const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed)
  const seconds = Number(values.seconds ?? 60 * Number(values.minutes ?? 1))
  const wanted = values.requests === undefined ? Infinity : Number(values.requests)
  const endsAt = Date.now() + (wanted === Infinity ? 1000 * seconds : Infinity)
  // An interrupted run prints its figures.
  const stop = { isAsked: false }
  process.once('SIGINT', () => (stop.isAsked = true))
  console.log(`seed ${seed}, ${wanted === Infinity ? `${seconds} seconds` : `${wanted} requests`}`)
  const campaign = new Campaign({
    program,
    settings: SETTINGS.filter(({ name }) => name.includes(values.only)),
    seed,
    roundRequests: Number(values.round),
    rounds: Number(values.rounds),
    isOver: (requests) => stop.isAsked || requests >= wanted || Date.now() >= endsAt,
    print: (line) => console.log(line),
    onFailure: report,
  })
  await campaign.run()
  for (const line of campaign.summary()) console.log(line)
  process.exit(campaign.failures.length === 0 ? 0 : 1)
}

/** Prints a failure and writes its file. */
function report(failure: Failure): void {
  const { law, detail, setting, seed, exchanges } = failure
  const file = join(folder, `failure-${seed}.json`)
  mkdirSync(folder, { recursive: true })
  writeFileSync(
    file,
    JSON.stringify(failure, (_, value: unknown) => (typeof value === 'bigint' ? Number(value) : value), 1),
  )
  console.error(
    `\nBroken: ${law}, on ${setting.name}, in the round with --seed ${seed} --only '${setting.name}'`,
  )
  console.error(detail.slice(0, 1500))
  for (const { kind, via, text } of exchanges.slice(-3))
    console.error(`  ${kind} over ${via}: ${text.slice(0, 300)}`)
  console.error(`The last ${exchanges.length} exchanges: npm run fuzz -- --replay ${file} --shrink`)
}

async function repeat(file: string): Promise<void> {
  const failure = JSON.parse(readFileSync(file, 'utf8')) as Failure
  const broken = await replay(program, failure, failure.exchanges)
  if (broken === undefined)
    return console.log(`not repeated: ${failure.law}; the whole round is --seed ${failure.seed}`)
  console.log(`${broken.law}: ${broken.message}`)
  process.exitCode = 1
  if (!values.shrink) return
  const fails = async (some: readonly Exchange[]) =>
    (await replay(program, failure, some))?.law === broken.law
  for (const { kind, via, text } of await shrink(failure.exchanges, fails))
    console.log(`${kind} over ${via}: ${text}`)
}

async function showLongest(): Promise<void> {
  for (const { name, ms, estimateMs, gasUsed } of await longestTransactions(program)) {
    console.log(`${ms} ms for ${gasUsed} gas, ${estimateMs} ms with an estimate: ${name}`)
  }
}
