/** This project's node, as `npm run build` wrote it. */

import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ROOT } from '../folders.ts'
import type { BenchNode } from './node.ts'
import { nodeProgram } from './program.ts'

/** The built command; `--command` measures another one. */
let command = join(ROOT, 'dist', 'dev-node.cjs')

/** Measures the command at a path. */
export function useCommand(path: string): void {
  command = path
}

/** Path of the measured command. */
export const devNodeCommand = (): string => command

/** The plugin for Hardhat 2 of the same build. */
export const pluginPath = (): string => join(dirname(command), 'hardhat2', 'plugin.js')

/** The command with flags. */
export const devNode = (id: string, title: string, flags: readonly string[]): BenchNode => ({
  id,
  title,
  settings: `\`${flags.join(' ')}\``,
  missing: () => (existsSync(command) ? undefined : 'not built: run `npm run build`'),
  launch: ({ port }) => ({
    command: nodeProgram(),
    args: [command, 'start', '--port', String(port), '--json', ...flags],
  }),
})

/** The default network, whose calls have less gas than the loops of the table need. */
export const devNode33 = devNode('dev-node', 'dev-node, network 33', ['--call-gas-limit', '30000000'])

/** An Ethereum chain under the hard fork that the other nodes have. */
export const devNodeEthereum = devNode('dev-node-ethereum', 'dev-node, Ethereum', [
  '--network',
  'ethereum',
  '--hardfork',
  'cancun',
])
