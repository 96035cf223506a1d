/** A report opened on a node without project, artifacts or network answers as the node that wrote it. */

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals'
import { readReport } from '../../../lib/cli/asked-report.ts'
import { BLOCK_HASHES } from '../../../lib/evm/system-contracts.ts'
import { ContractCatalog } from '../../../lib/insight/artifacts/catalog.ts'
import { kindsOf } from '../../../lib/kernel/running-modules.ts'
import { MODULES } from '../../../lib/modules/list.ts'
import { openReport, type OpenedReport } from '../../../lib/modules/report/opened-report.ts'
import { compileProject, hardhat2 } from '../../support/artifact-projects.ts'
import { content, lineOf, PATH, withShop, type Scene } from '../../support/shop.ts'

let folder: string
let file: string
let searches: number
let told: { id: number; lines: string[] }
let live: Record<string, unknown>
let report: OpenedReport

/** The project with a function that no contract calls. */
const withIdle = compileProject({ [PATH]: `${content}library Idle { function idle() internal pure {} }` })

const rpc = async (url: string, method: string, ...params: unknown[]): Promise<any> => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  const { result, error } = (await response.json()) as any
  if (error) throw new Error(error.message)
  return result
}

/** What a client of the debugger sees: each statement with its place and local variables. */
async function debugged(ask: (method: string, ...params: unknown[]) => Promise<any>, id: number) {
  const { session } = await ask('dev_debugOpen', { failure: id })
  const seen: unknown[] = []
  for (let at = 0; seen.length < 200;) {
    const stop = await ask('dev_debugMove', session, at, { kind: 'into' })
    const { frames } = await ask('dev_debugStack', session, stop.step)
    seen.push([frames[0], await ask('dev_debugVariables', session, stop.step, frames[0].frame, ['locals'])])
    seen.push(await ask('dev_debugVariables', session, stop.step, frames[0].frame, ['state']))
    if (stop.reason === 'end' || stop.step === at) break
    at = stop.step
  }
  return seen
}

async function failingTest({ url, shop }: Scene): Promise<void> {
  const startedAt = Date.now()
  await (await shop['buy']!(2)).wait()
  await shop['buy']!.staticCall(30).catch(() => undefined)
  const error = await shop['buy']!(30, { gasLimit: 500_000 }).then(
    (sent: any) => sent.wait(),
    (reason: unknown) => reason,
  )
  const described = { title: 'sells thirty', file: 'test/shop.js', startedAt, marks: [error.data ?? '0x'] }
  const refresh = jest.spyOn(ContractCatalog.prototype, 'refresh')
  told = await rpc(url, 'dev_testFailed', { ...described, error: error.message })
  searches = refresh.mock.calls.length
  refresh.mockRestore()
  live = {
    explanation: await rpc(url, 'dev_explainFailure', told.id),
    rows: (await rpc(url, 'dev_failures')).map(({ executions: _, ...row }: any) => row),
    debugged: await debugged((method, ...params) => rpc(url, method, ...params), told.id),
  }
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'report-'))
  file = join(folder, 'failures.dnr')
  await withShop(hardhat2(withIdle), failingTest, { report: file })
  report = await openReport(await readReport(file), kindsOf(MODULES))
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

const ask = (method: string, ...params: unknown[]): Promise<any> => report.ask(method, params)

test('the runner gets the reason with its lines of Solidity', () => {
  expect(told.lines[0]).toContain('TooPoor')
  expect(told.lines.join('\n')).toContain(`Shop.sol:${lineOf('revert TooPoor(')}`)
})

test('the folders of artifacts are searched once at most for three executions', () => {
  expect(searches).toBeLessThanOrEqual(1)
})

test('explanations are those of the node', async () => {
  expect(await ask('dev_explainFailure', told.id)).toEqual(live['explanation'])
})

test('failures are listed with their test', async () => {
  const rows = await ask('dev_failures')
  expect(rows.map(({ executions: _, ...row }: any) => row)).toEqual(live['rows'])
  expect(rows[0].test).toMatchObject({ title: 'sells thirty', failure: told.id })
  expect(rows[0].executions).toHaveLength(3)
})

test('the debugger steps through the same statements with the same variables', async () => {
  expect(await debugged(ask, told.id)).toEqual(live['debugged'])
})

test('the executions before the failure can be opened', async () => {
  const [first] = (await ask('dev_failures'))[0].executions
  expect(await ask('dev_explainFailure', first)).toMatchObject({
    status: 'success',
    call: { contract: 'Shop' },
  })
})

test('functions that are in no code are left out of the ASTs', async () => {
  const { builds } = await readReport(file)
  const asts = JSON.stringify(builds.map(({ output }) => output.sources))
  expect([asts.includes('"name":"transferFrom"'), asts.includes('"name":"idle"')]).toEqual([true, false])
})

test('slots that every block writes are recorded only if the execution reads them', async () => {
  const { tests } = await readReport(file)
  const slots = tests[0]!.executions.map(
    ({ state }) => Object.keys(state[BLOCK_HASHES.address]?.slots ?? {}).length,
  )
  expect(slots).toEqual([0, 0, 0])
})

describe('another file', () => {
  test.each([
    ['nothing', (_: Buffer) => Buffer.from(''), 'it is no file of failures'],
    ['a damaged one', (bytes: Buffer) => bytes.fill(7, 200, 210), 'it is damaged'],
    [
      'one of a newer release',
      (bytes: Buffer) =>
        Buffer.from(bytes.toString('latin1').replace('failures 1 ', 'failures 9 '), 'latin1'),
      'a newer release of dev-node wrote it',
    ],
  ])('%s is refused', async (name, change, reason) => {
    const path = join(folder, name)
    await writeFile(path, change(await readFile(file)))
    await expect(readReport(path)).rejects.toThrow(`cannot read the failures in ${path}: ${reason}`)
  })
})
