/** The rows of the first seconds: what a small suite costs on this node, and on the chain it would use otherwise. */

import { measureOne } from '../in-process/processes.ts'
import { FIRST_SENDS } from '../in-process/rows.ts'
import { anvilDefault } from '../nodes/anvil.ts'
import { devNodeEthereum } from '../nodes/dev-node.ts'
import { startNode } from '../nodes/node.ts'
import { nodeProgram } from '../nodes/program.ts'
import { run } from '../suites/suite.ts'
import { COLD } from '../workloads/transactions.ts'
import { OPENZEPPELIN_ROWS } from './openzeppelin.ts'
import { HARDHAT_CHAIN } from './row.ts'
import type { FirstRow, Place, Side } from './row.ts'
import { timedTests } from './timed.ts'
import { HARDHAT } from './workspace.ts'
import type { ProjectName } from './workspace.ts'

/** The line of Solidity at which the failing test fails. */
const FAILING_LINE = 'contracts/Token.sol:48'

/** Ten tests of a small project. With `FAILS`, one of them fails in a transaction. */
const tenTests =
  (project: ProjectName, args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  (side: Side, { workspace }: Place) => {
    const failed = env['FAILS'] === undefined ? 0 : 1
    const command = {
      file: nodeProgram(),
      args,
      cwd: workspace.project(project),
      env: { ...workspace.env, ...env, ...(side === 'dev-node' ? { DEV: '1' } : {}) },
    }
    return timedTests(command, { passed: 10 - failed, failed, text: failed === 1 ? FAILING_LINE : '' })
  }

async function firstSends(side: Side) {
  const { cpuMs = NaN } = await measureOne(side === 'dev-node' ? side : 'edr', FIRST_SENDS)
  return { cpuMs: COLD.operations * cpuMs }
}

async function importOfPackage(_side: Side, { workspace }: Place) {
  const output = await run({ file: nodeProgram(), args: ['first-answer.js'], cwd: workspace.project('viem') })
  const cpuMs = Number(output)
  if (!(cpuMs > 0)) throw new Error(output)
  return { cpuMs }
}

async function start(side: Side) {
  const running = await startNode(side === 'dev-node' ? devNodeEthereum : anvilDefault)
  await running.stop()
  return running.start
}

/** In the order of the table. */
export const ROWS: readonly FirstRow[] = [
  {
    id: 'hardhat2',
    name: 'ten tests in Hardhat 2',
    other: HARDHAT_CHAIN,
    figure: 'cpuMs',
    measure: tenTests('hardhat2', [HARDHAT[2], 'test', '--no-compile']),
  },
  {
    id: 'hardhat2-fails',
    name: 'ten tests in Hardhat 2, one fails and is explained',
    other: HARDHAT_CHAIN,
    figure: 'cpuMs',
    measure: tenTests('hardhat2', [HARDHAT[2], 'test', '--no-compile'], { FAILS: '1' }),
  },
  ...OPENZEPPELIN_ROWS,
  {
    id: 'sends',
    name: 'first 200 sends and receipts in the process of Hardhat 2',
    other: HARDHAT_CHAIN,
    figure: 'cpuMs',
    measure: firstSends,
  },
  {
    id: 'hardhat3',
    name: 'ten tests in Hardhat 3',
    other: HARDHAT_CHAIN,
    figure: 'cpuMs',
    oldestNode: 22,
    measure: tenTests('hardhat3', [HARDHAT[3], 'test', 'mocha', '--no-compile']),
  },
  {
    id: 'import',
    name: 'import of the package to its first answer in process',
    figure: 'cpuMs',
    measure: importOfPackage,
  },
  {
    id: 'start',
    name: '`dev-node start` to its first answer, on the clock',
    other: 'Anvil',
    figure: 'wallMs',
    measure: start,
  },
  {
    id: 'vitest',
    name: 'ten tests of viem in Vitest, with the set-up of the chain',
    other: 'Anvil',
    figure: 'cpuMs',
    measure: tenTests('viem', ['node_modules/vitest/vitest.mjs', 'run']),
  },
]
