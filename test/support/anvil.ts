/** A running Anvil. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { openFoundry } from './foundry.ts'
import { request } from './packed-command.ts'

/** Asks a node; answers the result. */
export type Ask = (method: string, params?: unknown[]) => Promise<any>

/** Runs Anvil while something is done with it; it writes its state when it is told to end. */
export async function withAnvil(args: readonly string[], run: (ask: Ask) => Promise<void>): Promise<void> {
  const foundry = await openFoundry()
  const [command, settings] = foundry.start('anvil')
  const child = spawn(command, ['--port', '0', ...args], {
    ...settings,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  try {
    await run(await askerOf(createInterface(child.stdout)))
  } finally {
    child.kill('SIGINT')
    await exited
    await foundry.remove()
  }
}

async function askerOf(lines: AsyncIterable<string>): Promise<Ask> {
  for await (const line of lines) {
    const [, address] = /^Listening on (\S+)$/.exec(line) ?? []
    if (address !== undefined) return (method, params = []) => request(`http://${address}`, method, params)
  }
  throw new Error('Anvil ended before it listened')
}
