/** Ganache, which is no longer maintained; it is installed for the run. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { CACHE } from '../folders.ts'
import type { InstalledPackage } from './installed.ts'
import type { BenchNode } from './node.ts'
import { nodeProgram } from './program.ts'

const FOLDER = join(CACHE, 'ganache')
const PROGRAM = join(FOLDER, 'node_modules', 'ganache', 'dist', 'node', 'cli.js')

/** How it is installed. */
export const ganachePackage: InstalledPackage = {
  folder: FOLDER,
  manifest: { private: true, dependencies: { ganache: '7.9.2' } },
  command: 'npm install --no-audit --no-fund --no-package-lock',
}

/** Ganache, under its newest hard fork. */
export const ganache: BenchNode = {
  id: 'ganache',
  title: 'Ganache',
  settings: 'hardfork shanghai (its newest), quiet',
  missing: () => (existsSync(PROGRAM) ? undefined : 'not installed: run `npm run bench -- --install`'),
  launch: ({ port }) => ({
    command: nodeProgram(),
    args: [PROGRAM, '--logging.quiet', '--wallet.deterministic', '--server.port', String(port)],
  }),
}
