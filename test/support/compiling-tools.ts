/** Projects that tools compile with the solc of npm, because they cannot download a compiler without a network. */

import { execFile } from 'node:child_process'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { writeInto } from './artifact-projects.ts'
import { openFoundry } from './foundry.ts'
import { packagesFolder } from './packed-command.ts'
import { HARDHAT_3, pathWithNewerNode } from './packages.ts'
import { installProject } from './project.ts'

const root = join(import.meta.dirname, '../..')
const require = createRequire(import.meta.url)
const { version } = require('solc/package.json') as { readonly version: string }
const SOLJSON = require.resolve('solc/soljson.js')

/** The script that forge runs as a native solc. */
export const SOLC_OF_NPM = join(root, 'test/clients/foundry/solc.mjs')

/** A project of a tool, to which files can be added before the tool runs. */
export interface ToolProject {
  readonly folder: string
  /** Runs a task of the tool; throws if it fails. */
  readonly run: (...task: readonly string[]) => Promise<void>
  readonly remove: () => Promise<void>
}

/** A project of Foundry. */
export async function foundryProject(lines: readonly string[]): Promise<ToolProject> {
  const { folder, print, remove } = await openFoundry({ FOUNDRY_SOLC: SOLC_OF_NPM })
  await writeInto(folder, 'foundry.toml', ['[profile.default]', 'src = "contracts"', ...lines, ''].join('\n'))
  return {
    folder,
    remove,
    run: async (...task) => {
      await print('forge', ...task)
    },
  }
}

/** The configuration of Hardhat 2, which takes the compiler from a task of its own. */
const hardhat2Config = (settings: object): string => `
const { TASK_COMPILE_SOLIDITY_GET_SOLC_BUILD } = require('hardhat/builtin-tasks/task-names')
const { subtask } = require('hardhat/config')
const build = ${JSON.stringify({ version, longVersion: `${version}-npm`, compilerPath: SOLJSON, isSolcJs: true })}
subtask(TASK_COMPILE_SOLIDITY_GET_SOLC_BUILD, async () => build)
module.exports = { solidity: ${JSON.stringify({ version, settings })} }
`

/** A project of Hardhat 2, with these settings of the compiler. */
export async function hardhat2Project(settings: object): Promise<ToolProject> {
  const folder = await mkdtemp(join(tmpdir(), 'dev-node-hardhat-'))
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
  await writeInto(folder, 'hardhat.config.cjs', hardhat2Config(settings))
  return {
    folder,
    remove: () => rm(folder, { recursive: true, force: true }),
    run: nodeCommand(process.execPath, 'node_modules/hardhat/internal/cli/cli.js', {
      cwd: folder,
      env: { PATH: process.env['PATH'], HOME: folder, HARDHAT_DISABLE_TELEMETRY_PROMPT: 'true', CI: 'true' },
    }),
  }
}

/** A project of Hardhat 3, with these settings of the compiler. */
export async function hardhat3Project(settings: object): Promise<ToolProject> {
  const { folder, write, remove } = await installProject(HARDHAT_3)
  const config = { solidity: { version, path: SOLJSON, settings } }
  await write('hardhat.config.js', `export default ${JSON.stringify(config)}`)
  const env = { PATH: pathWithNewerNode(await packagesFolder(HARDHAT_3)), HOME: folder, CI: 'true' }
  const run = nodeCommand('node', 'node_modules/hardhat/dist/src/cli.js', { cwd: folder, env })
  return { folder, remove, run }
}

const execute = promisify(execFile)

/** Runs a script of Node with the words of a task. */
const nodeCommand =
  (node: string, script: string, options: object): ToolProject['run'] =>
  async (...task) => {
    await execute(node, [script, ...task], options)
  }
