/** Measures the first seconds: each row alternately on this node and on what it is compared with, with each program of Node. */

import { nodeVersion, useProgram } from '../nodes/program.ts'
import type { Outcome } from '../results.ts'
import { keepBusy } from './load.ts'
import type { FirstResult } from './report.ts'
import type { FirstRow, Place, Side } from './row.ts'
import { ROWS } from './rows.ts'
import { Workspace } from './workspace.ts'

/** What is measured. */
export interface FirstPlan {
  readonly rows: readonly FirstRow[]
  /** Programs of Node; this one and a newer one unless given. */
  readonly programs: readonly string[] | undefined
  readonly rounds: number
  /** Whether the other cores have work too. */
  readonly isBusy: boolean
  /** Folder of OpenZeppelin's contracts. */
  readonly openzeppelin: string | undefined
}

/** The rows with these ids, in the order of the table; all unless given. */
export function rowsNamed(ids?: readonly string[]): readonly FirstRow[] {
  const unknown = ids?.find((id) => !ROWS.some((row) => row.id === id))
  if (unknown !== undefined)
    throw new Error(`unknown row ${unknown}: one of ${ROWS.map(({ id }) => id).join(', ')}`)
  return ROWS.filter(({ id }) => ids?.includes(id) ?? true)
}

/** Measures the rows. One that fails is part of the results; one that this plan cannot run is not. */
export async function measureFirst(plan: FirstPlan): Promise<readonly FirstResult[]> {
  const workspace = new Workspace()
  const results: FirstResult[] = []
  const stop = plan.isBusy ? keepBusy() : undefined
  try {
    for (const program of plan.programs ?? workspace.programs()) {
      useProgram(program)
      results.push(...(await measureRows(plan, workspace)))
    }
    return results
  } finally {
    stop?.()
  }
}

async function measureRows(plan: FirstPlan, workspace: Workspace): Promise<readonly FirstResult[]> {
  const { rounds, isBusy, openzeppelin } = plan
  const version = nodeVersion()
  const results = plan.rows
    .filter(({ oldestNode = 0 }) => Number.parseInt(version, 10) >= oldestNode)
    .filter(({ needsOpenzeppelin = false }) => !needsOpenzeppelin || openzeppelin !== undefined)
    .map((row) => ({ row, outcomes: { 'dev-node': [] as Outcome[], other: [] as Outcome[] } }))
  // Round 0 is a warm-up: after an installation, files are not in memory and no code is in V8's cache.
  for (let round = 0; round <= rounds; round++) {
    for (const { row, outcomes } of results) {
      if (round === 0 && row.needsOpenzeppelin === true) continue
      for (const side of sidesOf(row, round)) {
        const outcome = await outcomeOf(row, side, { workspace, openzeppelin })
        if (round > 0) outcomes[side].push(outcome)
        process.stderr.write(
          `Node ${version}, round ${round}: ${row.name}: ${side}: ${JSON.stringify(outcome)}\n`,
        )
      }
    }
  }
  return results.map(({ row: { name, figure }, outcomes }) => ({
    name,
    figure,
    outcomes,
    nodeVersion: version,
    isBusy,
    rounds,
  }))
}

/** Each round begins with the other side. */
function sidesOf({ other }: FirstRow, round: number): readonly Side[] {
  if (other === undefined) return ['dev-node']
  return round % 2 === 0 ? ['dev-node', 'other'] : ['other', 'dev-node']
}

const outcomeOf = (row: FirstRow, side: Side, place: Place): Promise<Outcome> =>
  row.measure(side, place).catch((error: unknown) => ({ failed: String(error) }))
