/**
 * Bundles the page of a file of failures into dist/report.html: one file with script and style, which also contains the machine and the
 * debugger, because it has no node to ask. `dev-node show` puts the failures into it.
 */

import { readFile, writeFile } from 'node:fs/promises'
import { build } from 'esbuild'
import { writeLicences } from './licences.js'

/** What the page has in place of the modules of Node that it runs; others are imported by parts that it does not run. */
const IN_BROWSERS = {
  'node:crypto': `import { sha256 } from '@noble/hashes/sha2.js'
    export const hash = (_name, bytes, form) => (form === 'buffer' ? Buffer.from(sha256(bytes)) : Buffer.from(sha256(bytes)).toString(form))
    export const createHash = () => ({ update: (bytes) => ({ digest: (form) => hash('sha256', bytes, form) }) })
    export const randomBytes = (size) => Buffer.from(crypto.getRandomValues(new Uint8Array(size)))
    export const pbkdf2Sync = undefined`,
  'node:path': `export const dirname = (path) => path.slice(0, Math.max(0, path.lastIndexOf('/')))
    export const basename = (path, ending = '') => path.slice(path.lastIndexOf('/') + 1).replace(new RegExp(ending + '$'), '')
    export const join = (...parts) => parts.filter(Boolean).join('/')
    export const isAbsolute = (path) => path.startsWith('/')
    export const [resolve, relative] = [join, (_, path) => path]`,
  'node:zlib': `import { gunzipSync as unzip } from 'fflate'
    export const gunzipSync = (bytes) => Buffer.from(unzip(bytes))
    export const [brotliCompressSync, brotliDecompressSync, gzipSync, constants] = [undefined, undefined, undefined, {}]`,
}

const ABSENT =
  'module.exports = new Proxy({}, { get: (_, name) => name !== "__esModule" && (() => { throw new Error(`no ${String(name)} in a browser`) }) })'

const nodeModules = {
  name: 'modules of Node',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:/ }, ({ path }) => ({ path, namespace: 'node' }))
    onLoad({ filter: /./, namespace: 'node' }, ({ path }) => ({
      contents: IN_BROWSERS[path] ?? ABSENT,
      resolveDir: import.meta.dirname,
    }))
  },
}

/** The globals of Node that the library uses. */
const GLOBALS = `import { Buffer } from 'buffer'
  globalThis.Buffer = Buffer
  globalThis.process = { env: {}, pid: 1, on: () => undefined, cwd: () => '/' }
  globalThis.setImmediate = (task) => setTimeout(task, 0)`

const { outputFiles, metafile } = await build({
  stdin: { contents: `import 'globals'; import './explorer/report.tsx'`, resolveDir: '.' },
  outdir: 'dist',
  bundle: true,
  write: false,
  format: 'esm',
  platform: 'browser',
  target: 'es2022',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  minify: true,
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
  logOverride: { 'empty-import-meta': 'silent' },
  plugins: [
    {
      name: 'globals',
      setup({ onResolve, onLoad }) {
        onResolve({ filter: /^globals$/ }, () => ({ path: 'globals', namespace: 'globals' }))
        onLoad({ filter: /./, namespace: 'globals' }, () => ({ contents: GLOBALS, resolveDir: '.' }))
      },
    },
    nodeModules,
  ],
})
const textOf = (ending) => outputFiles.find(({ path }) => path.endsWith(ending)).text
const page = await readFile('explorer/report.html', 'utf8')
await writeFile(
  'dist/report.html',
  page
    .replace('STYLE', () => textOf('.css'))
    // The text of a script ends with the first closing tag.
    .replace('SCRIPT', () => textOf('.js').replaceAll('</script', '<\\/script')),
)
await writeLicences('dist/THIRD-PARTY-LICENSES-REPORT.txt', Object.keys(metafile.inputs))
console.log(`page of failures: ${Math.round(textOf('.js').length / 1024)} KB of script`)
