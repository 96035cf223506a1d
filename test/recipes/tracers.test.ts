/** The guide of tracers: a tracer in JavaScript, on a running node. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { request, startDevNode } from '../support/packed-command.ts'
import { recipe, runShell } from '../support/recipes.ts'

test('a tracer in JavaScript counts instructions', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'dev-node-tracer-'))
  const node = await startDevNode(['--network', 'ethereum'])
  const [from] = await request<readonly string[]>(node.url, 'eth_accounts')
  const sent = { from, data: '0x60016000556000f3', gas: '0x30d40' }
  const hash = await request(node.url, 'eth_sendTransaction', [sent])
  const [code = ''] = recipe('docs/requests.md#tracers-in-javascript', 'js', node.url)
  const provider = `const hash = '${String(hash)}'
  const provider = { request: async ({ method, params }) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const headers = { 'content-type': 'application/json' }
    const { error, result } = await (await fetch('${node.url}', { method: 'POST', headers, body })).json()
    if (error !== undefined) throw new Error(error.message)
    console.log(JSON.stringify(result.counts))
  } }`
  writeFileSync(join(folder, 'tracer.mjs'), `${provider}\n${code}`)
  const { exitCode, output } = await runShell('node tracer.mjs', folder)
  expect({ exitCode, output: output.trim() }).toEqual({
    exitCode: 0,
    output: JSON.stringify({ PUSH1: 3, SSTORE: 1, RETURN: 1 }),
  })
  expect(await node.stop()).toBe(0)
  rmSync(folder, { recursive: true, force: true })
})
