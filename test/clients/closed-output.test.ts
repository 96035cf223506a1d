import { beforeAll, describe, expect, test } from '@jest/globals'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { commandPath, startDevNode } from '../support/packed-command.ts'

const rpc = (url: string, method: string, params: readonly unknown[] = []) =>
  fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  }).then((response) => response.json())

let command = ''
beforeAll(async () => {
  command = await commandPath()
})

describe('when the reader of the output is gone', () => {
  test('the node ends as at a signal, with its state in the file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'dev-node-'))
    try {
      const state = join(folder, 'chain.state')
      const args = ['start', '--port', '0', '--json', '--verbose', '--state', state]
      const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
      const exited = once(child, 'exit')
      const [line] = await once(child.stdout, 'data')
      const { url } = JSON.parse(String(line))
      await rpc(url, 'evm_mine', [{ blocks: 30 }])
      child.stdout.destroy()
      // The next log line cannot be written; the response may be cut off when the node ends.
      await rpc(url, 'eth_chainId').catch(() => undefined)
      expect(await exited).toEqual([0, null])
      expect((await stat(state)).size).toBeGreaterThan(0)
      const next = await startDevNode(['--state', state])
      expect(await rpc(next.url, 'eth_blockNumber')).toMatchObject({ result: '0x1e' })
      await next.stop()
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })

  test('a command that only prints ends well', async () => {
    const child = spawn(command, ['--help'], { stdio: ['ignore', 'pipe', 'pipe'] })
    child.stdout.destroy()
    expect(await once(child, 'exit')).toEqual([0, null])
  })
})
