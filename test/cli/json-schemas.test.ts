/** What commands print with --json, by the JSON Schemas that the package exports. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { Ajv } from 'ajv'
import { present } from '../../lib/base/invariant.ts'
import { main } from '../../lib/cli/main.ts'
import { startWithOptions } from '../../lib/server/start.ts'
import { SCHEMAS } from '../../scripts/schemas.ts'
import { hardhat2 } from '../support/artifact-projects.ts'
import { failed, plain, withShop } from '../support/shop.ts'
import { fakeProcess } from './fake-server.ts'

/** Runs a command, and returns the JSON in its last line. */
async function json(...argv: readonly string[]): Promise<any> {
  const { io, written } = fakeProcess(argv, startWithOptions)
  await main({ ...io, env: { PATH: process.env['PATH'] } })
  return JSON.parse(written.stdout.trimEnd().split('\n').at(-1)!)
}

/** The errors of a value by the schema of a name, which refuses the value with another member. */
function errorsBy(name: string, value: object): unknown {
  const isValid = new Ajv({ allowUnionTypes: true }).compile(present(SCHEMAS.get(name), name))
  const [object, other] = Array.isArray(value)
    ? [value[0], [{ ...value[0], other: 1 }]]
    : [value, { ...value, other: 1 }]
  expect([object, isValid(other)]).toEqual([expect.any(Object), false])
  isValid(value)
  return isValid.errors
}

describe('the JSON of', () => {
  test('an explanation and a list of failures', async () => {
    await withShop(hardhat2(plain), async ({ url, shop }) => {
      const { hash } = await failed(shop, 'buy', 30)
      const bought = (await shop['buy']!(2)) as { hash: string }
      const explained = [await json('explain', hash, '--json', '--url', url)]
      explained.push(await json('explain', bought.hash, '--json', '--url', url))
      expect(explained.map((one) => errorsBy('explanation', one))).toEqual([null, null])
      expect(
        errorsBy('explanation', { ...explained[0], call: { ...explained[0].call, gas: 1 } }),
      ).toMatchObject([{ instancePath: '/call/gas', message: 'must be string' }])
      expect(errorsBy('failures', await json('explain', '--last', '5', '--json', '--url', url))).toBeNull()
    })
  })

  test('a command that fails, and of one that does not', async () => {
    const body = `JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_call', params: [{ data: '0xfe' }] })`
    const headers = `{ 'content-type': 'application/json' }`
    const failing = `fetch(process.env.DEV_NODE_URL, { method: 'POST', headers: ${headers}, body: ${body} }).then(() => process.exit(3))`
    const run = (program: string) =>
      json('exec', '--port', '0', '--json', '--', process.execPath, '-e', program)
    const ended = await run(failing)
    expect(ended).toMatchObject({ event: 'ended', code: 3, failures: [{ id: 1, kind: 'call' }] })
    expect(errorsBy('exec', ended)).toBeNull()
    expect(await run(failing.replace('exit(3)', 'exit(0)'))).toEqual({
      event: 'ended',
      code: 0,
      failures: [],
    })
  })

  test('a comparison of gas', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gas-diff-'))
    const figures = { count: 1, failed: 0, least: 1, median: 1, most: 1 }
    const report = (mean: number, name: string) => ({
      version: 1,
      contracts: [
        {
          contract: 'a.sol:A',
          deployments: { ...figures, mean },
          functions: [{ function: name, transactions: { count: 1, failed: 1 } }],
        },
      ],
    })
    const files = [join(folder, 'before.json'), join(folder, 'after.json')] as const
    await writeFile(files[0], JSON.stringify(report(1, 'move()')))
    await writeFile(files[1], JSON.stringify(report(2, 'turn()')))
    const changes = await json('gas-diff', ...files, '--json')
    expect(changes).toMatchObject({ exceeding: 1, changes: [{ percent: 100 }, {}, {}] })
    expect(errorsBy('gas-diff', changes)).toBeNull()
    await rm(folder, { recursive: true })
  })
})
