/** The guide of editors: its configurations, in Neovim and in clients written here, with the command. */

import { execFile, spawn } from 'node:child_process'
import type { SpawnOptions } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Ajv } from 'ajv'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { DebugClient } from '@vscode/debugadapter-testsupport'
import manifest from '../../editors/vscode/package.json' with { type: 'json' }
import { hardhat2 } from '../support/artifact-projects.ts'
import { mustBeInstalled } from '../support/installable.ts'
import { createProject } from '../support/project.ts'
import type { Project } from '../support/project.ts'
import { recipe } from '../support/recipes.ts'
import { PATH, content, failed, lineOf, plain, withShop } from '../support/shop.ts'
import { openEditor, pressF5 } from '../support/vscode.ts'
import type { DebugAdapterExecutable } from '../support/vscode.ts'

let project: Project

beforeAll(async () => {
  project = await createProject()
  await project.write(PATH, content)
})

afterAll(() => project.remove())

/** A purchase that failed on a node at a URL. */
const withFailure = (run: (url: string) => Promise<void>) =>
  withShop(hardhat2(plain), async ({ url, shop }) => {
    await failed(shop, 'buy', 30)
    await run(url)
  })

type Launch = { readonly request: 'launch' | 'attach' }

/** Configurations of the guides: a file, or one of them. */
const configured = ([code = '']: readonly string[]): readonly Launch[] => {
  // oxlint-disable-next-line typescript/no-implied-eval -- JSON with comments
  const read = new Function(`return (\n${code})`)() as Launch & {
    readonly configurations?: readonly Launch[]
  }
  return read.configurations ?? [read]
}

test.each([
  recipe('docs/editors.md#vs-code', 'json', 'http://127.0.0.1:4444'),
  recipe('docs/debugging.md#a-transaction-a-failure-a-call', 'jsonc', 'http://127.0.0.1:4444'),
  recipe('docs/debugging.md#a-suite-while-it-runs', 'jsonc', 'http://127.0.0.1:4444'),
])('VS Code: launch.json has the attributes that the extension describes', (...blocks) => {
  const [{ configurationAttributes } = undefined!] = manifest.contributes.debuggers
  const ajv = new Ajv({ allowUnionTypes: true })
  for (const { request, ...given } of configured(blocks)) {
    const properties = {
      type: { const: 'dev-node' },
      name: {},
      ...configurationAttributes[request].properties,
    }
    expect(ajv.validate({ type: 'object', properties, additionalProperties: false }, given)).toBe(true)
  }
})

test('VS Code: the first configurations are those of the guide', () => {
  const guide = configured(recipe('docs/editors.md#vs-code', 'json', 'http://127.0.0.1:4444'))
  expect(guide).toMatchObject(manifest.contributes.debuggers[0]!.initialConfigurations)
})

/** Path of Neovim; undefined where none is installed. */
const nvim = process.env['NEOVIM'] ?? ['/usr/bin/nvim', '/usr/local/bin/nvim'].find(existsSync)

mustBeInstalled(nvim, 'neovim', 'NEOVIM')

/** Stands for the plugin nvim-dap, whose tables a configuration fills. */
const PLUGIN = 'lua package.loaded.dap = { adapters = {}, configurations = {} }'

/** Writes the program of the adapter and the first configuration. */
const PRINT =
  "lua local dap = require('dap'); io.stdout:write(vim.json.encode({ dap.adapters['dev-node'], dap.configurations.solidity[1] }))"

const neovim = nvim === undefined ? test.skip : test

neovim('Neovim: the adapter and the configuration of the guide lead to the line that failed', () =>
  withFailure(async (url) => {
    const [init = ''] = recipe('docs/editors.md#neovim', 'lua', url)
    await project.write('init.lua', init)
    const scripts = [PLUGIN, 'luafile init.lua', PRINT, 'qall!'].flatMap((line) => ['-c', line])
    const args = ['--headless', '--clean', ...scripts]
    const { stdout } = await promisify(execFile)(nvim!, args, { cwd: project.folder })
    const [adapter, configuration] = JSON.parse(stdout.replace('${workspaceFolder}', project.folder))
    const env = { ...process.env, DEV_NODE_URL: url }
    const options = { cwd: project.folder, env }
    expect(await frameOf(adapter, options, configuration)).toMatchObject(failedLine())
  }),
)

/** Where a session with the failure has to stop. */
const failedLine = () => ({ line: lineOf('revert TooPoor'), source: { path: join(project.folder, PATH) } })

/** Launches, and returns the innermost frame of the first stop. */
async function firstFrame(client: DebugClient, parameters: object) {
  client.defaultTimeout = 120_000
  const stopped = client.waitForEvent('stopped')
  await Promise.all([client.waitForEvent('initialized'), client.launch(parameters)])
  await client.setExceptionBreakpointsRequest({ filters: ['uncaught'] })
  await client.configurationDoneRequest()
  const { threadId } = (await stopped).body
  return (await client.stackTraceRequest({ threadId })).body.stackFrames[0]
}

/** The innermost frame of the first stop by an adapter that is started. */
async function frameOf(
  { command, args }: { readonly command: string; readonly args: readonly string[] },
  options: SpawnOptions,
  parameters: object,
) {
  const adapter = spawn(command, args, { ...options, stdio: ['pipe', 'pipe', 'inherit'] })
  const client = new DebugClient('', '', 'dev-node')
  client['connect'](adapter.stdout, adapter.stdin)
  try {
    return await firstFrame(client, parameters)
  } finally {
    adapter.kill()
    await once(adapter, 'close')
  }
}

test('VS Code: F5 starts the adapter of the package, which stops at the line that failed', () =>
  withFailure(async (url) => {
    const editor = await openEditor({ folder: project.folder, settings: { 'dev-node.url': url } })
    await pressF5()
    const [configuration] = editor.started
    const descriptor = await editor.adapters
      .get('dev-node')!
      .createDebugAdapterDescriptor({ configuration } as never, undefined)
    const executable = descriptor as DebugAdapterExecutable
    expect(await frameOf(executable, executable.options, configuration!)).toMatchObject(failedLine())
  }))

test('JetBrains and other clients: parameters over a port lead to the line that failed', () =>
  withFailure(async (url) => {
    const [text = ''] = recipe('docs/editors.md#jetbrains', 'json', url)
    const parameters = JSON.parse(text.replace('${workspaceFolder}', project.folder)) as object
    const [line = ''] = recipe('docs/editors.md#other-clients', 'sh', url)
    expect(recipe('docs/debugging.md#debugging', 'sh', url).join()).toContain(line.trim())
    // Any free port, which the adapter prints.
    const [, , ...args] = line.trim().replace(' 4711', ' 0').split(' ')
    const script = 'node_modules/dev-node/dist/dev-node.cjs'
    const adapter = spawn('node', [script, ...args], {
      cwd: project.folder,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(adapter.stdout, 'readable')
    const [, port] = /:(\d+)$/.exec(String(adapter.stdout.read()).trim()) ?? []
    const client = new DebugClient('', '', 'dev-node')
    try {
      await client.start(Number(port))
      expect(await firstFrame(client, { ...parameters, url })).toMatchObject(failedLine())
    } finally {
      await client.stop()
      adapter.kill()
      await once(adapter, 'close')
    }
  }))
