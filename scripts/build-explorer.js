/**
 * Bundles the explorer into dist/explorer: the page, its script and style sheet, and scripts that are loaded when they are needed.
 * Also writes the licences of the bundled packages.
 */

import { readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { basename } from 'node:path'
import { build } from 'esbuild'
import { writeLicences } from './licences.js'

/** The style sheet that the flame graph imports is replaced by explorer/parts/gas-flame.css, which has the colours of the page. */
const ownStyles = {
  name: 'own styles',
  setup: ({ onLoad }) => onLoad({ filter: /d3-flamegraph\.css$/ }, () => ({ contents: '', loader: 'empty' })),
}

const options = {
  entryPoints: { explorer: 'explorer/main.tsx' },
  outdir: 'dist/explorer',
  entryNames: '[name]-[hash]',
  chunkNames: '[name]-[hash]',
  bundle: true,
  format: 'esm',
  target: 'es2022',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  minify: true,
  legalComments: 'none',
  metafile: true,
  plugins: [ownStyles],
  logLevel: 'warning',
}
const { metafile } = await build({ ...options, splitting: true, loader: { '.css': 'empty' } })
// One style sheet for all scripts: nothing would load those of scripts that are loaded later.
const { outputFiles } = await build({ ...options, write: false })
const [style] = outputFiles.filter(({ path }) => path.endsWith('.css'))

const [script, { imports }] = Object.entries(metafile.outputs).find(
  ([, { entryPoint }]) => entryPoint === 'explorer/main.tsx',
)
// The browser loads the scripts that the first one imports together with it.
const imported = imports.filter(({ kind }) => kind === 'import-statement').map(({ path }) => path)
const preloads = imported.map((path) => `<link rel="modulepreload" href="/explorer/${basename(path)}" />`)
const page = await readFile('explorer/index.html', 'utf8')
await writeFile(
  'dist/explorer/index.html',
  page
    .replace('SCRIPT', `/explorer/${basename(script)}`)
    .replace('STYLE', `/explorer/${basename(style.path)}`)
    .replace('PRELOADS', preloads.join('\n    ')),
)
await writeFile(style.path, style.contents)
const outputs = [...Object.keys(metafile.outputs), style.path]
// Files of earlier builds have other names.
const kept = new Set(['index.html', ...outputs.map((file) => basename(file))])
const stale = (await readdir('dist/explorer')).filter((name) => !kept.has(name))
await Promise.all(stale.map((name) => rm(`dist/explorer/${name}`, { force: true })))

await writeLicences('dist/THIRD-PARTY-LICENSES-EXPLORER.txt', Object.keys(metafile.inputs))

/** Kilobytes of compressed files. */
async function kilobytesOf(files) {
  const contents = await Promise.all(files.map((file) => readFile(file)))
  return (contents.reduce((sum, content) => sum + gzipSync(content).length, 0) / 1024).toFixed(1)
}
console.log(
  `explorer: ${await kilobytesOf(outputs)} KB compressed, ${await kilobytesOf([script, ...imported, style.path])} KB of them at the start`,
)
