/** Hardhat 3, which runs on no older Node than 22; npm has the binaries of both. */

import { spawn } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { askWhileRunning } from './peer-process.ts'
import type { Ask } from './peer-process.ts'
import { installProject } from './project.ts'

/** The version that is tested. */
export const HARDHAT_3 = '3.18.0'

const NODE = { version: '22.23.3', name: `node-${process.platform.replace('win32', 'win')}-${process.arch}` }

const QUIET = '--no-audit --no-fund --no-package-lock'

/** Installs a project's packages. The newer Node first: npm chooses binaries by the Node it runs on. */
export const INSTALL_WITH_NEWER_NODE = [
  `npm install ${QUIET} --no-save --prefix newer-node ${NODE.name}@${NODE.version}`,
  `PATH="$PWD/newer-node/node_modules/${NODE.name}/bin:$PATH" npm install ${QUIET}`,
].join(' && ')

/** The value of PATH with which a project runs on the newer Node. */
export function pathWithNewerNode(folder: string): string {
  const newerNode = join(folder, 'newer-node', 'node_modules', NODE.name, 'bin')
  return [newerNode, process.env['PATH'] ?? ''].join(delimiter)
}

/** Runs a network of Hardhat 3 during a task. */
export async function withHardhat3(
  network: object,
  run: (ask: Ask, url: string) => Promise<void>,
): Promise<void> {
  const { folder, write, remove } = await installProject({ hardhat: HARDHAT_3 }, INSTALL_WITH_NEWER_NODE)
  await write(
    'hardhat.config.js',
    `export default ${JSON.stringify({ networks: { default: network, node: network } })}`,
  )
  const command = join(folder, 'node_modules', 'hardhat', 'dist', 'src', 'cli.js')
  const PATH = pathWithNewerNode(folder)
  const child = spawn('node', [command, 'node', '--hostname', '127.0.0.1', '--port', '0'], {
    cwd: folder,
    env: { PATH, HOME: folder, CI: 'true' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    await askWhileRunning(child, (line) => /JSON-RPC server at (http:\S+)/.exec(line)?.[1], run)
  } finally {
    await remove()
  }
}
