/** Runs the command in this process, with a real server. */

import { expect } from '@jest/globals'
import { main } from '../../lib/cli/main.ts'
import { startWithOptions } from '../../lib/server/start.ts'
import type { RunningServer } from '../../lib/server/start.ts'
import { ask, rpc } from '../support/server.ts'
import { fakeProcess } from './fake-server.ts'

/** What the running command prints, and what it answers to requests. */
export async function outputOf(
  argv: readonly string[],
  requests: readonly (readonly [method: string, params?: readonly unknown[]])[],
): Promise<{ readonly printed: string; readonly answers: readonly string[] }> {
  let server: RunningServer | undefined
  const fake = fakeProcess(
    ['--port', '0', ...argv],
    async (options, hooks) => (server = await startWithOptions(options, hooks)),
  )
  const code = main(fake.io)
  await fake.started
  while (fake.written.stdout === '' && fake.written.stderr === '') await new Promise(setImmediate)
  const answers = []
  for (const [method, params] of requests)
    answers.push((await ask(server!, { body: rpc(method, params) })).text)
  fake.signal()
  expect(await code).toBe(0)
  return { printed: fake.written.stdout + fake.written.stderr, answers }
}
