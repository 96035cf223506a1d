/** Processes of Hardhat 2, on this node by the line of the plugin or on Hardhat's own chain (EDR). They run provider-process.ts. */

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pluginPath } from '../nodes/dev-node.ts'
import { hardhatProject } from '../nodes/hardhat.ts'
import { temporaryHome } from '../nodes/node.ts'
import { nodeProgram } from '../nodes/program.ts'
import type { Outcome } from '../results.ts'
import type { Measurement } from '../session.ts'
import type { ProviderRow } from './rows.ts'

/** A chain in the process of Hardhat. */
export type Chain = 'dev-node' | 'edr'

/** Measures rows in a fresh process, one after another. `scale` is less than 1 for fewer operations than the rows name. */
export async function measureOn(
  chain: Chain,
  rows: readonly ProviderRow[],
  scale: number,
): Promise<Readonly<Record<string, Outcome>>> {
  const folder = mkdtempSync(join(tmpdir(), 'dev-node-bench-provider-'))
  const plugin = `require(${JSON.stringify(pluginPath())})\n`
  const config = hardhatProject(folder, chain === 'dev-node' ? plugin : '')
  const names = rows.map(({ name }) => name)
  const child = fork(new URL('in-process/provider-process.js', import.meta.url), [String(scale), ...names], {
    execPath: nodeProgram(),
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: {
      ...process.env,
      ...temporaryHome(folder),
      HARDHAT_CONFIG: config,
      HARDHAT_DISABLE_TELEMETRY_PROMPT: 'true',
    },
  })
  let complaints = ''
  child.stderr?.on('data', (text: Buffer) => (complaints += text.toString()))
  const exit = once(child, 'exit')
  try {
    const [message] = await Promise.race([once(child, 'message'), exit])
    if (typeof message === 'object' && message !== null) return message as Record<string, Outcome>
    const failed = `the process ended: ${complaints.trim().split('\n').at(-1)}`
    return Object.fromEntries(names.map((name) => [name, { failed }]))
  } finally {
    child.kill('SIGKILL')
    await exit
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Measures one row in a fresh process. Throws if it fails. */
export async function measureOne(chain: Chain, row: ProviderRow): Promise<Measurement> {
  const { [row.name]: outcome = { failed: 'not measured' } } = await measureOn(chain, [row], 1)
  if ('failed' in outcome) throw new Error(`${row.name} on ${chain}: ${outcome.failed}`)
  return outcome
}
