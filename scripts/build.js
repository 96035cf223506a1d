/**
 * Bundles the command and the library into dist/, so that they start fast. Also writes the licences of the bundled
 * packages, and the addresses and interfaces of the precompiles.
 */

import { cp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { deferMethods } from './deferred-methods.js'
import { writeLicences } from './licences.js'

/** Not bundled: packages with native code or a .wasm file, and the user's Jest. */
const EXTERNAL = ['secp256k1', 'secp256k1/*', 'mcl-wasm', 'jest-environment-node', '@jest/test-sequencer']

/** Packages that write pages of coverage. They are loaded when coverage is written, and read files beside theirs. */
const ISTANBUL = ['istanbul-lib-coverage', 'istanbul-lib-report', 'istanbul-reports']

/** Settings of all bundles. */
const SHARED = {
  outdir: 'dist',
  bundle: true,
  platform: 'node',
  // The bundler can drop unused parts of ES modules.
  mainFields: ['module', 'main'],
  target: 'node20',
  minifySyntax: true,
  minifyWhitespace: true,
  sourcemap: false,
  legalComments: 'none',
  external: EXTERNAL,
  metafile: true,
  logLevel: 'warning',
}

/** Loads the packages of `ISTANBUL` from files of their own, which the library and the command share. */
const separateIstanbul = {
  name: 'istanbul',
  setup({ onResolve }) {
    onResolve({ filter: /^istanbul-/ }, ({ path }) =>
      ISTANBUL.includes(path) ? { path: `./istanbul/${path}.cjs`, external: true } : undefined,
    )
  },
}

/** Loads QuickJS, which only tracers in JavaScript need, from a file of its own, which the library and the command share. */
const separateQuickJs = {
  name: 'quickjs',
  setup({ onResolve }) {
    onResolve({ filter: /\/quickjs\.ts$/ }, ({ kind }) =>
      kind === 'import-statement' ? { path: './quickjs.cjs', external: true } : undefined,
    )
  },
}

/** Modules that the library and the plugins of Hardhat load from the command, by their names. */
const PARTS = {
  index: 'lib/index.ts',
  'node-process': 'lib/embed/testing/node-process.ts',
  'test-run': 'lib/embed/testing/test-run.ts',
  affected: 'lib/embed/affected/parts.ts',
  'hardhat-process': 'lib/embed/hardhat/hardhat-process.ts',
  'hardhat3-nodes': 'lib/embed/hardhat/hardhat3-nodes.ts',
  'hardhat3-connections': 'lib/embed/hardhat/hardhat3-connections.ts',
  'hardhat3-tests': 'lib/embed/hardhat/hardhat3-tests.ts',
  'hardhat3-node-task': 'lib/embed/hardhat/hardhat3-node-task.ts',
}

/** The command and its parts. */
const COMMAND = `export const run = () => require('./bin/command.ts').run()
  export const parts = { ${Object.entries(PARTS)
    .map(([name, path]) => `'${name}': () => require('./${path}')`)
    .join(', ')} }`

/**
 * Loads the modules in `PARTS` from the file of the command, in which V8's code cache works. Node would compile files of the library
 * anew in every process, and loaders of TypeScript would read and map each of them.
 */
const partsOfCommand = (folder) => ({
  name: 'parts of the command',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\.ts$/ }, ({ path, resolveDir, kind }) => {
      const [name] =
        Object.entries(PARTS).find(([, part]) => resolve(part) === resolve(resolveDir, path)) ?? []
      return name === undefined || kind === 'import-statement' ? undefined : { path: name, namespace: 'part' }
    })
    onLoad({ filter: /./, namespace: 'part' }, async ({ path }) => {
      const names = exportsOf(await readFile(PARTS[path], 'utf8'))
      // In CommonJS, because an import of a module of Node reads all its members, and loads what they need.
      const contents = `import { createRequire } from 'node:module'
        const { loadPart } = createRequire(import.meta.url)('${folder}parts.cjs')
        export const { ${names.join(', ')} } = loadPart('${path}')`
      return { contents, resolveDir: '.' }
    })
  },
})

// The declarations are written at the same time, by a script of their own.
const old = (await readdir('dist').catch(() => [])).filter((name) => name !== 'types')
await Promise.all(old.map((name) => rm(`dist/${name}`, { recursive: true })))
/** Gives modules in CommonJS the address that `import.meta.url` is in ES modules. */
const URL_OF_FILE = "'use strict';const __url = require('node:url').pathToFileURL(__filename).href;"

/** Modules that the command loads when it first uses them: a start does without them. */
const LAZY = [
  'node:child_process',
  'node:fs/promises',
  'node:http',
  'node:https',
  'node:net',
  'node:os',
  'node:stream/consumers',
  'node:zlib',
  '@noble/curves/nist.js',
  '@noble/curves/secp256k1.js',
  '@scure/base',
  '@scure/bip32',
  'ethereum-cryptography/keccak.js',
  'ethereum-cryptography/ripemd160.js',
  'ethereum-cryptography/scrypt.js',
  'ethereum-cryptography/secp256k1.js',
]

/** The packages of ethereumjs that cross-checks import. */
const ETHEREUMJS = ['block', 'common', 'evm', 'tx', 'util', 'vm']

/** The same among the sources: what forks, genesis files, names in an ABI and the document of all methods need. */
const LAZY_SOURCES = [
  'lib/schema/remote.ts',
  'lib/config/genesis-file.ts',
  'lib/abi/fragments.ts',
  'lib/rpc/openrpc.ts',
]

/** Replaces the modules in `LAZY` and `LAZY_SOURCES` by objects whose getters load them. */
const lazyModules = {
  name: 'lazy modules',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /./ }, ({ path, resolveDir, namespace }) => {
      if (namespace === 'lazy') return undefined
      const source = LAZY_SOURCES.find((lazy) => resolve(lazy) === resolve(resolveDir, path))
      return LAZY.includes(path) || source !== undefined
        ? { path: source === undefined ? path : resolve(source), namespace: 'lazy' }
        : undefined
    })
    onLoad({ filter: /./, namespace: 'lazy' }, async ({ path }) => {
      const names = path.endsWith('.ts')
        ? exportsOf(await readFile(path, 'utf8'))
        : Object.keys(await import(path))
      const getters = names
        .filter((name) => name !== 'default')
        .map((name) => `get ${name}() { return load().${name} }`)
      const contents = `let loaded
        const load = () => (loaded ??= require('${path}'))
        module.exports = { ${getters.join(', ')} }`
      return { contents, resolveDir: import.meta.dirname }
    })
  },
}

/** Lets the package that decodes data of the ABI hash addresses with the WebAssembly that the node has compiled anyway. */
const ownKeccak = {
  name: 'keccak',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^@noble\/hashes\/sha3$/ }, ({ path }) => ({ path, namespace: 'keccak' }))
    onLoad({ filter: /./, namespace: 'keccak' }, () => ({
      contents: `export { keccak256 as keccak_256 } from './lib/crypto/keccak.ts'`,
      resolveDir: '.',
    }))
  },
}

/** The package loads a report by a computed name, which cannot be bundled: only the reports that are used remain. */
const usedReports = {
  name: 'used reports',
  setup({ onLoad }) {
    onLoad({ filter: /istanbul-reports.index\.js$/ }, () => ({
      contents: `const reports = { html: require('./lib/html/index.js'), text: require('./lib/text/index.js') }
        exports.create = (name, options) => new reports[name](options ?? {})`,
    }))
  },
}

// Files of CommonJS: V8's code cache, which bin/dev-node.ts uses, works with scripts only. The command is one file, but for
// express, the protocol of debuggers, the parser of configs and the packages of ethereumjs, which most runs never need and which are as large
// as the rest.
const COMMON_JS = {
  ...SHARED,
  entryNames: '[name]-[hash]',
  outExtension: { '.js': '.cjs' },
  format: 'cjs',
  // Becomes require: import() in a script with cached code is experimental.
  supported: { 'dynamic-import': false },
}
const { metafile: express } = await build({ ...COMMON_JS, entryPoints: ['express'] })
const { metafile: debugAdapter } = await build({ ...COMMON_JS, entryPoints: ['@vscode/debugadapter'] })
const { metafile: parser } = await build({ ...COMMON_JS, entryPoints: ['@babel/parser'] })
const { metafile: chokidar } = await build({ ...COMMON_JS, entryPoints: ['chokidar'] })
const { metafile: yargs } = await build({
  ...COMMON_JS,
  stdin: { contents: `module.exports = require('yargs').default`, sourcefile: 'yargs.js', resolveDir: '.' },
  entryNames: 'yargs-[hash]',
  banner: { js: URL_OF_FILE },
  define: { 'import.meta.url': '__url' },
})
const { metafile: mcp } = await build({
  ...COMMON_JS,
  stdin: {
    contents: `export * from '@modelcontextprotocol/server'; export * from '@modelcontextprotocol/server/stdio'`,
    sourcefile: 'mcp.js',
    resolveDir: '.',
  },
  entryNames: 'mcp-[hash]',
})
const { metafile: ethereumjs } = await build({
  ...COMMON_JS,
  stdin: {
    contents: ETHEREUMJS.map((name) => `export * from '@ethereumjs/${name}'`).join('\n'),
    sourcefile: 'ethereumjs.js',
    resolveDir: '.',
  },
  entryNames: 'ethereumjs-[hash]',
})
const { metafile: istanbul } = await build({
  ...COMMON_JS,
  entryPoints: ISTANBUL,
  entryNames: '[name]',
  outdir: 'dist/istanbul',
  plugins: [usedReports],
})
await cp('node_modules/istanbul-reports/lib/html/assets', 'dist/istanbul/assets', { recursive: true })
const { metafile: quickJs } = await build({
  ...COMMON_JS,
  entryPoints: ['lib/modules/trace/javascript/quickjs.ts'],
  entryNames: '[name]',
  banner: { js: URL_OF_FILE },
  define: { 'import.meta.url': '__url' },
})
/** Packages that few runs need: every process reads the file of the command. */
const SEPARATE = {
  express: `./${outputOf(express)}`,
  '@vscode/debugadapter': `./${outputOf(debugAdapter)}`,
  '@babel/parser': `./${outputOf(parser)}`,
  chokidar: `./${outputOf(chokidar)}`,
  yargs: `./${outputOf(yargs)}`,
  '@modelcontextprotocol/server/stdio': `./${outputOf(mcp)}`,
  '@modelcontextprotocol/server': `./${outputOf(mcp)}`,
}
const { metafile: command } = await build({
  ...COMMON_JS,
  stdin: { contents: COMMAND, sourcefile: 'command.js', resolveDir: '.' },
  entryNames: 'command-[hash]',
  external: [...EXTERNAL, ...Object.values(SEPARATE)],
  alias: SEPARATE,
  // `require` instead: code from V8's cache cannot import, because it has lost the loader that it was compiled with.
  supported: { 'dynamic-import': false },
  // Around the file is the function that Node wraps around a module; only bin/dev-node.ts runs it.
  banner: { js: `(function(exports,require,module,__filename,__dirname){${URL_OF_FILE}` },
  footer: { js: '})' },
  // Its reader does not decode UTF-8.
  charset: 'ascii',
  plugins: [
    lazyModules,
    ownKeccak,
    separateIstanbul,
    separateQuickJs,
    packagesIn(outputOf(ethereumjs)),
    await deferMethods(),
  ],
  define: { 'import.meta.url': '__url' },
})
await build({
  ...COMMON_JS,
  entryPoints: ['bin/dev-node.ts'],
  entryNames: '[name]',
  banner: { js: URL_OF_FILE },
  define: { COMMAND_FILE: JSON.stringify(outputOf(command)), 'import.meta.url': '__url' },
})
await build({
  ...COMMON_JS,
  entryPoints: ['bin/parts.ts'],
  entryNames: '[name]',
  banner: { js: URL_OF_FILE },
  define: { COMMAND_FILE: JSON.stringify(outputOf(command)), 'import.meta.url': '__url' },
})
const { metafile: library } = await build({
  ...SHARED,
  entryPoints: {
    index: 'lib/index.ts',
    testing: 'lib/embed/testing/test-chain.ts',
    jest: 'lib/embed/testing/jest-environment.ts',
    'jest-sequencer': 'lib/embed/testing/jest-sequencer.ts',
    'jest-setup': 'lib/embed/testing/jest-setup.ts',
    'jest-teardown': 'lib/embed/testing/jest-teardown.ts',
    vitest: 'lib/embed/testing/vitest-setup.ts',
    'vitest-chain': 'lib/embed/testing/vitest-chain.ts',
    mocha: 'lib/embed/testing/mocha.ts',
    'exec-hooks': 'lib/embed/testing/exec-hooks.ts',
    'exec-sources': 'lib/embed/testing/exec-sources.ts',
    'exec-vitest': 'lib/embed/testing/exec-vitest.ts',
    'node-process': 'lib/embed/testing/node-process.ts',
    hardhat3: 'lib/embed/hardhat/hardhat3.ts',
  },
  splitting: true,
  format: 'esm',
  // The files that the command loads too.
  external: [...EXTERNAL, './express-*', './ethereumjs-*'],
  alias: { express: `./${outputOf(express)}` },
  plugins: [separateIstanbul, separateQuickJs, partsOfCommand('./'), packagesIn(outputOf(ethereumjs))],
  // CommonJS packages in the bundle load Node's modules with `require`.
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module';const require = __createRequire(import.meta.url);",
  },
})
// Hardhat 2 loads configs as CommonJS, and the node only when it is first used. A second config in a process loads its plugins anew,
// if their files end in `.js`.
await build({
  ...COMMON_JS,
  entryPoints: { plugin: 'lib/embed/hardhat/hardhat2.ts' },
  entryNames: '[name]',
  outdir: 'dist/hardhat2',
  outExtension: {},
  banner: { js: URL_OF_FILE },
  define: { 'import.meta.url': '__url' },
  supported: {},
  plugins: [partsOfCommand('../')],
})
await writeFile('dist/hardhat2/package.json', '{ "type": "commonjs" }\n')
// bin/dev-node.ts reads the command as Latin-1, and esbuild does not escape all texts, such as those in regular expressions.
if ((await readFile(`dist/${outputOf(command)}`)).some((byte) => byte > 0x7f))
  throw new Error('the command contains a character that is not ASCII: escape it in the source')
const inputs = {
  ...library.inputs,
  ...command.inputs,
  ...express.inputs,
  ...debugAdapter.inputs,
  ...parser.inputs,
  ...chokidar.inputs,
  ...yargs.inputs,
  ...mcp.inputs,
  ...istanbul.inputs,
  ...quickJs.inputs,
  ...ethereumjs.inputs,
}
await writeLicences('dist/THIRD-PARTY-LICENSES.txt', Object.keys(inputs))
await writeFile('dist/precompiles.json', await precompiles())

/** Lets all packages of ethereumjs be loaded from one file. */
function packagesIn(file) {
  return {
    name: 'ethereumjs',
    setup({ onResolve }) {
      onResolve({ filter: /^@ethereumjs\// }, () => ({ path: `./${file}`, external: true }))
    },
  }
}

/** Names that a source exports, without types. */
function exportsOf(source) {
  const declared = source.matchAll(/^export (?:const|(?:async )?function) (\w+)|^export \{ (.+) \}/gm)
  return [...declared].flatMap(([, name, list]) => name ?? list)
}

/** Name of the one file that a build wrote. */
function outputOf(metafile) {
  return basename(Object.keys(metafile.outputs)[0])
}

/** The constants of the package in JSON, for languages and tools that do not load it. */
async function precompiles() {
  const { precompileAddresses, precompileInterfaces } = await import(pathToFileURL('dist/index.js').href)
  return `${JSON.stringify({ addresses: precompileAddresses, interfaces: precompileInterfaces }, undefined, 2)}\n`
}
