import { chmod, rm, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { toFunctionSelector } from 'viem'
import { ContractCatalog } from '../../../lib/insight/artifacts/catalog.ts'
import type { CompiledContract } from '../../../lib/insight/artifacts/compilation.ts'
import {
  SOURCES,
  chainCode,
  compileProject,
  foundry,
  hardhat2,
  hardhat3,
  standardJson,
  truffle,
  writeInto,
  writeProject,
} from '../../support/artifact-projects.ts'
import type { SolcRun } from '../../support/artifact-projects.ts'
import { NEWEST, VERSION_OF_HARDHAT } from '../../support/solc.ts'
import { outputOf } from '../../support/own-process.ts'

const run = compileProject()
const renamed = (prefix: string) =>
  compileProject(Object.fromEntries(Object.entries(SOURCES).map(([path, text]) => [prefix + path, text])))

/** A catalog of a folder, which is read, and the errors for the user. */
async function catalogOf(...folders: readonly string[]) {
  const catalog = new ContractCatalog(folders, () => 0)
  const faults: string[] = []
  catalog.failed.on(({ message }) => faults.push(message))
  await catalog.refresh()
  return { catalog, faults }
}

const factoryOf = ({ output }: SolcRun) =>
  Object.values(output.contracts).flatMap(({ Factory }) => Factory ?? [])[0]!

/** What an explanation needs of a contract. */
function facts(contract: CompiledContract | undefined) {
  if (contract === undefined) return undefined
  const { compilation, runtime } = contract
  return {
    place: [contract.path, contract.name],
    compiler: compilation.compiler,
    language: compilation.language,
    settings: compilation.settings,
    sources: compilation.sources.map(({ id, path, content }) => [id, path, content]),
    asts: compilation.sources.map(({ ast }) => (ast as { nodeType: string }).nodeType),
    functions: contract.abi.map(({ name }) => name),
    sourceMap: runtime?.sourceMap,
    generated: runtime && [...runtime.generatedFiles],
  }
}

const expected = {
  place: ['contracts/Factory.sol', 'Factory'],
  compiler: '0.8.37+commit.f401782d',
  language: 'Solidity',
  settings: { isKnown: true, isOptimized: false, viaIr: false },
  sources: Object.entries(SOURCES).map(([path, content], id) => [id, path, content]),
  asts: ['SourceUnit', 'SourceUnit'],
  functions: ['last', 'make'],
  sourceMap: factoryOf(run).evm.deployedBytecode.sourceMap,
  generated: [2],
}

describe('one project has the same contracts in the files of every tool', () => {
  test.each([
    ['Hardhat 2', run, hardhat2, 'artifacts'],
    ['build infos of Hardhat 2 alone', run, hardhat2, 'artifacts/build-info'],
    ['Hardhat 3', renamed('project/'), hardhat3, 'artifacts'],
    ['build infos of Hardhat 3 alone', renamed('project/'), hardhat3, 'artifacts/build-info'],
    ['Foundry', run, foundry, 'out'],
    ['Truffle', renamed('project:/'), truffle, 'build/contracts'],
    ['standard JSON', run, standardJson, 'solc'],
  ] as const)('%s', async (_tool, compiled, files, folder) => {
    const project = await writeProject(files(compiled))
    // Foundry leaves the sources where they are.
    for (const [path, text] of Object.entries(SOURCES)) await writeInto(project, path, text)
    const { catalog, faults } = await catalogOf(join(project, folder))
    const { bytecode, deployedBytecode } = factoryOf(compiled).evm
    const contract = catalog.contractOf(chainCode(deployedBytecode), 'runtime')
    expect(facts(contract)).toEqual(expected)
    const creation = Buffer.concat([chainCode(bytecode), Buffer.alloc(64, 7)])
    expect(catalog.contractOf(creation, 'creation')).toBe(contract)
    expect(faults).toEqual([])
  })
})

describe('a contract is recognised', () => {
  const contracts = run.output.contracts['contracts/Factory.sol']!
  const counter = run.output.contracts['contracts/Counter.sol']!['Counter']!

  test.each([
    ['with immutables', counter.evm.deployedBytecode, 'Counter'],
    ['with a linked library', contracts['Factory']!.evm.deployedBytecode, 'Factory'],
    ['as a library with its own address', contracts['Sums']!.evm.deployedBytecode, 'Sums'],
  ])('%s', async (_case, code, name) => {
    const { catalog } = await catalogOf(await writeProject(hardhat2(run)))
    expect(catalog.contractOf(chainCode(code), 'runtime')?.name).toBe(name)
  })

  test('not by a part of its code, by longer code at run time, or by other code', async () => {
    const { catalog } = await catalogOf(await writeProject(hardhat2(run)))
    const code = chainCode(counter.evm.deployedBytecode)
    const other = code.map((byte, place) => (place === 300 ? byte ^ 1 : byte))
    for (const wrong of [
      code.subarray(0, -1),
      Buffer.concat([code, Buffer.alloc(32)]),
      other,
      new Uint8Array(0),
    ])
      expect(catalog.contractOf(wrong, 'runtime')).toBeUndefined()
  })

  test('also after its comments have changed, but the same sources go first', async () => {
    const [path, text] = Object.entries(SOURCES)[0]!
    const commented = compileProject({ [path]: `${text}// More.\n` })
    const [first, second] = [await writeProject(hardhat2(run)), await writeProject(hardhat2(commented, 'b2'))]
    const { catalog } = await catalogOf(first, second)
    for (const [one, content] of [
      [run, text],
      [commented, `${text}// More.\n`],
    ] as const) {
      const code = chainCode(one.output.contracts[path]!['Counter']!.evm.deployedBytecode)
      const contract = catalog.contractOf(code, 'runtime')
      expect(contract?.compilation.sources[0]?.content).toBe(content)
    }
  })

  test('of equal ones, the one that was compiled last', async () => {
    const copy = {
      'contracts/Copy.sol': SOURCES['contracts/Counter.sol']!.replace('contract Counter', 'contract Copy'),
    }
    const settings = { metadata: { bytecodeHash: 'none' } }
    const both = compileProject({ ...SOURCES, ...copy }, settings)
    const folder = await writeProject(foundry(both))
    await utimes(join(folder, 'out/Copy.sol/Copy.json'), 2e9, 2e9)
    const { catalog } = await catalogOf(folder)
    const code = chainCode(both.output.contracts['contracts/Counter.sol']!['Counter']!.evm.deployedBytecode)
    expect(catalog.contractOf(code, 'runtime')?.name).toBe('Copy')
  })

  test.each([
    ['an older compiler', VERSION_OF_HARDHAT, {}],
    ['the optimizer', NEWEST, { optimizer: { enabled: true, runs: 200 } }],
    ['the pipeline through Yul', NEWEST, { viaIR: true, optimizer: { enabled: true } }],
  ])('of %s', async (_case, version, settings) => {
    const compiled = compileProject(SOURCES, settings, version)
    const { catalog } = await catalogOf(await writeProject(hardhat2(compiled)))
    const contract = catalog.contractOf(chainCode(factoryOf(compiled).evm.deployedBytecode), 'runtime')
    expect(contract?.name).toBe('Factory')
    expect(contract?.compilation.settings).toEqual({
      isKnown: true,
      isOptimized: 'optimizer' in settings,
      viaIr: 'viaIR' in settings,
    })
  })
})

describe('files that change', () => {
  test('are read again without a restart, and the deleted ones are forgotten', async () => {
    const folder = await writeProject([])
    const { catalog } = await catalogOf(folder)
    const code = chainCode(factoryOf(run).evm.deployedBytecode)
    expect(catalog.contractOf(code, 'runtime')).toBeUndefined()
    for (const [path, content] of hardhat2(run)) await writeInto(folder, path, JSON.stringify(content))
    await catalog.refresh()
    expect(facts(catalog.contractOf(code, 'runtime'))).toEqual(expected)
    await rm(join(folder, 'artifacts'), { recursive: true })
    await catalog.refresh()
    expect(catalog.contractOf(code, 'runtime')).toBeUndefined()
  })

  test('give no text of a source that is not the compiled one', async () => {
    const folder = await writeProject(foundry(run))
    for (const [path, text] of Object.entries(SOURCES)) await writeInto(folder, path, `${text}\n`)
    const { catalog } = await catalogOf(join(folder, 'out'))
    const contract = catalog.contractOf(chainCode(factoryOf(run).evm.deployedBytecode), 'runtime')
    expect(contract?.compilation.sources.map(({ content }) => content)).toEqual([undefined, undefined])
  })

  test('give no source map of another compilation', async () => {
    const folder = await writeProject(hardhat2(run))
    const other = hardhat2(compileProject(SOURCES, { optimizer: { enabled: true } }))[0]!
    await writeInto(folder, other[0], JSON.stringify(other[1]))
    const { catalog } = await catalogOf(folder)
    const contract = catalog.contractOf(chainCode(factoryOf(run).evm.deployedBytecode), 'runtime')
    expect([contract?.name, contract?.runtime?.sourceMap]).toEqual(['Factory', undefined])
    expect(contract?.compilation.sources).toEqual([])
  })
})

describe('a file that cannot be read', () => {
  test('is named once, and the others are read', async () => {
    const folder = await writeProject(hardhat2(run))
    await writeInto(folder, 'artifacts/Broken.json', '{"abi":[{"type":"error"')
    await writeInto(folder, 'artifacts/Merged.json', '<<<<<<< HEAD')
    await writeInto(folder, 'artifacts/Empty.json', '')
    await writeInto(
      folder,
      'artifacts/foreign.json',
      JSON.stringify({ name: 'package', contracts: 5, abi: {} }),
    )
    const { catalog, faults } = await catalogOf(folder)
    await catalog.refresh()
    expect(faults.toSorted()).toEqual(
      ['Broken', 'Empty', 'Merged'].map((name) =>
        expect.stringMatching(`^--artifacts: cannot read ${folder}/artifacts/${name}.json: .*JSON`),
      ),
    )
    expect(catalog.contractOf(chainCode(factoryOf(run).evm.deployedBytecode), 'runtime')?.name).toBe(
      'Factory',
    )
  })

  test('can be the build info, of which nothing but names is known then', async () => {
    const folder = await writeProject(hardhat2(run))
    await writeInto(folder, 'artifacts/build-info/a1.json', '{"input":{')
    const { catalog, faults } = await catalogOf(folder)
    const contract = catalog.contractOf(chainCode(factoryOf(run).evm.deployedBytecode), 'runtime')
    expect(faults).toEqual([])
    expect([contract?.name, contract?.runtime?.sourceMap]).toEqual(['Factory', undefined])
    expect(faults).toEqual([expect.stringMatching('build-info/a1.json: .*JSON')])
  })

  test.each([
    ['Hardhat 2', () => hardhat2(run), 'a1.json'],
    ['Hardhat 3', () => hardhat3(renamed('project/')), 'solc-0_8_37-a1.output.json'],
  ])('can be a build info that is missing: %s', async (_tool, files, name) => {
    const folder = await writeProject(files())
    await rm(join(folder, 'artifacts/build-info', name))
    const { catalog, faults } = await catalogOf(join(folder, 'artifacts'))
    const code = chainCode(factoryOf(run).evm.deployedBytecode)
    for (const contract of [
      catalog.contractOf(code, 'runtime')!,
      catalog.contractOf(code.slice(), 'runtime')!,
    ])
      expect([contract.name, contract.runtime?.sourceMap]).toEqual(['Factory', undefined])
    expect(faults).toEqual([
      `--artifacts: cannot read ${folder}/artifacts/build-info/${name}: it is missing, and an artifact names it: lines of sources are not known`,
    ])
    for (const [path, content] of files())
      if (path.endsWith(name)) await writeInto(folder, path, JSON.stringify(content))
    await catalog.refresh()
    expect(catalog.contractOf(code, 'runtime')?.runtime?.sourceMap).toMatch(/^\d/)
  })

  const withoutAst = compileProject()
  for (const source of Object.values(withoutAst.output.sources)) Reflect.deleteProperty(source, 'ast')

  test.each([
    ['Foundry without ast = true', foundry(withoutAst), 'out', 'set ast = true in foundry.toml'],
    ['Foundry', foundry(run), 'out', undefined],
    ['Hardhat 2', hardhat2(run), 'artifacts', undefined],
    ['Hardhat 3', hardhat3(run), 'artifacts', undefined],
  ])('can lack what lines need: %s', async (_tool, files, folder, hint) => {
    const { catalog, faults } = await catalogOf(join(await writeProject(files), folder))
    expect(new Set(catalog.contracts.map((contract) => contract.hint))).toEqual(new Set([hint]))
    expect(faults).toEqual([])
  })

  test('can be one that the user may not read, or a folder', async () => {
    const folder = await writeProject([
      ['open.json', [{ type: 'error', name: 'Known', inputs: [] }]],
      ['secret.json', {}],
      ['locked/inside.json', {}],
    ])
    await chmod(folder, 0o755)
    await chmod(join(folder, 'secret.json'), 0)
    await chmod(join(folder, 'locked'), 0)
    const lines = await outputOf(
      `import { ContractCatalog } from './lib/insight/artifacts/catalog.ts'
      // The superuser may read everything. The other user may not pass the parents of the folder.
      process.chdir(process.argv[2])
      if (process.getuid() === 0) process.setuid(65534)
      const catalog = new ContractCatalog(['.'], () => 0)
      catalog.failed.on(({ message }) => console.log(message))
      await catalog.check()
      await catalog.refresh()
      await catalog.refresh()
      console.log(catalog.errorsOf('${toFunctionSelector('Known()')}')[0].name)`,
      folder,
    )
    await chmod(join(folder, 'locked'), 0o755)
    expect(lines.trimEnd().split('\n')).toEqual([
      expect.stringMatching(/^--artifacts: cannot read locked: EACCES: permission denied/),
      expect.stringMatching(/^--artifacts: cannot read secret.json: EACCES: permission denied/),
      'Known',
    ])
  })
})
