/**
 * Writes the sandbox of tracers in JavaScript as a module that holds its bytes: QuickJS from its package, with a meter in every loop,
 * and the source of big-integer. Does nothing if the packages are those of the last time. Runs with build-core.js.
 */

import { createHash } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'

const TARGET = 'lib/modules/trace/javascript/sandbox-code.ts'
const QUICKJS = 'node_modules/@jitl/quickjs-wasmfile-release-sync/dist/emscripten-module.wasm'
const BIG_INTEGER = 'node_modules/big-integer/BigInteger.min.js'

/**
 * Runs at the begin of every turn of a loop. QuickJS asks its interrupt handler only between instructions of JavaScript, so that
 * `[].includes.call({ length: 2 ** 53 - 1 }, 1)` would never end.
 */
const METER = `(global.set $fuel (i32.sub (global.get $fuel) (i32.const 1)))
  (if (i32.le_s (global.get $fuel) (i32.const 0)) (then (global.set $fuel (call $refuel))))`

const hash = createHash('sha256')
for (const file of ['scripts/build-sandbox.js', QUICKJS, BIG_INTEGER]) hash.update(readFileSync(file))
const digest = hash.digest('hex')

function isCurrent() {
  try {
    return readFileSync(TARGET, 'utf8').includes(digest)
  } catch {
    return false
  }
}

/** The same WebAssembly, which calls the import `sandbox.refuel` when its fuel is used up, and continues with the result. */
async function metered(code) {
  const { default: binaryen } = await import('binaryen')
  const text = binaryen.readBinary(code).emitText()
  const module = binaryen.parseText(
    text
      .replace(/^ *\(loop\b.*$/gm, (line) => `${line} ${METER}`)
      .replace(/^ \(import /m, ' (import "sandbox" "refuel" (func $refuel (result i32)))$&')
      .replace(/^ \(global /m, ' (global $fuel (mut i32) (i32.const 1))$&'),
  )
  module.setFeatures(binaryen.Features.All)
  if (!module.validate()) throw new Error('the metered QuickJS is not valid')
  return module.emitBinary()
}

if (!isCurrent()) {
  const code = Buffer.from(await metered(readFileSync(QUICKJS))).toString('base64')
  const source = `/** QuickJS in WebAssembly with a meter, and big-integer, written by scripts/build-sandbox.js; hash ${digest}. */

/** Base64. */
export const QUICKJS_CODE: string =
  '${code}'

/** A script that defines the global bigInt. */
export const BIG_INTEGER: string = ${JSON.stringify(readFileSync(BIG_INTEGER, 'utf8'))}
`
  writeFileSync(`${TARGET}.new`, source)
  renameSync(`${TARGET}.new`, TARGET)
}
