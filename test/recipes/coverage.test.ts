/** The guide of coverage: the flag, the files and the methods. */

import { expect, test } from '@jest/globals'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { JsonRpcProvider } from 'ethers'
import { standardJson } from '../support/artifact-projects.ts'
import { COVERED, compileCovered } from '../support/covered.ts'
import { countsOfLcov } from '../modules/coverage/lcov.ts'
import { startDevNode } from '../support/packed-command.ts'
import { createProject } from '../support/project.ts'
import { recipe, runShell } from '../support/recipes.ts'
import { SETUPS } from '../insight/explain/failures/tested-setups.ts'

const setup = SETUPS.find(
  ({ version, isOptimized, viaIr }) => version === '0.8.37' && !isOptimized && !viaIr,
)!

test('a client counts a part of a run, and the node writes files and pages', async () => {
  const run = await compileCovered(setup)
  const project = await createProject()
  const { folder } = project
  try {
    for (const [path, content] of standardJson(run))
      await project.write(join('artifacts', path), JSON.stringify(content))
    const [start = ''] = recipe('docs/coverage.md#coverage', 'sh', 'http://127.0.0.1:4444')
    const flags = start.trim().split(' ').slice(3)
    const node = await startDevNode(flags, {}, folder)
    const [block = ''] = recipe('docs/coverage.md#coverage', 'ts', node.url)
    const { abi, evm } = run.output.contracts[COVERED]!['Unused']!
    await project.write(
      'client.mjs',
      `import { ContractFactory, JsonRpcProvider } from 'ethers'
      const provider = new JsonRpcProvider('${node.url}')
      const signer = await provider.getSigner(0)
      const factory = new ContractFactory(${JSON.stringify(abi)}, '${evm.bytecode.object}', signer)
      const unused = await factory.deploy()
      const counter = { increment: () => unused.nothing() }
      ${block}
      console.log(JSON.stringify({ summary, istanbul, lcov }))
      provider.destroy()`,
    )
    const { exitCode, output } = await runShell('node client.mjs', folder)
    expect({ exitCode, output }).toMatchObject({ exitCode: 0 })
    const { summary, istanbul, lcov } = JSON.parse(output)
    expect(summary[0].functions.covered).toBe(1)
    expect(Object.keys(istanbul)).toEqual([COVERED])
    expect(countsOfLcov(lcov).get(COVERED)!.functions['Unused.nothing']).toBe(1)
    const provider = new JsonRpcProvider(node.url)
    await (await provider.getSigner(0)).sendTransaction({ data: `0x${evm.bytecode.object}` })
    provider.destroy()
    expect(await node.stop()).toBe(0)
    expect(await readFile(join(folder, 'coverage/html/index.html'), 'utf8')).toContain('All files')
    const page = await readFile(join(folder, 'coverage/html/Covered.sol.html'), 'utf8')
    expect(page).toContain('contract Covered is Base')
  } finally {
    await project.remove()
  }
})
