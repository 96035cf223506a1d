/**
 * Fails if an operation of this node takes far more processor time than before. Times are compared as ratios to a fixed amount
 * of work in the same run, so that the machine matters little.
 */

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { calibrationMs } from './calibration.ts'
import { connect } from './client.ts'
import { ROOT } from './folders.ts'
import { devNode33 } from './nodes/dev-node.ts'
import { measureOne } from './in-process/processes.ts'
import { COLD_ROWS } from './in-process/rows.ts'
import { startNode } from './nodes/node.ts'
import { Session } from './session.ts'
import type { Extent } from './session.ts'
import { BLOCK_ROWS } from './workloads/blocks.ts'
import { CALL_ROWS } from './workloads/calls.ts'
import type { Row } from './workloads/row.ts'
import { TRANSACTION_ROWS } from './workloads/transactions.ts'

const FILE = join(ROOT, 'bench', 'guard.json')

/** How many times the committed ratio is too much. */
const TOLERANCE = 4

/** Rounds of the ratios that are written. */
const WRITTEN_ROUNDS = 3

/** Rounds in which a row has to be too slow: what is only disturbed holds in one of them. */
const MAX_ROUNDS = 6

/** Rows over HTTP whose processor time is more than noise in a short run. */
const ROWS: readonly Row[] = [...TRANSACTION_ROWS, ...CALL_ROWS, ...BLOCK_ROWS].filter(
  ({ name, process }) => process !== 'fresh' && !name.endsWith('Mgas, first') && !name.includes('WebSocket'),
)

/** Name of a row that is measured in a process of Hardhat. */
const inProcess = (name: string): string => `${name}, in process`

/** Names of all rows. */
export const NAMES: readonly string[] = [
  ...ROWS.map(({ name }) => name),
  ...COLD_ROWS.map(({ name }) => inProcess(name)),
]

/** Half of the operations of the table, however long they take: what is not warm is slower. */
const EXTENT: Extent = { scale: 0.5, limitMs: Infinity }

/** Processor time of an operation in thousandths of the calibration, by row. */
export type Ratios = Readonly<Record<string, number>>

/** Writes or compares the ratios. Answers whether all of them hold. */
export async function guard({ update }: { readonly update: boolean }): Promise<boolean> {
  if (update) {
    const written = await measureRatios(WRITTEN_ROUNDS)
    writeFileSync(FILE, `${JSON.stringify(written, undefined, 2)}\n`)
    console.log('bench/guard.json is written')
    return true
  }
  const committed = JSON.parse(readFileSync(FILE, 'utf8')) as Ratios
  const measured = await measureRatios(MAX_ROUNDS, (ratios) => tooSlow(ratios, committed).length === 0)
  console.table(
    Object.fromEntries(
      NAMES.map((name) => [
        name,
        { committed: committed[name], now: measured[name], times: times(measured[name], committed[name]) },
      ]),
    ),
  )
  const slow = tooSlow(measured, committed)
  for (const name of slow) console.log(`${name}: more than ${TOLERANCE} times the ratio in bench/guard.json`)
  if (slow.length > 0)
    console.log('If that is meant to be, `npm run bench -- --guard --update` writes the new ratios.')
  return slow.length === 0
}

/** Rows that take more than the tolerated part of their committed ratio. Rows without one pass. */
export function tooSlow(measured: Ratios, committed: Ratios): readonly string[] {
  return Object.keys(measured).filter((name) => times(measured[name], committed[name]) > TOLERANCE)
}

function times(measured: number | undefined, committed: number | undefined): number {
  if (measured === undefined || committed === undefined) return 0
  return Number((measured / committed).toFixed(2))
}

/**
 * The best of the rounds, in thousandths of the best calibration: other processes only make both slower. All rows run in each
 * round, because how fast code is depends on what ran before it. Rows in process are cold, each in a process of its own.
 */
async function measureRatios(rounds: number, isEnough = (_ratios: Ratios) => false): Promise<Ratios> {
  const best = new Map<string, number>()
  let calibration = calibrationMs()
  const keep = (name: string, cpuMs = NaN) => {
    best.set(name, Math.min(cpuMs, best.get(name) ?? cpuMs))
    calibration = Math.min(calibration, calibrationMs())
  }
  for (let round = 1; ; round++) {
    const running = await startNode(devNode33)
    const session = new Session(running, EXTENT, connect(running.url))
    try {
      for (const row of ROWS) {
        const { cpuMs } = await row.measure(session)
        keep(row.name, cpuMs)
      }
    } finally {
      session.disconnect()
      await session.running.stop()
    }
    for (const row of COLD_ROWS) {
      const { cpuMs } = await measureOne('dev-node', row)
      keep(inProcess(row.name), cpuMs)
    }
    const ratios = Object.fromEntries(
      [...best].map(([name, cpuMs]) => [name, Number(((1000 * cpuMs) / calibration).toPrecision(3))]),
    )
    if (round === rounds || isEnough(ratios)) return ratios
  }
}
