/**
 * Bundles the command and the library into dist/, so that they start fast. Also writes the licences of the bundled
 * packages, and the addresses and interfaces of the precompiles.
 */

import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'

/** Not bundled: optional packages with native code or a .wasm file, and the user's Jest. */
const EXTERNAL = ['secp256k1', 'secp256k1/*', 'tiny-secp256k1', 'mcl-wasm', 'jest-environment-node']

/** CommonJS packages in the bundle load Node's modules with `require`. */
const BANNER =
  "import { createRequire as __createRequire } from 'node:module';const require = __createRequire(import.meta.url);"

await rm('dist', { recursive: true, force: true })
const { metafile } = await build({
  entryPoints: {
    'dev-node': 'bin/dev-node.ts',
    index: 'lib/index.ts',
    testing: 'lib/testing/test-chain.ts',
    jest: 'lib/testing/jest-environment.ts',
    'jest-setup': 'lib/testing/jest-setup.ts',
    'jest-teardown': 'lib/testing/jest-teardown.ts',
  },
  outdir: 'dist',
  bundle: true,
  splitting: true,
  platform: 'node',
  // The bundler can drop unused parts of ES modules.
  mainFields: ['module', 'main'],
  target: 'node20',
  format: 'esm',
  minifySyntax: true,
  minifyWhitespace: true,
  sourcemap: false,
  legalComments: 'none',
  banner: { js: BANNER },
  external: EXTERNAL,
  metafile: true,
  logLevel: 'warning',
})
await writeFile('dist/THIRD-PARTY-LICENSES.txt', await licences(Object.keys(metafile.inputs)))
await writeFile('dist/native-contracts.json', await nativeContracts())

/** The constants of the package in JSON, for languages and tools that do not load it. */
async function nativeContracts() {
  const { nativeAddresses, nativeInterfaces } = await import(pathToFileURL('dist/index.js').href)
  return `${JSON.stringify({ addresses: nativeAddresses, interfaces: nativeInterfaces }, undefined, 2)}\n`
}

/** Name, version and licence text of every bundled package. */
async function licences(inputs) {
  const folders = new Set(inputs.filter((file) => file.startsWith('node_modules/')).map(packageFolder))
  const texts = await Promise.all([...folders].sort().map(describe))
  return texts.join('\n')
}

/** Folder of the innermost package of a file. */
function packageFolder(file) {
  const start = file.lastIndexOf('node_modules/') + 'node_modules/'.length
  const [scope, name] = file.slice(start).split('/')
  return file.slice(0, start) + (scope.startsWith('@') ? join(scope, name) : scope)
}

async function describe(folder) {
  const { name, version, license, repository } = JSON.parse(
    await readFile(join(folder, 'package.json'), 'utf8'),
  )
  const source = typeof repository === 'string' ? repository : repository?.url
  const text = (await licenceText(folder)) ?? 'No licence file in the package.'
  return `${'='.repeat(80)}\n${name} ${version} - ${license}\nSource: ${source ?? 'the package registry'}\n\n${text.trim()}\n`
}

async function licenceText(folder) {
  for (const name of ['LICENSE', 'LICENSE.md', 'LICENSE.txt', 'LICENCE', 'license', 'License']) {
    try {
      return await readFile(join(folder, name), 'utf8')
    } catch {
      // The next spelling.
    }
  }
  return undefined
}
