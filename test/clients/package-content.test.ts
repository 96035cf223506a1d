/** The packed and installed package: what it contains, its size, its licences, and how tools read its manifest. */

import { execFile, execFileSync } from 'node:child_process'
import { readFileSync, readdirSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from '@jest/globals'
import { Ajv } from 'ajv'
import { publint } from 'publint'
import { commandPath } from '../support/packed-command.ts'

/** Bytes of a megabyte. */
const MEGABYTE = 1_000_000

/** Licences that the bundled and the installed packages may have. */
const ALLOWED = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'MPL-2.0',
  'Unlicense',
]

const installed = { modules: '', package: '' }

beforeAll(async () => {
  installed.modules = dirname(dirname(await commandPath()))
  installed.package = join(installed.modules, 'dev-node')
})

describe('the tools of package authors', () => {
  test('publint has nothing to say', async () => {
    const { messages } = await publint({ pkgDir: installed.package, pack: false, strict: true })
    expect(messages).toEqual([])
  })

  test('npm lists the installed packages as a bill of materials', async () => {
    const { stdout } = await promisify(execFile)('npm', ['sbom', '--sbom-format', 'cyclonedx'], {
      cwd: dirname(installed.modules),
    })
    const { components } = JSON.parse(stdout) as { components: { name: string }[] }
    expect(components.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['dev-node', 'secp256k1', 'mcl-wasm']),
    )
  })
})

describe('size', () => {
  test('of the tarball', () => {
    expect(statSync(tarball()).size).toBeLessThan(5.5 * MEGABYTE)
  })

  test('of what an install writes', () => {
    expect(packageFolders()).toHaveLength(13)
    const files = readdirSync(installed.modules, { recursive: true, withFileTypes: true })
    // The code cache is written by a start.
    const written = files.filter((file) => file.isFile() && !file.name.endsWith('.cache'))
    const bytes = written.reduce((sum, file) => sum + statSync(join(file.parentPath, file.name)).size, 0)
    expect(bytes).toBeLessThan(18.5 * MEGABYTE)
  })
})

describe('content', () => {
  test('has the documents and no sources, tests or caches', () => {
    const names =
      'CHANGELOG.md LICENSE README.md SECURITY.md ARCHITECTURE.md dist docs examples fixtures llms.txt package.json'
    expect(readdirSync(installed.package).sort()).toEqual(names.split(' ').sort())
    expect(readdirSync(join(installed.package, 'fixtures')).sort()).toEqual([
      'networks',
      'predeploys-erc4337.json',
      'predeploys.json',
      'signatures.txt',
      'troubles.json',
    ])
  })

  test('has the files of the examples, and nothing that they write', () => {
    const files = execFileSync('git', ['ls-files', 'examples'], { encoding: 'utf8' }).trim().split('\n')
    const packed = readdirSync(join(installed.package, 'examples'), { recursive: true, withFileTypes: true })
    const paths = packed.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name))
    expect(paths.map((path) => relative(installed.package, path)).toSorted()).toEqual(files.toSorted())
  })

  test('llms.txt lists each document', () => {
    const documents = readdirSync(installed.package, { recursive: true, encoding: 'utf8' })
      .map((path) => path.replaceAll('\\', '/'))
      .filter((path) => path.endsWith('.md') && !path.startsWith('dist/'))
    const text = readFileSync(join(installed.package, 'llms.txt'), 'utf8')
    const links = [...text.matchAll(/^- \[.+\]\((.+?)\): .+[.?]$/gm)].map(([, path]) => path)
    expect(links.toSorted()).toEqual(documents.toSorted())
    expect(text.match(/^- /gm)).toHaveLength(links.length)
  })

  test.each(['explanation', 'failures', 'exec', 'gas-diff'])('has the JSON Schema of %s', (name) => {
    const path = createRequire(join(installed.modules, 'any.js')).resolve(`dev-node/schemas/${name}.json`)
    expect(() => new Ajv().compile(JSON.parse(readFileSync(path, 'utf8')))).not.toThrow()
  })

  test('the declarations need no package but the peer', () => {
    const folder = join(installed.package, 'dist', 'types')
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.d.ts'),
    )
    const texts = files.map((name) => readFileSync(join(folder, name), 'utf8'))
    const imported = texts.flatMap((text) =>
      [...text.matchAll(/(?:from |import\()['"]([^.'"][^'"]*)/g)].map(([, name]) => name),
    )
    expect(new Set(imported)).toEqual(new Set(['jest-environment-node']))
  })
})

describe('licences', () => {
  test.each(['THIRD-PARTY-LICENSES.txt', 'THIRD-PARTY-LICENSES-EXPLORER.txt'])(
    'of bundled packages: %s',
    (name) => {
      const text = readFileSync(join(installed.package, 'dist', name), 'utf8')
      const licences = [...text.matchAll(/^={80}\n\S+ \S+ - (.+)$/gm)].map(([, licence]) => licence)
      expect(licences.length).toBeGreaterThan(2)
      expect(licences.filter((licence) => !ALLOWED.includes(licence ?? ''))).toEqual([])
    },
  )

  test('of installed packages', () => {
    const licences = packageFolders().map((folder) => [basename(folder), manifestOf(folder).license])
    expect(licences.filter(([, licence]) => !ALLOWED.includes(licence ?? ''))).toEqual([])
  })
})

test('a release is public and has provenance', () => {
  expect(manifestOf(installed.package).publishConfig).toEqual({ access: 'public', provenance: true })
})

/** Path of the packed package, beside the folder into which it was installed. */
function tarball(): string {
  const folder = dirname(installed.modules)
  return join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '')
}

const manifestOf = (folder: string): { readonly license?: string; readonly publishConfig?: object } =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as object

/** Folders of all installed packages. */
function packageFolders(): readonly string[] {
  const lock = readFileSync(join(installed.modules, '.package-lock.json'), 'utf8')
  const { packages } = JSON.parse(lock) as { packages: object }
  return Object.keys(packages).map((path) => join(dirname(installed.modules), path))
}
