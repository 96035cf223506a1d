/** The two tiers of tests: `npm test` runs the fast one, `npm run test:slow` the other. */
import { readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'

const root = join(import.meta.dirname, '../../..')

/** Folders whose tests start the installed command, other nodes or a browser. */
const SLOW_FOLDERS = ['clients', 'recipes', 'explorer']

/** The slow tests: by the ending of their name, or by their folder. */
export const SLOW = ['\\.slow\\.test\\.ts$', `<rootDir>/test/(${SLOW_FOLDERS.join('|')})/`]

const files = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
  .map((file) => `test/${file.replaceAll('\\', '/')}`)
  .filter((file) => file.endsWith('.ts') && !file.startsWith('test/clients/hardhat/'))

const isSlow = (file) =>
  file.endsWith('.slow.test.ts') || SLOW_FOLDERS.some((folder) => file.startsWith(`test/${folder}/`))

/** Random laws of whole chains and programs, of which a tenth of the runs finds too little. */
const DEEP_LAWS = [
  'evm/codec-oracle',
  'evm/machine/machine',
  'fork/differential',
  'state/state-differential',
].map((name) => {
  const file = `test/${name}.test.ts`
  if (!files.includes(file)) throw new Error(`DEEP_LAWS: there is no ${file}`)
  return file
})

/** Those, files that ask for the tier, and files that import one of these. */
function filesOfBoth() {
  const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]))
  const asking = files.filter((file) => / from '.*\/tier\.ts'/.test(texts.get(file)))
  const found = new Set([...DEEP_LAWS, ...asking])
  const importsOf = (file) =>
    [...texts.get(file).matchAll(/^(?:import|export) .*?from '(\.[^']+)'/gms)].map(([, path]) =>
      join(dirname(file), path).replaceAll('\\', '/'),
    )
  for (let size = 0; size !== found.size;) {
    size = found.size
    for (const file of files) if (importsOf(file).some((one) => found.has(one))) found.add(file)
  }
  return [...found]
}

const tests = files.filter((file) => file.endsWith('.test.ts'))

/** Tests of the slow tier alone. */
export const slowTests = tests.filter(isSlow)

/** Fast tests with fewer cases, which the slow tier repeats with all: deep laws and tests of many compilers. */
export const repeatedTests = filesOfBoth().filter((file) => tests.includes(file) && !isSlow(file))
