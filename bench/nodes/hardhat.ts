/** The nodes of Hardhat 2, which is a dependency of this project's tests, and of Hardhat 3, which is installed for the run. */

import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { HARDHAT_3, pathWithNewerNode } from '../../test/support/packages.ts'
import type { Call } from '../client.ts'
import { CACHE, ROOT } from '../folders.ts'
import type { BenchNode, Launch } from './node.ts'
import { nodeProgram } from './program.ts'
import type { InstalledPackage } from './installed.ts'

/** Both print every request unless told not to, whatever their configuration says. */
const silence = (call: Call): Promise<unknown> => call('hardhat_setLoggingEnabled', false)

const SETTINGS = 'hardfork cancun, logging off'

const ENVIRONMENT = { HARDHAT_DISABLE_TELEMETRY_PROMPT: 'true', CI: 'true' }

/** Makes a project of Hardhat 2 in a folder, whose config begins with a line. Returns the path of the config. */
export function hardhatProject(folder: string, line = ''): string {
  // Hardhat runs only in a project that has it installed.
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(join(ROOT, 'node_modules', 'hardhat'), join(folder, 'node_modules', 'hardhat'), 'junction')
  const network = { chainId: 31_337, hardfork: 'cancun', loggingEnabled: false }
  const config = { solidity: '0.8.28', networks: { hardhat: network } }
  const file = join(folder, 'hardhat.config.cjs')
  writeFileSync(file, `${line}module.exports = ${JSON.stringify(config)}`)
  return file
}

/** Hardhat 2. */
export const hardhat2: BenchNode = {
  id: 'hardhat2',
  title: 'Hardhat 2',
  settings: SETTINGS,
  missing: () => (existsSync(join(ROOT, 'node_modules', 'hardhat')) ? undefined : 'not installed'),
  prepare: silence,
  launch: ({ folder, port }): Launch => {
    hardhatProject(folder)
    return {
      command: nodeProgram(),
      args: [
        join(folder, 'node_modules', 'hardhat', 'internal', 'cli', 'cli.js'),
        'node',
        '--port',
        String(port),
      ],
      env: ENVIRONMENT,
    }
  },
}

const HARDHAT_3_FOLDER = join(CACHE, 'hardhat3')

/** How Hardhat 3 is installed, with the newer Node that it needs. */
export const hardhat3Package: InstalledPackage = {
  folder: HARDHAT_3_FOLDER,
  manifest: { private: true, type: 'module', dependencies: { hardhat: HARDHAT_3.dependencies['hardhat'] } },
  command: HARDHAT_3.install,
}

/** Hardhat 3. */
export const hardhat3: BenchNode = {
  id: 'hardhat3',
  title: 'Hardhat 3',
  settings: `${SETTINGS}, Node.js 22`,
  missing: () =>
    existsSync(join(HARDHAT_3_FOLDER, 'node_modules', 'hardhat'))
      ? undefined
      : 'not installed: run `npm run bench -- --install`',
  prepare: silence,
  launch: ({ port }): Launch => {
    const network = { type: 'edr-simulated', chainId: 31_337, hardfork: 'cancun', loggingEnabled: false }
    const config = { networks: { default: network, node: network } }
    writeFileSync(join(HARDHAT_3_FOLDER, 'hardhat.config.js'), `export default ${JSON.stringify(config)}`)
    const program = join(HARDHAT_3_FOLDER, 'node_modules', 'hardhat', 'dist', 'src', 'cli.js')
    return {
      command: 'node',
      args: [program, 'node', '--hostname', '127.0.0.1', '--port', String(port)],
      cwd: HARDHAT_3_FOLDER,
      env: { ...ENVIRONMENT, PATH: pathWithNewerNode(HARDHAT_3_FOLDER) },
    }
  },
}
