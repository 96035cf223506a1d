import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { claimFiles } from '../../lib/node/claimed-files.ts'
import { resolveOptions } from '../../lib/config/resolve-options.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dev-node-claims-'))
})
afterEach(() => rm(folder, { recursive: true }))

describe.each([
  ['keystore', 'keys', 'the keystore folder'],
  ['coverage', 'coverage', 'the coverage folder'],
  ['gasReport', 'gas.json', 'the gas report'],
] as const)('the path of %s', (option, name, title) => {
  const claim = () => claimFiles(resolveOptions({ values: { [option]: join(folder, name) } }))

  test('belongs to one node until it ends', async () => {
    const { release } = await claim()
    await expect(claim()).rejects.toMatchObject({
      kind: 'invalidOption',
      message: expect.stringMatching(
        `^${title} ${join(folder, name)} is in use by another node of this process: `,
      ),
    })
    await release()
    await (await claim()).release()
    const names = await readdir(folder, { recursive: true })
    expect(names.filter((each) => each.endsWith('.lock'))).toEqual([])
  })
})

test('a claim that fails ends the earlier ones', async () => {
  const values = { keystore: join(folder, 'keys'), gasReport: join(folder, 'missing', 'gas.json') }
  await expect(claimFiles(resolveOptions({ values }))).rejects.toThrow('--gas-report: cannot write')
  expect(await readdir(join(folder, 'keys'))).toEqual([])
})

test('what killed nodes left is removed and named', async () => {
  const gone = spawn(process.execPath, ['--version'], { stdio: 'ignore' })
  await once(gone, 'exit')
  const [keys, coverage] = [join(folder, 'keys'), join(folder, 'coverage')]
  const left = [
    join(keys, '.UTC--key.tmp'),
    join(coverage, `lcov.info.${gone.pid}-00ff00ff.draft`),
    join(coverage, `coverage-final.json.${gone.pid}-00ff00ff.draft`),
  ]
  for (const each of [keys, coverage]) {
    await mkdir(each)
    await writeFile(join(each, `.dev-node.${gone.pid}-1-00ff00ff.lock`), '')
  }
  for (const path of left) await writeFile(path, 'half')
  const { findings, release } = await claimFiles(resolveOptions({ values: { keystore: keys, coverage } }))
  for (const each of [keys, coverage, ...left]) expect(findings.join('\n')).toContain(each)
  expect(findings.filter((sentence) => sentence.includes(`process id ${gone.pid},`))).toHaveLength(2)
  await release()
  expect([await readdir(keys), await readdir(coverage)]).toEqual([[], []])
})
