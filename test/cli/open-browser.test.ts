/** `--open` with a program on PATH that stands for the opener of the system. */

import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { platform, tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { main } from '../../lib/cli/main.ts'
import { fakeProcess } from './fake-server.ts'

const OPENER = platform() === 'darwin' ? 'open' : 'xdg-open'

/** Runs the command with an opener on PATH until the condition holds. */
async function runWith(
  script: string | undefined,
  argv: readonly string[],
  isDone: (folder: string, stderr: string) => Promise<boolean>,
) {
  const folder = await mkdtemp(join(tmpdir(), 'opener-'))
  try {
    if (script !== undefined) {
      await writeFile(join(folder, OPENER), `#!/bin/sh\n${script}\n`)
      await chmod(join(folder, OPENER), 0o755)
    }
    const fake = fakeProcess(argv)
    const code = main({ ...fake.io, env: { PATH: folder } })
    await fake.started
    while (!(await isDone(folder, fake.written.stderr))) await new Promise(setImmediate)
    fake.signal()
    return { code: await code, ...fake.written }
  } finally {
    await rm(folder, { recursive: true })
  }
}

const written = (file: string): Promise<string> => readFile(file, 'utf8').catch(() => '')

const testWithShell = platform() === 'win32' ? test.skip : test

testWithShell('opens the explorer with the API key, which it does not print', async () => {
  let opened = ''
  // A shell would run what is behind the semicolon.
  const argv = ['--open', '--api-key', 'key;id']
  const { code, stdout, stderr } = await runWith('echo "$@" > "${0%/*}/opened"', argv, async (folder) => {
    opened = await written(join(folder, 'opened'))
    return opened !== ''
  })
  expect([code, opened, stderr]).toEqual([0, 'http://127.0.0.1:4444/key;id\n', ''])
  expect(stdout).not.toContain('key;id')
})

testWithShell.each([
  [undefined, `${OPENER} cannot be started (spawn ${OPENER} ENOENT)`],
  ['exit 3', `${OPENER} ended with code 3`],
])('says so if the opener is %j', async (script, reason) => {
  const { code, stderr } = await runWith(script, ['--open'], async (_, text) => text !== '')
  const advice = 'open the URL above in a browser yourself'
  expect([code, stderr]).toEqual([0, `dev-node: cannot open the explorer: ${reason}; ${advice}\n`])
})

testWithShell('opens nothing without the switch', async () => {
  const { stderr } = await runWith(undefined, [], async () => true)
  expect(stderr).toBe('')
})
