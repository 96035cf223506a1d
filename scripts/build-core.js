/**
 * Compiles the core of the machine (assembly/) to WebAssembly and writes it into lib as a module that holds its bytes.
 * Does nothing if the sources are those of the last time. Runs before builds and tests.
 */

import { createHash } from 'node:crypto'
import { readFileSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const SOURCES = 'assembly'
const LAYOUT = 'lib/evm/machine/layout.ts'
const TARGET = 'lib/evm/machine/core-code.ts'

const OPTIONS = [
  ...['--runtime', 'stub', '-O3', '--converge', '--noAssert', '--enable', 'simd', '--use', 'abort='],
  // Below lies the memory of Keccak; the rest of the layout is in LAYOUT.
  ...['--importMemory', '--initialMemory', '256', '--memoryBase', '1024'],
]

const files = [
  ...readdirSync(SOURCES)
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(SOURCES, name)),
  'scripts/build-core.js',
  LAYOUT,
  'node_modules/assemblyscript/package.json',
].sort()
const hash = createHash('sha256').update(OPTIONS.join(' '))
for (const file of files) hash.update(file).update(readFileSync(file))
const digest = hash.digest('hex')

function isCurrent() {
  try {
    return readFileSync(TARGET, 'utf8').includes(digest)
  } catch {
    return false
  }
}

async function compile() {
  const { default: asc } = await import('assemblyscript/asc')
  let bytes
  const { error, stderr } = await asc.main([join(SOURCES, 'core.ts'), '--outFile', 'core.wasm', ...OPTIONS], {
    writeFile: (name, content) => void (name === 'core.wasm' && (bytes = content)),
  })
  if (error !== null) throw new Error(`the core does not compile: ${stderr.toString()}`, { cause: error })
  return Buffer.from(bytes).toString('base64')
}

if (!isCurrent()) {
  const code = await compile()
  const source = `/** The core of the machine in WebAssembly, written by scripts/build-core.js from sources with the hash ${digest}. */

/** Base64. */
export const CORE_CODE: string =
  '${code}'
`
  writeFileSync(`${TARGET}.new`, source)
  renameSync(`${TARGET}.new`, TARGET)
}
