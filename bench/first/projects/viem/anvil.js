/** Starts Anvil for a run of Vitest, and ends it. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

export default async function setup() {
  const anvil = spawn(process.env.ANVIL, ['--port', '0'], { stdio: ['ignore', 'pipe', 'inherit'] })
  for await (const line of createInterface({ input: anvil.stdout })) {
    const [, address] = /^Listening on (\S+)/.exec(line) ?? []
    if (address === undefined) continue
    process.env.ANVIL_URL = `http://${address}`
    break
  }
  anvil.stdout.resume()
  return async () => {
    anvil.kill()
    await once(anvil, 'exit')
  }
}
