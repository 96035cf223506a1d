/** Anvil of Foundry, from npm. */

import { createRequire } from 'node:module'
import { join } from 'node:path'
import { ROOT } from '../folders.ts'
import type { BenchNode } from './node.ts'

/** The program itself; the npm command is a script that starts it. */
export function anvilProgram(): string | undefined {
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch
  const suffix = process.platform === 'win32' ? '.exe' : ''
  try {
    const require = createRequire(
      createRequire(join(ROOT, 'package.json')).resolve('@foundry-rs/anvil/package.json'),
    )
    return require.resolve(`@foundry-rs/anvil-${process.platform}-${architecture}/bin/anvil${suffix}`)
  } catch {
    return undefined
  }
}

/** Anvil with flags. */
export const anvil = (id: string, title: string, flags: readonly string[]): BenchNode => ({
  id,
  title,
  settings: flags.length === 0 ? 'without flags' : `\`${flags.join(' ')}\``,
  missing: () => (anvilProgram() === undefined ? 'not installed' : undefined),
  launch: ({ folder, port, stepTraces }) => ({
    command: anvilProgram() ?? 'anvil',
    args: [
      '--port',
      String(port),
      // It writes whole states to disk; they go when the run ends.
      '--cache-path',
      join(folder, 'anvil'),
      ...flags,
      // Without it, traces are empty.
      ...(stepTraces ? ['--steps-tracing'] : []),
    ],
  }),
})

/** As it is without flags: under Prague, and with the history on disk. */
export const anvilDefault = anvil('anvil', 'Anvil', [])

/** As it is fastest: under Cancun, with a short history, and without output. */
export const anvilTuned = anvil('anvil-tuned', 'Anvil, tuned', [
  '--hardfork',
  'cancun',
  '--prune-history',
  '100',
  '--silent',
])
