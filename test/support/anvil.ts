/** A running Anvil. */

import { spawn } from 'node:child_process'
import { openFoundry } from './foundry.ts'
import { askWhileRunning } from './peer-process.ts'
import type { Ask } from './peer-process.ts'

/** Runs Anvil during a task; it writes its state when it receives the signal to end. */
export async function withAnvil(
  args: readonly string[],
  run: (ask: Ask, url: string) => Promise<void>,
): Promise<void> {
  const foundry = await openFoundry()
  const [command, settings] = foundry.start('anvil')
  const child = spawn(command, ['--port', '0', ...args], {
    ...settings,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const urlIn = (line: string) => {
    const [, address] = /^Listening on (\S+)$/.exec(line) ?? []
    return address === undefined ? undefined : `http://${address}`
  }
  try {
    await askWhileRunning(child, urlIn, run)
  } finally {
    await foundry.remove()
  }
}
