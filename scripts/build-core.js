/**
 * Compiles the core of the machine (assembly/) to WebAssembly and writes it into lib as a module that holds its bytes.
 * Does nothing if the sources are those of the last time. Runs before builds and tests.
 */

import { createHash } from 'node:crypto'
import { readFileSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const SOURCES = 'assembly'
const LAYOUT = 'lib/evm/machine/layout.ts'
const INSTRUCTIONS = 'lib/evm/machine/instructions/core.ts'
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
  INSTRUCTIONS,
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

/** The opcodes and names of the instructions that the core performs, on every network. */
async function coreInstructions() {
  const { build } = await import('esbuild')
  const { outputFiles } = await build({
    entryPoints: [INSTRUCTIONS],
    bundle: true,
    format: 'esm',
    write: false,
  })
  const url = `data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`
  const table = await import(url)
  return [...table.coreInstructions({ access: {} }), ...table.optionalCoreInstructions]
}

const casesIn = (text) =>
  Array.from(text.matchAll(/\bcase (0x[0-9a-f]{2}):/g), ([, opcode]) => Number(opcode))

/** Fails if an instruction has no case in the loop, or none among the effects to which the loop leaves it. */
async function checkCases() {
  const [loop, effects] = ['loop.ts', 'effects.ts'].map((file) => readFileSync(join(SOURCES, file), 'utf8'))
  const left = loop.split(/\n(?= {6}case )/).filter((part) => part.includes('perform(f, op'))
  const [inLoop, inEffects, leftToEffects] = [loop, effects, left.join('\n')].map(casesIn)
  for (const [opcode, { name }] of await coreInstructions()) {
    if (!inLoop.includes(opcode)) throw new Error(`${SOURCES}/loop.ts has no case for ${name}`)
    if (leftToEffects.includes(opcode) && !inEffects.includes(opcode))
      throw new Error(`${SOURCES}/effects.ts has no case for ${name}`)
  }
}

if (!isCurrent()) {
  await checkCases()
  const code = await compile()
  const source = `/** The core of the machine in WebAssembly, written by scripts/build-core.js from sources with the hash ${digest}. */

/** Base64. */
export const CORE_CODE: string =
  '${code}'
`
  writeFileSync(`${TARGET}.new`, source)
  renameSync(`${TARGET}.new`, TARGET)
}
