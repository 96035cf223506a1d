/** Runs the built command as a process. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from './client.js'

/** Starts the command and waits for its ready line. */
export async function start(...flags) {
  const child = spawn(process.execPath, ['dist/dev-node.js', 'start', '--port', '0', '--json', ...flags])
  let output = ''
  while (!output.includes('\n')) output += String((await once(child.stdout, 'data'))[0])
  const { url } = JSON.parse(output)
  const { call, disconnect } = connect(url)
  return {
    ...{ url, call, pid: child.pid },
    health: async () => (await fetch(`${url}/health`)).json(),
    stop: async () => {
      disconnect()
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}
