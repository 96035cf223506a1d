/** A network of Hardhat 3, which runs on the newer Node that is installed with it. */

import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { packagesFolder } from './packed-command.ts'
import { HARDHAT_3, pathWithNewerNode } from './packages.ts'
import { askWhileRunning } from './peer-process.ts'
import type { Ask } from './peer-process.ts'
import { installProject } from './project.ts'

/** Runs a network of Hardhat 3 during a task. */
export async function withHardhat3(
  network: object,
  run: (ask: Ask, url: string) => Promise<void>,
): Promise<void> {
  const { folder, write, remove } = await installProject(HARDHAT_3)
  await write(
    'hardhat.config.js',
    `export default ${JSON.stringify({ networks: { default: network, node: network } })}`,
  )
  const command = join(folder, 'node_modules', 'hardhat', 'dist', 'src', 'cli.js')
  const PATH = pathWithNewerNode(await packagesFolder(HARDHAT_3))
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
