/** `dev-node init` in projects from the templates of Hardhat 3. Their contracts are left out: their compiler would be downloaded. */
import { cp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { commandPath, packagesFolder } from '../support/packed-command.ts'
import { HARDHAT_3, pathWithNewerNode } from '../support/packages.ts'
import { createProjectWith } from '../support/project.ts'
import type { Project } from '../support/project.ts'
import { recipe, runShell } from '../support/recipes.ts'

const [, CONFIRMED] = recipe('docs/configuration.md#a-project', 'sh', 'http://127.0.0.1')[0]!
  .trim()
  .split('\n')

const TEST = `
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { network } from 'hardhat'

test('runs on this node', async () => {
  const { provider } = await network.getOrCreate()
  assert.match(await provider.request({ method: 'web3_clientVersion' }), /dev-node/i)
})
`

let project: Project

beforeAll(async () => {
  await commandPath()
  project = await createProjectWith(HARDHAT_3)
  await project.write('test/one.ts', TEST)
  // Nothing is compiled.
  await project.write('artifacts/.keep', '')
}, 600_000)

afterAll(() => project.remove())

async function run(line: string): Promise<string> {
  const PATH = pathWithNewerNode(await packagesFolder(HARDHAT_3))
  const { exitCode, output } = await runShell(line, project.folder, { PATH, NODE_OPTIONS: undefined })
  expect({ line, failure: exitCode === 0 ? '' : output }).toEqual({ line, failure: '' })
  return output
}

test.each([
  ['01-node-test-runner-viem', 'ethereum'],
  ['03-minimal', 'network-33'],
])('%s on %s', async (template, network) => {
  const folder = join(project.folder, 'node_modules', 'hardhat', 'templates', template)
  await cp(join(folder, 'hardhat.config.ts'), join(project.folder, 'hardhat.config.ts'))
  // Hardhat's own command takes the mark of its workspace away.
  const manifest = await readFile(join(folder, 'package.json'), 'utf8')
  await project.write('package.json', manifest.replaceAll('workspace:', ''))
  const init = CONFIRMED!.replace('npx dev-node', `"${await commandPath()}"`).replace('network-33', network)
  expect(await run(init)).toMatch(/This project uses Hardhat 3\.[^]*\n  npx hardhat test\n$/)
  // Without a plugin for tests, the template has none to run.
  const test = template.startsWith('01') ? 'npx hardhat test nodejs --no-compile' : 'node test/one.ts'
  await run(test)
  expect(await run(init)).toContain('Nothing has to be changed.')
})
