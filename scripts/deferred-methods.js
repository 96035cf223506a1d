/** Lets the bundles load the files that declare methods when one of their methods is first used: a node begins with their names. */

import { readdir } from 'node:fs/promises'
import { relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'

/** Files that declare methods. */
const DECLARING = /^lib\/(rpc|modules\/[\w-]+)\/methods(\/[\w-]+)?\.ts$/

/** Importers of methods as lists. Others import what the files export besides. */
const LISTING = /^lib\/(rpc\/methods\/exports|modules\/[\w-]+\/index|embed\/dev-node)\.ts$/

/** Members of a method beside its names (lib/kernel/method.ts). */
const MEMBERS = [
  'summary',
  'params',
  'result',
  'errors',
  'errorCodes',
  'isConfidential',
  'example',
  'access',
  'prepare',
  'named',
]

/** Makes a method whose members load its file. They are own members, so that `{ ...method }` has them. */
const RUNTIME = `const LOAD = Symbol()
  const MEMBERS = Object.fromEntries(${JSON.stringify(MEMBERS)}.map((member) => [
    member,
    { enumerable: true, get() { return this[LOAD]()[member] } },
  ]))
  export const deferred = (name, aliases, load) =>
    Object.defineProperties({ name, aliases, [LOAD]: load }, MEMBERS)`

/** Makes the plugin. */
export async function deferMethods() {
  const declared = await readMethods()
  return {
    name: 'deferred methods',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /\.ts$/ }, ({ path, resolveDir, importer, namespace, kind }) => {
        const file = relative('.', resolve(resolveDir, path))
        const isListed = kind === 'import-statement' && LISTING.test(relative('.', importer))
        return isListed && namespace === 'file' && declared.has(file)
          ? { path: file, namespace: 'methods' }
          : undefined
      })
      onResolve({ filter: /^deferred method$/ }, ({ path }) => ({ path, namespace: 'runtime' }))
      onLoad({ filter: /./, namespace: 'runtime' }, () => ({ contents: RUNTIME }))
      onLoad({ filter: /./, namespace: 'methods' }, ({ path }) => ({
        contents: `import { deferred } from 'deferred method'
          let loaded
          const load = () => (loaded ??= require('./${path}'))
          ${Object.entries(declared.get(path))
            .map(([name, value]) => `export const ${name} = ${textOf(value, `load().${name}`)}`)
            .join('\n')}`,
        resolveDir: '.',
      }))
    },
  }
}

/** The exported methods and lists of methods, by file and name. */
async function readMethods() {
  const files = (await readdir('lib', { recursive: true }))
    .map((path) => `lib/${path.replaceAll('\\', '/')}`)
    .filter((path) => DECLARING.test(path))
  const outfile = '.cache/methods.js'
  await build({
    stdin: {
      contents: files.map((path, index) => `export * as file${index} from './${path}'`).join('\n'),
      resolveDir: '.',
    },
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'warning',
    outfile,
  })
  const loaded = await import(pathToFileURL(outfile).href)
  const methods = files.map((path, index) => [
    path,
    Object.fromEntries(Object.entries(loaded[`file${index}`]).filter(([, value]) => isDeclared(value))),
  ])
  return new Map(methods.filter(([, exported]) => Object.keys(exported).length > 0))
}

const isMethod = (value) => typeof value === 'object' && value !== null && 'prepare' in value

const isDeclared = (value) =>
  isMethod(value) || (Array.isArray(value) && value.length > 0 && value.every(isDeclared))

/** Source text of a method, or of a list of methods, that is loaded by the expression `real`. */
function textOf(value, real) {
  if (Array.isArray(value))
    return `[${value.map((item, index) => textOf(item, `${real}[${index}]`)).join(', ')}]`
  const { name, aliases } = value
  return `deferred(${JSON.stringify(name)}, ${JSON.stringify(aliases)}, () => ${real})`
}
