/** The guide of gas: its commands. */

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { gasReportObject } from '../../lib/modules/gas-report/results.ts'
import { hardhat2 } from '../support/artifact-projects.ts'
import { commandPath, request, startDevNode } from '../support/packed-command.ts'
import { recipe, runShell } from '../support/recipes.ts'
import { plain, withShop } from '../support/shop.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gas-guide-'))
})
afterAll(() => rm(folder, { recursive: true }))

const command = async (line: string): Promise<string> =>
  line.replace('npx dev-node', `"${await commandPath()}"`)

test('the node writes a report when it stops, and gas-diff compares two with the exit codes of the guide', async () => {
  const [start = ''] = recipe('docs/gas.md#report', 'sh', 'http://127.0.0.1:4444')
  const node = await startDevNode(start.replace('npx dev-node start', '').trim().split(' '), {}, folder)
  const [from, to] = ['0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266', `0x${'aa'.repeat(20)}`]
  await request(node.url, 'eth_sendTransaction', [{ from, to, value: '0x1' }])
  expect(await node.stop()).toBe(0)
  const written = await readFile(join(folder, 'gas.json'), 'utf8')
  expect(gasReportObject.parse(JSON.parse(written)).contracts).toHaveLength(1)

  const [compare = ''] = recipe('docs/gas.md#compare-two-reports', 'sh', 'http://127.0.0.1:4444')
  await writeFile(join(folder, 'before.json'), written)
  for (const [after, exitCode] of [
    [written, 0],
    [written.replaceAll('21000', '22000'), 1],
    ['[]', 2],
  ] as const) {
    await writeFile(join(folder, 'after.json'), after)
    expect((await runShell(await command(compare), folder)).exitCode).toBe(exitCode)
  }
})

test('the command writes the paths of a flame graph', async () => {
  await withShop(hardhat2(plain), async ({ url, shop }) => {
    const { hash } = (await shop['buy']!(1)) as { hash: string }
    const [line = ''] = recipe('docs/gas.md#one-transaction', 'sh', url)
    const { exitCode } = await runShell((await command(line)).replace('$HASH', hash), folder)
    expect(exitCode).toBe(0)
    expect(await readFile(join(folder, 'out.folded'), 'utf8')).toMatch(/;Token\._move \d+\n/)
  })
})
