import { describe, expect, test } from '@jest/globals'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { COVERED, compileCovered, withCovered } from '../../support/covered.ts'
import type { CoveredScene } from '../../support/covered.ts'
import { PLAIN } from '../../support/failing-contracts.ts'
import { countsOfLcov } from '../../support/lcov.ts'

const run = await compileCovered(PLAIN)
const { createCoverageMap } = createRequire(import.meta.url)('istanbul-lib-coverage')

/** Runs a test with a folder for files. */
async function withFolder(test: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'dev-node-coverage-'))
  await test(folder).finally(() => rm(folder, { recursive: true }))
}

const functionsIn = async (folder: string) =>
  countsOfLcov(await readFile(join(folder, 'lcov.info'), 'utf8')).get(COVERED)!.functions

test('counts from the start to a reset, and not what is traced again', async () => {
  await withCovered(run, {}, async ({ request, deploy, send, call }) => {
    await expect(request('dev_coverage')).rejects.toThrow('coverage is off: start the node with --coverage')
    const covered = await deploy('Covered')
    await request('dev_startCoverage')
    const classified = async () => {
      const { lcov } = await request('dev_coverage', [{ lcov: true }])
      return countsOfLcov(lcov).get(COVERED)!.functions['Covered.classify']
    }
    expect(await classified()).toBe(0)
    await call('Covered', covered, 'classify', 3)
    await send('Covered', covered, 'classify', 13)
    expect(await classified()).toBe(2)
    const { transactions } = await request('eth_getBlockByNumber', ['latest', false])
    await request('debug_traceTransaction', transactions)
    await request('dev_explainTransaction', transactions)
    expect(await classified()).toBe(2)
    await request('dev_resetCoverage')
    expect(await classified()).toBe(0)
  })
})

test('counts what the default chain and two worlds execute at the same time, together', async () => {
  await withCovered(run, {}, async (main, worldOf) => {
    await main.request('dev_startCoverage')
    const scenes = [main, worldOf('a'), worldOf('b')]
    const use = async ({ deploy, send, call }: CoveredScene, times: number) => {
      const covered = await deploy('Covered')
      for (let count = 0; count < times; count++) await call('Covered', covered, 'classify', 3)
      await send('Covered', covered, 'classify', 13)
    }
    await Promise.all(scenes.map((scene, index) => use(scene, index + 1)))
    for (const { request } of scenes) {
      const { lcov } = await request('dev_coverage', [{ lcov: true }])
      const counts = countsOfLcov(lcov).get(COVERED)!.functions
      expect(counts['Covered.classify']).toBe(2 + 3 + 4)
    }
    await scenes[1]!.request('dev_resetCoverage')
    const { summary } = await main.request('dev_coverage')
    expect(summary[0].functions.covered).toBe(0)
  })
})

test('the summary is that of Istanbul', async () => {
  await withCovered(run, {}, async ({ request, deploy, send }) => {
    await request('dev_startCoverage')
    await send('Covered', await deploy('Covered'), 'set', 101)
    const { summary, istanbul, unknownCodes } = await request('dev_coverage')
    expect(unknownCodes).toBe(0)
    const map = createCoverageMap(istanbul)
    const { lines, statements, functions, branches } = map.fileCoverageFor(COVERED).toSummary().data
    const share = ({ total, covered }: any) => ({ total, covered })
    expect(summary).toEqual([
      {
        path: COVERED,
        lines: share(lines),
        statements: share(statements),
        functions: share(functions),
        branches: share(branches),
      },
    ])
    expect(lines.covered).toBeGreaterThan(0)
  })
})

describe('files', () => {
  test('are written on demand, and by each close anew', () =>
    withFolder(async (folder) => {
      await withCovered(run, { coverage: folder }, async ({ request, deploy, call }) => {
        const covered = await deploy('Covered')
        await call('Covered', covered, 'classify', 3)
        await request('dev_coverage', [{ write: true }])
        expect((await functionsIn(folder))['Covered.classify']).toBe(1)
        await call('Covered', covered, 'classify', 3)
      })
      expect((await functionsIn(folder))['Covered.classify']).toBe(2)
      await withCovered(run, { coverage: folder }, async () => undefined)
      expect((await functionsIn(folder))['Covered.classify']).toBe(0)
    }))

  test('are added to those of an earlier run with the option coverageMerge', () =>
    withFolder(async (folder) => {
      for (const times of [1, 2])
        await withCovered(
          run,
          { coverage: folder, coverageMerge: true },
          async ({ request, deploy, call }) => {
            const covered = await deploy('Covered')
            for (let time = 0; time < times; time++) await call('Covered', covered, 'classify', 3)
            await request('dev_coverage', [{ write: true }])
          },
        )
      expect((await functionsIn(folder))['Covered.classify']).toBe(3)
      const written = JSON.parse(await readFile(join(folder, 'coverage-final.json'), 'utf8'))
      expect(createCoverageMap(written).files()).toEqual([COVERED])
    }))

  test('need a folder', async () => {
    await withCovered(run, {}, async ({ request }) => {
      await request('dev_startCoverage')
      await expect(request('dev_coverage', [{ write: true }])).rejects.toThrow('coverage has no folder')
    })
  })
})

test.each([
  ['contracts', 'the artifacts in the folders .* name no source that is not excluded'],
  ['*.sol', 'name no source that is not excluded'],
])('excluded by %s', async (pattern, message) => {
  await withCovered(run, { coverageExclude: [pattern] }, async ({ request }) => {
    await request('dev_startCoverage')
    await expect(request('dev_coverage')).rejects.toThrow(new RegExp(message))
  })
})

test('without ASTs the error says what is missing', async () => {
  const { output, input } = run
  const sources = Object.fromEntries(
    Object.entries(output.sources).map(([path, { id }]) => [path, { id } as never]),
  )
  await withCovered({ input, output: { ...output, sources } }, {}, async ({ request }) => {
    await request('dev_startCoverage')
    await expect(request('dev_coverage')).rejects.toThrow(
      `no coverage: the artifacts of 1 sources, such as ${COVERED}, lack the AST or the text; Foundry writes the AST with ast = true in foundry.toml`,
    )
  })
})

test('without artifacts the error says where they were sought', async () => {
  const empty = { input: run.input, output: { contracts: {}, sources: {} } }
  await withCovered(empty, {}, async ({ request, folder }) => {
    await request('dev_startCoverage')
    await expect(request('dev_coverage')).rejects.toThrow(
      `no coverage: the folders ${folder} contain no artifacts`,
    )
  })
})
