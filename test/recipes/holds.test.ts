/** Set-ups of test runners whose node stays after the tests: DEV_NODE_HOLD, and what the pages of its explorer are made of. */
import { spawn } from 'node:child_process'
import { cp, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from '@jest/globals'
import { request } from '../support/packed-command.ts'
import { VITEST } from '../support/packages.ts'
import { createProject, createProjectWith } from '../support/project.ts'
import type { Project } from '../support/project.ts'
import { recipe } from '../support/recipes.ts'
import { untilHeld } from './held-process.ts'

/** A test that fails by a call. 0xfe is the invalid instruction. */
const FAILING = `
test('fails', async () => {
  const [from, to] = await chain.rpc('eth_accounts')
  await chain.rpc('eth_sendTransaction', [{ from, to, value: '0x1' }])
  await chain.rpc('eth_call', [{ to }, 'latest', { [to]: { code: '0xfe' } }])
})
`

const docs = (place: string, language: string): string =>
  recipe(`docs/test-runners.md#${place}`, language, 'http://127.0.0.1:4444')[0]!

const jest = async (): Promise<Project> => {
  const project = await createProject()
  await project.write('jest.config.js', docs('jest', 'js'))
  await project.write('one.test.js', FAILING)
  return project
}

const mocha = async (): Promise<Project> => {
  const project = await createProject()
  // A linked package would not find dev-node in the project.
  await rm(join(project.folder, 'node_modules', 'mocha'))
  await cp('node_modules/mocha', join(project.folder, 'node_modules', 'mocha'), { recursive: true })
  await project.write('.mocharc.json', docs('mocha', 'json'))
  await project.write('test/one.js', FAILING)
  return project
}

const vitest = async (): Promise<Project> => {
  const project = await createProjectWith(VITEST)
  await project.write('vitest.config.js', docs('vitest', 'js'))
  await project.write('one.test.js', `import { test } from 'vitest'\n${FAILING}`)
  return project
}

/** Without the variables of the run that this file is a part of. */
const OWN_RUN = { JEST_WORKER_ID: undefined, NODE_OPTIONS: undefined }

/** Tests of a slow machine take longer than their runners allow. */
const LIMIT = '--testTimeout=120000'
const MOCHA = ['--ui', 'tdd', '--timeout', '120000']

const RUNNERS = [
  ['Jest', jest, ['--experimental-vm-modules', 'node_modules/jest/bin/jest.js', LIMIT]],
  ['Mocha', mocha, ['node_modules/mocha/bin/mocha.js', ...MOCHA]],
  ['parallel Mocha', mocha, ['node_modules/mocha/bin/mocha.js', ...MOCHA, '--parallel', '--jobs', '2']],
  ['Vitest', vitest, ['node_modules/vitest/vitest.mjs', 'run', LIMIT]],
] as const

describe.each(RUNNERS)('%s', (_name, create, command) => {
  let project: Project

  afterAll(() => project.remove())

  test('keeps its node with what the suite did until Ctrl-C, and writes the reports then', async () => {
    project = await create()
    const run = spawn(process.execPath, command, {
      cwd: project.folder,
      env: { ...process.env, ...OWN_RUN, DEV_NODE_HOLD: '1', DEV_NODE_GAS_REPORT: 'gas.json' },
    })
    const { output, ended } = await untilHeld(run)
    const [url] = /http:\/\/127\S+/.exec(output) ?? [output]
    expect(output).toContain(`dev-node: ${url} stays until Ctrl-C\n`)
    const { requests } = await request<any>(url, 'dev_requests')
    expect(requests.map(({ method }: any) => method)).toContain('eth_sendTransaction')
    const failures = await request<any>(url, 'dev_failures')
    expect(failures).toMatchObject([{ test: { title: 'fails' } }])
    expect(await (await fetch(url, { headers: { accept: 'text/html' } })).text()).toContain('<html')
    run.kill('SIGINT')
    expect(await ended).toBe(1)
    expect(await readFile(join(project.folder, 'gas.json'), 'utf8')).toContain('transfer of value')
    await expect(fetch(url)).rejects.toThrow('fetch failed')
  })
})
