/** What services of continuous integration read of failed tests: their files are parsed as the services parse them. */

import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { realHost } from '../../../lib/base/host.ts'
import { writeCiOutputs } from '../../../lib/modules/report/ci-outputs.ts'
import type { ReportedExecution, ReportedTest } from '../../../lib/modules/report/report-file.ts'
import { startWithOptions } from '../../../lib/server/start.ts'
import type { OptionsInput } from '../../../lib/modules/options.ts'
import { resolveOptions } from '../../../lib/modules/resolve-options.ts'
import { hardhat2 } from '../../support/artifact-projects.ts'
import { lineOf, plain, withShop, type Scene } from '../../support/shop.ts'
import { markdownCells, xmlTree } from './ci-readers.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ci-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const file = (name: string): string => join(folder, name)
const read = (name: string): Promise<string> => readFile(file(name), 'utf8')

/** A command of a workflow, as the runner parses it (actions/runner, src/Runner.Common/ActionCommand.cs). */
function commandIn(line: string) {
  const [, name, listed = '', data = ''] = /^::(\S+)(?: ([^]*?))?::([^]*)$/.exec(line) ?? []
  const unescaped = (text: string): string =>
    text
      .replace(/%(3A|2C|0D|0A)/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
      .replaceAll('%25', '%')
  const properties = listed.split(',').map((one) => {
    const at = one.indexOf('=')
    return [one.slice(0, at), unescaped(one.slice(at + 1))] as const
  })
  return { name, ...Object.fromEntries(properties), message: unescaped(data) } as Record<string, string>
}

const commandsIn = (text: string) => text.trimEnd().split('\n').map(commandIn)

/** What a test may be called, and what a contract may say. */
const HOSTILE = [
  'a | b \\| c ` d `` e',
  '<img src=x onerror=alert(1)> & "quoted" \'too\' ]]> &lt;',
  'thanks @octocat, see #1 and www.example.org or https://example.org or a@b.example',
  '100% ::error file=a,line=1::x, y: z %0A %25',
  '*bold* _thin_ ~~gone~~ [link](x) ![picture](y) $x$ :tada: \\',
  'first\n::stop-commands::x\r\n## second',
  'nul \u0000 escape \u001b[31m odd \uFFFF half \uD800 whole 😀 right \u202E left',
]

function failedTest(text: string, more: Partial<ReportedTest> = {}): ReportedTest {
  const place = { address: '0x1', contract: 'Shop', function: 'buy', file: 'contracts/Shop.sol', line: 3 }
  const explanation = {
    status: 'reverted',
    reason: { kind: 'error', message: text },
    stack: [{ ...place, excerpt: text }],
  }
  const execution = { id: 7, explanation } as unknown as ReportedExecution
  return {
    title: text,
    file: 'test/shop.ts',
    line: 5,
    error: text,
    failure: 7,
    executions: [execution],
    ...more,
  }
}

/** What is printed, beside the files that are written. */
const outputs = (tests: readonly ReportedTest[], env = {}): Promise<string> =>
  writeCiOutputs(
    { summary: file('summary.md'), junit: file('junit.xml'), report: file('failures.dnr') },
    { env },
    tests,
  )

const shownText = /^[^\u0000-\u001F\u202E]*$/

describe('hostile names and messages', () => {
  const tests = HOSTILE.map((text) => failedTest(text))

  test('stay in their cells of the Markdown, as code without elements, links or mentions', async () => {
    await outputs(tests)
    const rows = (await read('summary.md')).split('\n').filter((line) => line.startsWith('| <code>'))
    expect(rows).toHaveLength(HOSTILE.length)
    rows.forEach((row, index) => {
      const cells = markdownCells(row)
      expect(cells).toHaveLength(4)
      const [[title, place], [reason]] = cells as [[string, string], [string]]
      expect(title).toMatch(shownText)
      expect(place).toBe('test/shop.ts:5')
      const [start] = HOSTILE[index]!.split(/[\r\n\u0000]/)
      expect([title.startsWith(start!), reason.startsWith(start!)]).toEqual([true, true])
    })
  })

  test('are read back from the XML', async () => {
    await outputs(tests)
    const [suites] = xmlTree(await read('junit.xml'))
    const [suite] = suites!.children
    expect(suite!.attributes).toMatchObject({ tests: '7', failures: '7' })
    expect(suite!.children.map(({ name }) => name)).toEqual(HOSTILE.map(() => 'testcase'))
    suite!.children.forEach(({ attributes, children: [failure] }, index) => {
      const [start] = HOSTILE[index]!.split(/[\r\n\u0000]/)
      expect(attributes).toMatchObject({ classname: 'test/shop.ts', file: 'test/shop.ts', line: '5' })
      expect(attributes['name']!.startsWith(start!)).toBe(true)
      expect(failure!.attributes['message']!.startsWith(start!)).toBe(true)
      expect(failure!.text).toContain('in Shop.buy (contracts/Shop.sol:3)')
      expect(failure!.text).toContain('npx dev-node explain failures.dnr 7')
    })
  })

  test('are one command each in the output', async () => {
    const text = await outputs(tests, { GITHUB_ACTIONS: 'true' })
    const commands = commandsIn(text)
    expect(commands).toHaveLength(HOSTILE.length)
    commands.forEach(({ name, title, message }, index) => {
      const [start] = HOSTILE[index]!.split(/[\r\n\u0000]/)
      expect(name).toBe('error')
      expect([title!.startsWith(start!), message!.startsWith(start!)]).toEqual([true, true])
    })
  })
})

test('a text of many lines is escaped as by the library of GitHub', async () => {
  const more = { title: 'x:y,z', file: undefined, executions: [], error: '50%: a, b\r\nmore' }
  const text = await outputs([failedTest('50%: a, b', more)], { GITHUB_ACTIONS: 'true' })
  expect(text).toBe('::error title=x%3Ay%2Cz::50%25: a, b%0Amore%0Anpx dev-node explain failures.dnr 7\n')
})

test('the annotation is at the innermost file of the repository, with its path from the repository on', async () => {
  const project = relative(resolve(), join(folder, 'packages', 'shop'))
  for (const path of ['contracts/Shop.sol', 'node_modules/lib/Lib.sol', 'test/shop.ts'])
    await mkdir(join(project, dirname(path)), { recursive: true }).then(() =>
      writeFile(join(project, path), ''),
    )
  const stack = ['@lib/Lib.sol', 'node_modules/lib/Lib.sol', 'contracts/Shop.sol'].map((path, index) => ({
    address: '0x1',
    file: join(project, path),
    line: index + 1,
  }))
  const explanation = { status: 'reverted', reason: { kind: 'error', message: 'no' }, stack }
  const executions = [{ id: 7, explanation }] as unknown as ReportedExecution[]
  const env = { GITHUB_ACTIONS: 'true', GITHUB_WORKSPACE: folder }
  const text = await outputs([failedTest('no', { file: join(project, 'test/shop.ts'), executions })], env)
  expect(commandsIn(text)).toMatchObject([
    { title: 'no', file: 'packages/shop/contracts/Shop.sol', line: '3' },
    { title: 'no', file: 'packages/shop/test/shop.ts', line: '5' },
  ])
})

test('a summary of many tests has less than the megabyte that GitHub reads', async () => {
  const tests = Array.from({ length: 300 }, (_, index) => failedTest(`${index} ${'@'.repeat(100_000)}`))
  await outputs(tests)
  const summary = await read('summary.md')
  expect(summary).toContain('\n250 more are not listed.\n')
  expect(Buffer.byteLength(summary)).toBeLessThan(2 ** 20)
})

test('a file that cannot be written is an error of its option', async () => {
  await writeFile(file('taken'), '')
  const writing = writeCiOutputs({ summary: file('taken/x.md') }, {}, [failedTest('no')])
  await expect(writing).rejects.toThrow(`--summary: cannot write ${file('taken/x.md')}: `)
})

describe('a node', () => {
  const given = {
    GITHUB_ACTIONS: process.env['GITHUB_ACTIONS'],
    GITHUB_STEP_SUMMARY: process.env['GITHUB_STEP_SUMMARY'],
  }
  afterEach(() => {
    for (const [name, value] of Object.entries(given)) {
      if (value === undefined) Reflect.deleteProperty(process.env, name)
      else process.env[name] = value
    }
  })

  const failingTest = async ({ url, shop }: Scene): Promise<void> => {
    const startedAt = realHost.now() - 60_000
    const error = await shop['buy']!.staticCall(30).catch((reason: unknown) => reason)
    const described = {
      title: 'sells thirty',
      file: 'test/shop.js',
      line: 12,
      startedAt,
      marks: [error.data],
    }
    const body = {
      jsonrpc: '2.0',
      id: 1,
      method: 'dev_testFailed',
      params: [{ ...described, error: error.message }],
    }
    const headers = { 'content-type': 'application/json' }
    await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  }

  test('writes both files, the page of the job and annotations when it closes', async () => {
    await writeFile(file('page.md'), '# before\n')
    process.env['GITHUB_ACTIONS'] = 'true'
    process.env['GITHUB_STEP_SUMMARY'] = file('page.md')
    const options = { report: file('failures.dnr'), summary: file('out/a.md'), junit: file('out/a.xml') }
    await withShop(hardhat2(plain), failingTest, options)
    const summary = await read('out/a.md')
    expect(summary).toContain('TooPoor')
    expect(summary).toContain(`contracts/Shop.sol&#58;${lineOf('revert TooPoor(')}`)
    expect(await read('page.md')).toBe(`# before\n${summary}\n`)
    const [suites] = xmlTree(await read('out/a.xml'))
    const [failure] = suites!.children[0]!.children[0]!.children
    expect(failure!.attributes['message']).toContain('TooPoor')
    expect(failure!.text).toContain(`contracts/Shop.sol:${lineOf('revert TooPoor(')}`)
  })

  /** What a node prints at its end, after a test that failed by a transaction. */
  async function closingText(options: OptionsInput, isFailed = true): Promise<string> {
    const server = await startWithOptions(
      resolveOptions({ values: { network: 'ethereum', port: 0, ...options } }),
    )
    const rpc = async (method: string, ...params: unknown[]): Promise<any> => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
      const headers = { 'content-type': 'application/json' }
      return (await fetch(server.url, { method: 'POST', headers, body })).json()
    }
    const [from] = (await rpc('eth_accounts')).result
    const { result: hash } = await rpc('eth_sendTransaction', { from, gas: '0x186a0', data: '0x60006000fd' })
    const described = {
      title: 'deploys',
      startedAt: realHost.now() - 60_000,
      marks: [hash],
      error: 'it reverted',
    }
    if (isFailed) await rpc('dev_testFailed', described)
    await server.close()
    return server.closingText()
  }

  test('adds the gas report and the coverage to the page of the job, if they were measured', async () => {
    process.env['GITHUB_ACTIONS'] = 'true'
    process.env['GITHUB_STEP_SUMMARY'] = file('page.md')
    const measured = { gasReport: true, coverage: file('coverage') }
    await withShop(hardhat2(plain), failingTest, { report: file('failures.dnr'), ...measured })
    const titles = (await read('page.md')).split('\n').filter((line) => /^#|Shop\.sol +\|/.test(line))
    expect(titles).toEqual([
      '## 1 failed test',
      '# Gas report',
      '## contracts/Shop.sol:Shop',
      '## contracts/Shop.sol:Token',
      '## Coverage',
      expect.stringMatching(/Shop\.sol +\|/),
    ])
  })

  test('compares the gas and the coverage with those of a base, if there is one', async () => {
    process.env['GITHUB_ACTIONS'] = 'true'
    process.env['GITHUB_STEP_SUMMARY'] = file('page.md')
    const base = { gasBase: file('base/gas.json'), coverageBase: file('base/coverage') }
    const measured = { report: false, gasReport: file('base/gas.json'), coverage: file('base/coverage') }
    await mkdir(file('base'))
    await withShop(hardhat2(plain), async () => undefined, { ...measured, ...base })
    expect(await read('page.md')).not.toMatch(/# Gas changes|before and now/)
    await rm(file('page.md'))
    const buy = async ({ shop }: Scene): Promise<void> => void (await shop['buy']!(2))
    const later = { report: false, gasReport: true, coverage: file('coverage') }
    await withShop(hardhat2(plain), buy, { ...later, ...base })
    const page = await read('page.md')
    expect(page).toMatch(
      /^# Gas changes\n\n\| function .*\n.*\n\| contracts\/Shop\.sol:Shop buy\(uint256\) .* - → 1 /,
    )
    expect(page).toMatch(
      /\nCovered lines in percent, before and now:\nAll files: [\d.]+ → [\d.]+\ncontracts\/Shop\.sol: /,
    )
  })

  test('does not start with a base that cannot be read', async () => {
    await writeFile(file('coverage-final.json'), '{')
    const start = (values: OptionsInput) =>
      startWithOptions(resolveOptions({ values: { port: 0, ...values } }))
    const gas = { gasReport: true, gasBase: 'package.json' }
    await expect(start(gas)).rejects.toThrow('--gas-base: package.json is not a gas report')
    const coverage = { coverage: file('coverage'), coverageBase: folder }
    await expect(start(coverage)).rejects.toThrow('coverage-final.json is not the coverage of an earlier run')
  })

  test('prints annotations in GitHub Actions only', async () => {
    process.env['GITHUB_ACTIONS'] = 'true'
    delete process.env['GITHUB_STEP_SUMMARY']
    const inGithub = await closingText({ report: file('failures.dnr') })
    process.env['GITHUB_ACTIONS'] = ''
    const elsewhere = await closingText({ report: file('failures.dnr') })
    expect(elsewhere).toBe(`1 failed test: npx dev-node show ${file('failures.dnr')}\n`)
    const [command, ...others] = inGithub.split('\n')
    expect(commandIn(command!)).toMatchObject({ name: 'error', title: 'deploys' })
    expect(others.join('\n')).toBe(elsewhere)
  })

  test('writes the files without a file of failures, and names no command then', async () => {
    process.env['GITHUB_ACTIONS'] = ''
    expect(await closingText({ report: false, junit: file('junit.xml') })).toBe('')
    expect(await read('junit.xml')).toContain('<testcase name="deploys" ')
    expect(await read('junit.xml')).not.toContain('npx')
  })

  test('writes nothing without failed tests', async () => {
    process.env['GITHUB_ACTIONS'] = 'true'
    process.env['GITHUB_STEP_SUMMARY'] = file('page.md')
    expect(await closingText({ summary: file('none.md') }, false)).toBe('')
    for (const name of ['none.md', 'page.md']) await expect(read(name)).rejects.toThrow('ENOENT')
  })

  test('of a run with several adds its tests to the files, and to the page of the job only its own', async () => {
    process.env['GITHUB_ACTIONS'] = 'true'
    process.env['GITHUB_STEP_SUMMARY'] = file('page.md')
    const options = { report: file('failures.dnr'), summary: file('a.md') }
    await closingText(options)
    const annotations = (await closingText({ ...options, reportMerge: true }))
      .split('\n')
      .filter((line) => line.startsWith('::'))
    expect(annotations).toHaveLength(1)
    expect(await read('a.md')).toContain('## 2 failed tests\n')
    expect((await read('page.md')).match(/## 1 failed test\n/g)).toHaveLength(2)
  })
})
