/** Hooks of Node's loader: types are stripped in place, so positions stay, and three packages are replaced by modules here. */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { transform } from 'esbuild'

const { transformSync } = createRequire(import.meta.url)('@swc/wasm-typescript')

/** Node 20 has no `using`: esbuild writes it out, which moves lines. */
const USING = /^\s*(await )?using /m

const REPLACED = { '@jest/globals': './globals.js', 'fast-check': './fast-check.js', vscode: '../vscode.ts' }

/** The hook of specifiers. */
export function resolve(specifier, context, next) {
  const file = REPLACED[specifier]
  const url = file === undefined ? undefined : new URL(file, import.meta.url).href
  if (url === undefined || context.parentURL === url) return next(specifier, context)
  return { url, shortCircuit: true }
}

/** The hook of sources. */
export async function load(url, context, next) {
  const { pathname } = new URL(url)
  if (!pathname.endsWith('.ts') || url.includes('/node_modules/')) return next(url, context)
  const source = await readFile(fileURLToPath(url), 'utf8')
  const { code } = USING.test(source)
    ? await transform(source, { loader: 'ts', target: 'node20', sourcefile: pathname })
    : transformSync(source, { mode: 'strip-only', filename: pathname })
  return { format: 'module', source: code, shortCircuit: true }
}
