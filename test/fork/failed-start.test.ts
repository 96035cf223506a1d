/** A node that cannot be created closes the fork that it has opened. */

import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import type { OptionsInput } from '../../lib/modules/options.ts'
import { startServer } from '../../lib/server/start.ts'
import { usersOf } from '../../lib/base/file-claim.ts'
import { listForks } from '../../lib/fork/cached-forks.ts'
import { factsPath } from '../../lib/fork/fact-store.ts'
import { withFaultProxy } from '../support/fault-proxy.ts'
import { errorOf } from './support/faulty-fork.ts'

let folder: string
beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'dev-node-fork-'))))
afterEach(() => rm(folder, { recursive: true }))

/** Makes what the start stumbles over, and returns the options that name it. */
const OBSTACLES: readonly (readonly [string, (file: string) => Promise<OptionsInput>])[] = [
  [
    'a state file with other content',
    async (file) => {
      await writeFile(file, 'no state')
      return { state: file }
    },
  ],
  ['a state file that is missing', async (file) => ({ loadState: file })],
  [
    'a keystore that is a file',
    async (file) => {
      await writeFile(file, 'no folder')
      return { keystore: file }
    },
  ],
  ['artifacts that are missing', async (file) => ({ artifacts: [file] })],
]

/** Polls what the proxy sees: a connection that the client ended is gone after a turn of the event loop. */
async function startFails(url: string, options: OptionsInput): Promise<any> {
  const cache = join(folder, 'cache')
  return errorOf(startServer({ port: 0, forkUrl: url, forkCache: cache, network: 'ethereum', ...options }))
}

/** No file of the cache has the id of this process, which would say that the fork is in use. */
async function expectUnused(): Promise<void> {
  const forks = await listForks(join(folder, 'cache'))
  const users = await Promise.all(forks.map((fork) => usersOf(factsPath(fork.folder))))
  expect(users.flat()).toEqual([])
}

test.each(OBSTACLES)('because of %s', (_case, prepare) =>
  withFaultProxy([], async (proxy) => {
    const options = await prepare(join(folder, 'obstacle'))
    const error = await startFails(proxy.httpUrl, options)
    expect(error.message).toContain(join(folder, 'obstacle'))
    await expectUnused()
  }),
)

test('because of a port in use, or of a local socket that cannot be made', () =>
  withFaultProxy([], async (proxy) => {
    const taken = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => taken.once('listening', resolve))
    const { port } = taken.address() as AddressInfo
    await mkdir(join(folder, 'ipc'))
    await writeFile(join(folder, 'ipc', 'file'), '')
    for (const options of [{ port }, { ipc: join(folder, 'ipc') }]) {
      await startFails(proxy.httpUrl, options)
      await expectUnused()
    }
    expect(await readdir(join(folder, 'ipc'))).toEqual(['file'])
    taken.close()
  }))
