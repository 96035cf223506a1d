/** Bundles the explorer into dist/explorer: the page, and a script and a style sheet with hashes in their names. */

import { readFile, writeFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { basename } from 'node:path'
import { build } from 'esbuild'

const { metafile } = await build({
  entryPoints: { explorer: 'explorer/main.tsx' },
  outdir: 'dist/explorer',
  entryNames: '[name]-[hash]',
  bundle: true,
  format: 'esm',
  target: 'es2022',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  minify: true,
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
})

/** Name of the only file with an ending. */
const named = (ending) => basename(Object.keys(metafile.outputs).find((file) => file.endsWith(ending)))

const [script, style] = [named('.js'), named('.css')]
const page = await readFile('explorer/index.html', 'utf8')
await writeFile(
  'dist/explorer/index.html',
  page.replace('SCRIPT', `/explorer/${script}`).replace('STYLE', `/explorer/${style}`),
)
const files = await Promise.all([script, style].map((file) => readFile(`dist/explorer/${file}`)))
const bytes = files.reduce((sum, file) => sum + gzipSync(file).length, 0)
console.log(`explorer: ${(bytes / 1024).toFixed(1)} KB compressed`)
