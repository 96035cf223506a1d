import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { loadFacts } from '../../lib/fork/fact-folder.ts'
import { FactWriter } from '../../lib/fork/fact-writer.ts'
import { ManualHost } from '../support/node.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dev-node-facts-'))
})
afterEach(() => rm(folder, { recursive: true }))

test('facts that could not be written are written once that is possible, with those added meanwhile', async () => {
  const place = join(folder, 'fork')
  await writeFile(place, 'a file in the place of the folder')
  const host = new ManualHost()
  const failures: unknown[] = []
  let onFailure = (): void => undefined
  const failed = new Promise<void>((resolve) => (onFailure = resolve))
  const writer = new FactWriter(place, {
    host,
    onFailure: (error) => {
      failures.push(error)
      onFailure()
    },
  })
  writer.add('one', '1')
  host.step(100)
  await failed
  writer.add('two', '2')
  await rm(place)
  host.step(5000)
  await writer.close()
  expect(failures).toHaveLength(1)
  expect([...(await loadFacts(place, () => undefined))]).toEqual([
    ['one', '1'],
    ['two', '2'],
  ])
})
