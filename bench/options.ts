/** Options of `npm run bench`. */

import { parseArgs } from 'node:util'
import { NODES } from './nodes/all.ts'
import type { BenchNode } from './nodes/node.ts'

/** What a run does. */
export interface BenchOptions {
  /** The table unless another subject is named. */
  readonly subject:
    | 'table'
    | 'first'
    | 'fork'
    | 'in-process'
    | 'suites'
    | 'guard'
    | 'workers'
    | 'install'
    | 'help'
  /** Part of the names of the rows to measure, or of the test files of a suite. */
  readonly only: string | undefined
  /** Folder of a Hardhat 2 project, for suites. */
  readonly project: string | undefined
  /** Whether the user named programs of Node. */
  readonly namesPrograms: boolean
  /** Programs of Node that run what is measured; this one unless given. */
  readonly programs: readonly string[]
  readonly nodes: readonly BenchNode[]
  readonly rounds: number
  /** Fewer operations, for a first look. */
  readonly quick: boolean
  /** Ids of rows of the first seconds. */
  readonly rows: readonly string[] | undefined
  /** Folder of OpenZeppelin's contracts, for rows of the first seconds. */
  readonly openzeppelin: string | undefined
  /** Whether the other cores have work too. */
  readonly busy: boolean
  /** Whether a part of the measurements renews what is written: ratios of the guard, rows of the first seconds. */
  readonly update: boolean
  /** Built command of this project's node; the one in dist unless given. */
  readonly command: string | undefined
  /** Whether the run measures everything, so that its results belong in the document. */
  readonly complete: boolean
}

/** What `--help` prints. */
export const HELP = `npm run bench -- [options]

Measures this node and others, and writes docs/performance.md and docs/performance.svg.
With --only, --nodes, --node, --command or --quick it only prints the tables.

  --only <text>      rows with this text in their names
  --nodes <a,b>      ${NODES.map(({ id }) => id).join(', ')}
  --rounds <n>       rounds of each row; 3 unless given, 7 with --first
  --quick            one round with a tenth of the operations
  --command <file>   another build of this node
  --node <a,b>       other programs of Node, each for a run of its own, such as node_modules/node/bin/node after
                     "npm install node@24" in a folder of its own
  --install          installs Hardhat 3 and Ganache in .cache/bench, some 500 MB
  --first            small and large suites from their start on, against what they would run on otherwise; 7 rounds
  --first --rows <a,b>  some of its rows; an unknown name lists them. With --update they renew theirs in the document
  --first --openzeppelin <folder>  also rows of a checkout of OpenZeppelin's contracts, with its packages, compiled
  --first --busy     the same with work on the other cores
  --fork             nodes that fork a remote with latency, and their requests
  --in-process       the first requests of processes of Hardhat 2, on its own chain and on this node
  --suites           suites inside Hardhat 2, on its own chain and on this node
  --suites --project <folder>  the suite of that project; --only a,b chooses test files
  --guard            compares the processor time of this node with bench/guard.json
  --guard --update   writes new ratios to bench/guard.json
  --workers          eight workers on one node, and on eight processes of Anvil`

const SUBJECTS = ['first', 'fork', 'in-process', 'suites', 'guard', 'workers', 'install', 'help'] as const

/** Reads the options of a command line. Throws for unknown ones. */
export function parseOptions(args: readonly string[]): BenchOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string' },
      project: { type: 'string' },
      rows: { type: 'string' },
      openzeppelin: { type: 'string' },
      node: { type: 'string' },
      nodes: { type: 'string' },
      rounds: { type: 'string' },
      command: { type: 'string' },
      quick: { type: 'boolean', default: false },
      update: { type: 'boolean', default: false },
      busy: { type: 'boolean', default: false },
      first: { type: 'boolean', default: false },
      fork: { type: 'boolean', default: false },
      'in-process': { type: 'boolean', default: false },
      suites: { type: 'boolean', default: false },
      guard: { type: 'boolean', default: false },
      workers: { type: 'boolean', default: false },
      install: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  const { only, project, openzeppelin, node, command, quick, busy, update } = values
  const rows = values.rows?.split(',')
  return {
    subject: SUBJECTS.find((name) => values[name]) ?? 'table',
    only,
    project,
    rows,
    openzeppelin,
    busy,
    namesPrograms: node !== undefined,
    programs: node?.split(',') ?? [process.execPath],
    nodes: values.nodes === undefined ? NODES : values.nodes.split(',').map(nodeNamed),
    rounds: roundsFrom(values.rounds ?? (quick ? '1' : values.first ? '7' : '3')),
    quick,
    update,
    command,
    complete:
      [only, values.rows, values.nodes, node, command].every((value) => value === undefined) && !quick,
  }
}

function nodeNamed(id: string): BenchNode {
  const node = NODES.find((each) => each.id === id)
  if (node === undefined)
    throw new Error(`unknown node ${id}: one of ${NODES.map((each) => each.id).join(', ')}`)
  return node
}

function roundsFrom(text: string): number {
  const rounds = Number(text)
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error(`--rounds ${text} is no positive whole number`)
  return rounds
}
