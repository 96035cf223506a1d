/**
 * Exports the function table through which mcl calls the arithmetic of its fields, so that faster functions can replace mcl's
 * (field-module.ts). mcl-wasm does not export it. Only the tested build is changed; another build stays as it is.
 */

import { toHex } from '../base/hex.ts'
import { sha256 } from './sha256.ts'
import { name, leb128, sized } from './wasm-code.ts'

/** SHA-256 of the module in mcl-wasm 2.4.1. */
const TESTED = '0x99e25601f2eed784d994aa5c8c1733989350255f78bbbd18571e8df8b65b8f60'

/** Table indices of the functions for fields of 384 bits, by their names in field-module.ts. */
export const TABLE_INDICES_384 = {
  multiply: 200,
  square: 199,
  multiplyUnreduced: 190,
  squareUnreduced: 189,
  reduce: 198,
} as const

/** Bytes before the first section of a module: magic number and version. */
const HEADER = 8

/** The section of exports, and the kind of an export that is a table (WebAssembly core specification, 5.5). */
const EXPORTS = 7
const TABLE = 1

/** Exports the module's table as `table`; returns an untested module unchanged. */
export function withTable(module: Uint8Array): Uint8Array {
  if (toHex(sha256(module)) !== TESTED) return module
  for (let at = HEADER; ;) {
    const size = numberAt(module, at + 1)
    const end = size.end + size.value
    if (module[at] === EXPORTS) {
      const count = numberAt(module, size.end)
      const exported = [...name('table'), TABLE, 0]
      const content = [...leb128(count.value + 1), ...module.subarray(count.end, end), ...exported]
      return Buffer.concat([
        module.subarray(0, at),
        Uint8Array.of(EXPORTS, ...sized(content)),
        module.subarray(end),
      ])
    }
    at = end
  }
}

/** An unsigned number in LEB128 (groups of seven bits, least significant first), and the offset of its end. */
function numberAt(bytes: Uint8Array, start: number): { readonly value: number; readonly end: number } {
  let value = 0
  for (let at = start, shift = 0; ; at++, shift += 7) {
    const byte = bytes[at] ?? 0
    value |= (byte & 0x7f) << shift
    if (byte < 0x80) return { value, end: at + 1 }
  }
}
