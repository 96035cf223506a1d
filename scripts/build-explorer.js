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

const { metafile } = await build({
  entryPoints: { explorer: 'explorer/main.tsx' },
  outdir: 'dist/explorer',
  entryNames: '[name]-[hash]',
  chunkNames: '[name]-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  target: 'es2022',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  minify: true,
  legalComments: 'none',
  metafile: true,
  plugins: [ownStyles],
  logLevel: 'warning',
})

const [script, { cssBundle: style }] = Object.entries(metafile.outputs).find(
  ([, { entryPoint }]) => entryPoint === 'explorer/main.tsx',
)
const outputs = Object.keys(metafile.outputs)
// Nothing loads the style sheet of a script that is loaded later: style sheets are imported by scripts of the page itself.
const lost = outputs.filter((file) => file.endsWith('.css') && file !== style)
if (lost.length > 0) throw new Error(`style sheets that no page loads: ${lost.join(', ')}`)

const page = await readFile('explorer/index.html', 'utf8')
// The browser loads the scripts that the first one imports together with it.
const imported = metafile.outputs[script].imports.filter(({ kind }) => kind === 'import-statement')
const preloads = imported.map(({ path }) => `<link rel="modulepreload" href="/explorer/${basename(path)}" />`)
await writeFile(
  'dist/explorer/index.html',
  page
    .replace('SCRIPT', `/explorer/${basename(script)}`)
    .replace('STYLE', `/explorer/${basename(style)}`)
    .replace('PRELOADS', preloads.join('\n    ')),
)
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
  `explorer: ${await kilobytesOf(outputs)} KB compressed, ${await kilobytesOf([script, style])} KB of them at the start`,
)
