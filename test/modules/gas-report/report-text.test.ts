import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { gasReportText } from '../../../lib/modules/gas-report/report-text.ts'
import { createNode } from '../../../lib/index.ts'
import { main } from '../../../lib/cli/main.ts'
import { startServer } from '../../../lib/server/start.ts'
import { fakeProcess } from '../../cli/fake-server.ts'

const gas = (count: number, mean: number) => ({ count, least: mean - 1, mean, median: mean, most: mean + 10 })

describe('a gas report as Markdown', () => {
  test('has tables with aligned columns', () => {
    const text = gasReportText(
      {
        version: 1,
        contracts: [
          {
            contract: 'contracts/Token.sol:Token',
            deployments: { ...gas(1, 612_345), failed: 0, codeSize: 2451 },
            functions: [
              { function: 'pause()', transactions: { count: 0, failed: 2 } },
              {
                function: 'transfer(address,uint256)',
                transactions: { ...gas(12, 51_000), failed: 1 },
                calls: gas(3, 25_000),
              },
            ],
          },
        ],
      },
      60_000_000n,
    )
    expect(text).toBe(`# Gas report

## contracts/Token.sol:Token

2,451 bytes of code

| transactions              | count | failed |     min |    mean |  median |     max | of a block |
| ------------------------- | ----: | -----: | ------: | ------: | ------: | ------: | ---------: |
| deployment                |     1 |      0 | 612,344 | 612,345 | 612,345 | 612,355 |         1% |
| pause()                   |     0 |      2 |         |         |         |         |            |
| transfer(address,uint256) |    12 |      1 |  50,999 |  51,000 |  51,000 |  51,010 |       0.1% |

| calls                     | count |    min |   mean | median |    max |
| ------------------------- | ----: | -----: | -----: | -----: | -----: |
| transfer(address,uint256) |     3 | 24,999 | 25,000 | 25,000 | 25,010 |
`)
  })

  test('keeps names of files from breaking a table', () => {
    const functions = [{ function: 'a|b\n`c`', calls: gas(1, 1) }]
    expect(gasReportText({ version: 1, contracts: [{ contract: '<b>\u001b[1m', functions }] }, 1n)).toContain(
      '\n| a\\|b \\`c\\` |',
    )
  })
})

const transfer = {
  from: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
  to: `0x${'aa'.repeat(20)}`,
  value: '0x1',
}

describe('--gas-report', () => {
  test.each([
    ['gas.json', /^\{\n {2}"version": 1,/],
    ['gas.md', /^# Gas report\n\n## accounts without code/],
  ])('writes %s when a node in the process is closed', async (name, form) => {
    const folder = await mkdtemp(join(tmpdir(), 'gas-'))
    const file = join(folder, name)
    {
      await using node = await createNode({ network: 'ethereum', gasReport: file })
      await node.provider.request({ method: 'eth_sendTransaction', params: [transfer] })
    }
    expect(await readFile(file, 'utf8')).toMatch(form)
    await rm(folder, { recursive: true })
  })

  test('refuses a file in a folder that does not exist, before the node starts', async () => {
    await expect(createNode({ gasReport: '/nowhere/gas.json' })).rejects.toThrow(
      '--gas-report: cannot write /nowhere/gas.json: ENOENT',
    )
  })

  test.each([
    [[], '\n# Gas report\n\nNo transactions and no calls.\n'],
    [['--json'], '{"event":"gasReport","version":1,"contracts":[]}\n'],
  ])('without a file is printed when the command stops, with %j', async (flags, printed) => {
    const argv = ['--network', 'ethereum', '--port', '0', ...flags, '--gas-report']
    const { io, written, started, signal } = fakeProcess(argv, (options) => startServer(options))
    const ended = main(io)
    await started
    signal()
    expect(await ended).toBe(0)
    expect(written.stdout.slice(-printed.length)).toBe(printed)
  })
})
