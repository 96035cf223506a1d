/** The files that forge and Hardhat write give the explanations of solc's standard JSON. */

import { expect, test } from '@jest/globals'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { standardJson, writeInto } from '../../support/artifact-projects.ts'
import { foundryProject, hardhat2Project, hardhat3Project } from '../../support/compiling-tools.ts'
import type { ToolProject } from '../../support/compiling-tools.ts'
import { describeFoundry } from '../../support/foundry.ts'
import { PATH, content, failed, lineOf, plain, withShop } from '../../support/shop.ts'
import type { Explained, Scene } from '../../support/shop.ts'

const SETTINGS = { evmVersion: 'cancun' }

const TOML = ['ast = true', 'evm_version = "cancun"']

/** Transactions with a failure over two contracts, a change of variables, and a failure that is caught. */
const explained = async ({ shop, explain }: Scene): Promise<readonly Explained[]> => [
  await explain(failed(shop, 'buy', 30)),
  await explain(shop['buy']!(2)),
  await explain(shop['tryBuy']!(40, { gasLimit: 500_000 })),
]

/** The explanations with the artifacts in a folder, or with standard JSON. */
async function explanations(artifacts?: string): Promise<readonly Explained[]> {
  let result: readonly Explained[] = []
  const options = artifacts === undefined ? {} : { artifacts: [artifacts] }
  await withShop(
    standardJson(plain),
    async (scene) => {
      result = await explained(scene)
    },
    options,
  )
  return result
}

/** Compiles the shop, and compares. */
async function compare(
  project: ToolProject,
  task: readonly string[],
  artifacts: string,
  artifactOf: (contract: string) => string,
): Promise<void> {
  try {
    await writeInto(project.folder, PATH, content)
    await project.run(...task)
    const folder = join(project.folder, artifacts)
    for (const name of ['Shop', 'Token'])
      expect(await codeIn(join(folder, artifactOf(name)))).toBe(
        withoutHash(plain.output.contracts[PATH]![name]!.evm.bytecode.object),
      )
    const [failure, success, caught] = await explanations(folder)
    const expected = await explanations()
    expect([failure, success, caught]).toEqual(expected)
    // What must be equal is there.
    expect(failure?.stack?.map(({ file, line, column }) => [file, line, column])).toEqual([
      [PATH, lineOf('revert TooPoor'), 37],
      [PATH, lineOf('_move(from, to, value);'), 9],
      [PATH, lineOf('require(token.transferFrom'), 17],
    ])
    expect(success?.storage[0]).toMatchObject({ variable: 'sold', before: '0', after: '2' })
  } finally {
    await project.remove()
  }
}

/** The init code in an artifact, without the hash of the metadata, which contains the tool's settings. */
async function codeIn(file: string): Promise<string> {
  const { bytecode } = JSON.parse(await readFile(file, 'utf8')) as {
    bytecode: string | { readonly object: string }
  }
  return withoutHash(typeof bytecode === 'string' ? bytecode : bytecode.object)
}

const withoutHash = (code: string): string =>
  code.replace(/^0x/, '').replaceAll(/(?<=64697066735822)[0-9a-f]{68}/g, '')

describeFoundry('forge', () => {
  test.each([
    ['with the paths of the sources only', []],
    ["with the compiler's input and output", ['--build-info']],
  ])('its build has the same explanations, %s', async (_content, options) => {
    const project = await foundryProject(TOML)
    await compare(project, ['build', ...options], 'out', (name) => `Shop.sol/${name}.json`)
  })
})

test.each([
  ['Hardhat 2', hardhat2Project, 'compile'],
  ['Hardhat 3', hardhat3Project, 'build'],
])('%s: its artifacts have the same explanations', async (_tool, open, task) => {
  await compare(await open(SETTINGS), [task], 'artifacts', (name) => `${PATH}/${name}.json`)
})
