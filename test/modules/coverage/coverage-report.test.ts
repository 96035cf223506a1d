/** Sources that coverage leaves out. */

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { excludedBy } from '../../../lib/modules/coverage/coverage-report.ts'

describe('without patterns', () => {
  const isExcluded = excludedBy([], ['/project'])

  test.each([
    'node_modules/solady/src/utils/LibString.sol',
    'packages/token/node_modules/solady/src/utils/LibString.sol',
    '@openzeppelin/contracts/token/ERC20/ERC20.sol',
    'npm/@openzeppelin/contracts@5.4.0/token/ERC20/ERC20.sol',
    'lib/forge-std/src/Test.sol',
    'hardhat/console.sol',
    'test/Counter.t.sol',
    'script/Deploy.s.sol',
    '/project/lib/solmate/src/auth/Owned.sol',
    '/elsewhere/contracts/Counter.sol',
  ])('%s is left out', (path) => {
    expect(isExcluded(path)).toBe(true)
  })

  test.each([
    'contracts/Counter.sol',
    './src/Counter.sol',
    // Only the folder at the root is that of libraries.
    'contracts/lib/Math.sol',
    'contracts/npm/Math.sol',
    'contracts/@types/Math.sol',
    'contracts/hardhat/console.sol',
    'contracts/node_modules.sol',
    'contracts/Test.sol',
    'contracts/Deploys.sol',
    '/project/contracts/Counter.sol',
  ])('%s is counted', (path) => {
    expect(isExcluded(path)).toBe(false)
  })
})

test('a package of the project is left out by its name', async () => {
  const project = await mkdtemp(join(tmpdir(), 'dev-node-project-'))
  await mkdir(join(project, 'node_modules/solady/src'), { recursive: true })
  await writeFile(join(project, 'node_modules/solady/src/Lib.sol'), '')
  const isExcluded = excludedBy([], [project])
  expect(isExcluded('solady/src/Lib.sol')).toBe(true)
  expect(isExcluded('solady/src/Own.sol')).toBe(false)
  await rm(project, { recursive: true })
})
