/**
 * With `--frozen-time` the same requests give the same bytes: in two processes with different environments, and compared
 * with the recorded bytes of other machines (fixtures/stories). UPDATE_TRANSCRIPTS=1 records them again.
 */

import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { startDevNode } from '../support/packed-command.ts'
import { Recorder, recordStory } from '../support/recorded-story.ts'

const stories = join(import.meta.dirname, '..', '..', 'fixtures', 'stories')

/** The output of a process that has ended. */
interface Told {
  readonly heard: Readonly<Record<string, readonly string[]>>
  readonly marks: Readonly<Record<string, string>>
  /** The log of requests, without their durations. */
  readonly log: readonly string[]
  /** The state file and the key files, by name. */
  readonly files: Readonly<Record<string, string>>
}

let root: string
beforeAll(async () => void (root = await mkdtemp(join(tmpdir(), 'dev-node-'))))
afterAll(() => rm(root, { recursive: true }))

/** Sends the requests to a new process with its own folder. */
async function told(name: string, args: readonly string[], env: Record<string, string>): Promise<Told> {
  const folder = join(root, name)
  await mkdir(folder)
  const kept = [
    '--state',
    join(folder, 'chain.state'),
    '--state-parts',
    'blocks,transactions,receipts,snapshots,keystore',
  ]
  const all = ['--frozen-time', '--verbose', '--keystore', join(folder, 'keys'), ...kept, ...args]
  const node = await startDevNode(all, env, folder)
  const recorder = new Recorder(node.url)
  try {
    await recordStory(recorder)
  } finally {
    await node.stop()
  }
  const log = node.stdout().split('\n').slice(1)
  const files = await readdir(folder, { recursive: true, withFileTypes: true })
  const contents = files
    .filter((file) => file.isFile())
    .map(async (file) => [file.name, await readFile(join(file.parentPath, file.name), 'base64')] as const)
  return {
    heard: recorder.heard,
    marks: recorder.marks,
    log: log.map((line) => line.replace(/"durationMs":[\d.e-]+/, '"durationMs":0')),
    files: Object.fromEntries((await Promise.all(contents)).toSorted()),
  }
}

const elsewhere = {
  TZ: 'Pacific/Chatham',
  LANG: 'tr_TR.UTF-8',
  LC_ALL: 'tr_TR.UTF-8',
  NO_COLOR: '1',
  HOME: '/',
}

describe.each([
  ['network-33', []],
  ['ethereum', ['--network', 'ethereum', '--hardfork', 'prague']],
] as const)('%s with --frozen-time', (name, args) => {
  let first: Told
  let second: Told
  beforeAll(async () => {
    first = await told(`${name}-here`, args, { TZ: 'UTC' })
    second = await told(`${name}-there`, args, elsewhere)
  })

  test('has the same responses and notifications, byte for byte', () => {
    expect(Object.keys(first.heard)).toEqual(['socket', 'http', 'socket of a world'])
    expect(first.heard['http']!.length).toBeGreaterThan(150)
    expect(second.heard).toEqual(first.heard)
  })

  test('logs the same', () => {
    expect(first.log.length).toBeGreaterThan(150)
    expect(second.log).toEqual(first.log)
  })

  test('writes the same files under the same names', () => {
    expect(Object.keys(first.files)).toHaveLength(3)
    expect(second.files).toEqual(first.files)
  })

  test('has the same hashes, keys and ids as on other machines', async () => {
    const file = join(stories, `${name}.json`)
    if (process.env['UPDATE_TRANSCRIPTS'] === '1') {
      await writeFile(file, `${JSON.stringify(first.marks, null, 2)}\n`)
    }
    expect(first.marks).toEqual(JSON.parse(await readFile(file, 'utf8')))
  })
})
