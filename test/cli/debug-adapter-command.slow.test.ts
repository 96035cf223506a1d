/** The installed command `dev-node debug-adapter`: whole sessions over the standard streams and a port, and a suite of Hardhat 2. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { DebugClient } from '@vscode/debugadapter-testsupport'
import { describe, expect, test } from '@jest/globals'
import { hardhat2 } from '../support/artifact-projects.ts'
import { Editor } from '../support/editor.ts'
import { freePort } from '../support/free-port.ts'
import { commandPath, request } from '../support/packed-command.ts'
import { createProject } from '../support/project.ts'
import { PATH, content, failed, lineOf, plain, withShop } from '../support/shop.ts'

const SOLD = lineOf('sold += count')

/** An editor that starts the command. */
async function startEditor(folder: string): Promise<Editor> {
  const client = new DebugClient(await commandPath(), 'debug-adapter', 'dev-node', { cwd: folder })
  await client.start()
  return new Editor(client)
}

test('a failure is debugged over the standard streams', async () => {
  await withShop(hardhat2(plain), async ({ artifacts, url, shop }) => {
    await failed(shop, 'buy', 20)
    const folder = dirname(artifacts)
    const editor = await startEditor(folder)
    try {
      const stop = await editor.launch({ url, failure: 'last' })
      expect(stop).toMatchObject({ reason: 'exception', line: lineOf('revert TooPoor') })
      expect(stop.frames[0]!.source!.path).toBe(join(folder, PATH))
      expect(await editor.evaluate('value', stop)).toBe('2000')
      expect((await editor.step('stepBack')).line).toBeLessThanOrEqual(stop.line)
    } finally {
      await editor.leave()
    }
  })
})

test('a failure of a file is debugged in a folder that has nothing else', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'editor-'))
  const report = join(folder, 'failures.dnr')
  let failure = 0
  await withShop(
    hardhat2(plain),
    async ({ url, shop }) => {
      const startedAt = Date.now()
      const { hash } = await failed(shop, 'buy', 20)
      const test = { title: 'sells twenty', startedAt, error: 'reverted', marks: [hash] }
      failure = (await request<{ id: number }>(url, 'dev_testFailed', [test])).id
    },
    { report },
  )
  const editor = await startEditor(folder)
  try {
    const stop = await editor.launch({ report: 'failures.dnr', failure })
    expect(stop).toMatchObject({ reason: 'exception', line: lineOf('revert TooPoor') })
    expect(await editor.evaluate('value', stop)).toBe('2000')
    expect((await editor.step('stepBack')).line).toBeLessThanOrEqual(stop.line)
    const source = await editor.client.customRequest('source', { source: stop.frames[0]!.source })
    expect(source.body.content).toBe(content)
  } finally {
    await editor.leave()
    await rm(folder, { recursive: true })
  }
})

describe('with a port', () => {
  /** The command with a port, until the task ends. */
  async function listening(run: (port: number) => Promise<void>): Promise<void> {
    const child = spawn(await commandPath(), ['debug-adapter', '--port', '0'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [line] = await once(createInterface(child.stdout), 'line')
    try {
      await run(Number(/:(\d+)$/.exec(String(line))![1]))
    } finally {
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      expect(await exited).toEqual([0, null])
    }
  }

  test('editors are served one after the other, and a signal ends the command', async () => {
    await withShop(hardhat2(plain), async ({ url, shop }) => {
      await failed(shop, 'buy', 20)
      await listening(async (port) => {
        for (let turn = 0; turn < 2; turn++) {
          const editor = new Editor(new DebugClient('', '', 'dev-node'))
          await editor.client.start(port)
          expect((await editor.launch({ url, failure: 'last' })).reason).toBe('exception')
          await editor.leave()
        }
      })
    })
  })

  test('requests of a browser are refused', async () => {
    await listening(async (port) => {
      const socket = connect(port, '127.0.0.1')
      socket.write('POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}')
      expect(await text(socket)).toBe('')
    })
  })
})

const SUITE = `
const { existsSync } = require('fs')
const { ethers } = require('hardhat')
it('buys', async () => {
  await ethers.provider.getBlockNumber()
  while (!existsSync('attached')) await new Promise((resolve) => setTimeout(resolve, 10))
  const token = await ethers.deployContract('Token', [1000])
  const shop = await ethers.deployContract('Shop', [await token.getAddress()])
  await token.approve(await shop.getAddress(), 1000)
  await shop.buy(2)
  if (await shop.sold() !== 2n) throw new Error('not sold')
})`

test('a suite of Hardhat 2 stops at a breakpoint in its process, and ends when it is resumed', async () => {
  const project = await createProject()
  const port = await freePort()
  const config = `
    require('@nomicfoundation/hardhat-ethers')
    require('dev-node/hardhat')
    module.exports = { solidity: '0.8.28', mocha: { timeout: 0 }, devNode: { explorer: true, port: ${port} } }`
  await project.write('hardhat.config.cjs', config)
  await project.write('test/shop.cjs', SUITE)
  await project.write(PATH, content)
  for (const [path, file] of hardhat2(plain)) await project.write(path, JSON.stringify(file))
  const editor = await startEditor(project.folder)
  try {
    const lines = { [join(project.folder, PATH)]: [{ line: SOLD }] }
    const attached = editor.begin('attach', { url: `http://127.0.0.1:${port}` }, { lines })
    const suite = spawn('npx', ['hardhat', 'test', '--no-compile', 'test/shop.cjs'], {
      cwd: project.folder,
      env: { ...process.env, HARDHAT_DISABLE_TELEMETRY_PROMPT: 'true' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const output = Promise.all([text(suite.stdout), text(suite.stderr)])
    await attached
    const stopped = editor.nextStop()
    await editor.client.configurationDoneRequest()
    await project.write('attached', '')
    const stop = await stopped
    expect(stop).toMatchObject({ reason: 'breakpoint', line: SOLD })
    expect(await editor.evaluate('count', stop)).toBe('2')
    await editor.client.continueRequest({ threadId: stop.threadId })
    expect((await output).join('\n')).toContain('1 passing')
  } finally {
    await editor.leave()
    await project.remove()
  }
})
