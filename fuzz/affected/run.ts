/**
 * Checks the law of `affected`: each file of tests that a whole run finds failing after a change of a contract is among the affected
 * ones. `npm run fuzz:affected -- --mutations 50 --seed 1`; `--help` lists the options.
 */

import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { drawsFrom } from '../../test/support/random-draws.ts'
import { ProjectCopy } from './project-copy.ts'
import { mutated, sourceMutations } from './source-mutations.ts'

const HELP = `npm run fuzz:affected -- [options] [-- more words for hardhat test]
  --project <folder>     a project with Hardhat 2 on dev-node, which is copied; fuzz/affected/project
  --contracts <folder>   the folder in it whose sources are changed; contracts
  --mutations <n>        how many changes that compile; 50
  --seed <n>             of the random choices; random`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    project: { type: 'string', default: join('fuzz', 'affected', 'project') },
    contracts: { type: 'string', default: 'contracts' },
    mutations: { type: 'string', default: '50' },
    seed: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) console.log(HELP)
else checkLaw()

function checkLaw(): void {
  const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed)
  const draw = drawsFrom(seed)
  const any = <T>(from: readonly T[]): T => from[draw(from.length)]!
  const project = new ProjectCopy(resolve(values.project), positionals)
  const files = project.firstRun()
  const changes = project
    .sources(values.contracts)
    .map((source) => [source, sourceMutations(project.read(source))] as const)
    .filter(([, mutations]) => mutations.length > 0)
  const counts: number[] = []
  let [broken, failing, missed] = [0, 0, 0]
  while (counts.length < Number(values.mutations)) {
    const [source, mutations] = any(changes)
    const mutation = any(mutations)
    const run = project.runWith(source, mutated(project.read(source), mutation))
    if (run === undefined) {
      broken++
      continue
    }
    counts.push(run.affected.length)
    if (run.failing.length > 0) failing++
    const misses = run.failing.filter((file) => !run.affected.includes(file))
    if (misses.length > 0) missed++
    const { kind, line, before, after } = mutation
    console.log(
      [
        `${counts.length} ${source}:${line + 1} ${kind}`,
        `${run.affected.length} affected, ${run.failing.length} failing`,
        ...(misses.length === 0 ? [] : [`MISSED ${misses.join(', ')}`]),
        `${before.trim()} -> ${after.trim()}`,
      ].join(' | '),
    )
  }
  const mean = counts.reduce((sum, count) => sum + count, 0) / counts.length
  const median = counts.toSorted((a, b) => a - b)[counts.length >> 1]
  console.log(
    `seed ${seed}: ${counts.length} mutations, and ${broken} that do not compile; ${failing} fail tests; ${missed} missed; of ${files} files, affected: median ${median}, mean ${mean.toFixed(1)}`,
  )
  process.exitCode = missed === 0 ? 0 : 1
}
