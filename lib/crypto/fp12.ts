/**
 * Field elements for pairings (Fp2 and Fp12) in the memory of the WebAssembly module of fp12-module.ts. Elements are passed
 * as addresses in that memory.
 */

import { bigIntToBytes, bytesToBigInt } from '../base/hex.ts'
import { invariant, present } from '../base/invariant.ts'
import { FP2_BYTES, LIMB_BITS, MONTGOMERY_BITS, limbsOf, modulusLimbs, numberOf } from './fp2-code.ts'
import { DEGREE, FP12_BYTES, FP12_MEMORY, fp12Module } from './fp12-module.ts'
import { SIZE } from './mcl.ts'
import type { Mcl } from './mcl.ts'
import { compileWasm, startWasm, wasmMemory } from './wasm.ts'
import type { WasmInstance } from './wasm.ts'

/** An element of Fp2. */
type Fp2 = readonly [real: bigint, imaginary: bigint]

/** ξ to the power of (p - 1) / 6, where p is the modulus. */
const FROBENIUS: Fp2 = [
  0x1904d3bf02bb0667c231beb4202c0d1f0fd603fd3cbd5f4f7b2443d784bab9c4f67ea53d63e7813d8d0775ed92235fb8n,
  0xfc3e2b36c4e03288e9e902231f9fb854a14787b6c7b36fec0c8ec971f63c5f282d5ac14d6c7ec22cf78a126ddc4af3n,
]

/** Length in bytes of a limb in memory, and of a word of mcl. */
const LIMB_BYTES = 4
const WORD_BYTES = 4

/** The factor R of our Montgomery form, divided by that of mcl's. */
const RATIO = 2n ** (MONTGOMERY_BITS - 384n)

/** Words of an element of Fp in mcl's memory. */
const WORDS = SIZE.fp / WORD_BYTES

/** Address of the number one: the first factor of the Frobenius map. */
const ONE = FP12_MEMORY.frobenius

/** Memory pages: the lines of the points of KZG need most of the first one, a final exponentiation half of the other. */
const PAGES = 2

/** Arithmetic of Fp12. */
export class Fp12 {
  readonly #mcl: Mcl
  readonly #modulus: bigint
  readonly #wasm: WasmInstance
  readonly #limbs: Int32Array
  /** Address of the ratio of the factors of the Montgomery forms. */
  readonly #ratio: number
  #free: number = FP12_MEMORY.free

  /** Uses the instance of mcl to invert numbers. */
  constructor(mcl: Mcl, modulus: bigint) {
    this.#mcl = mcl
    this.#modulus = modulus
    const memory = wasmMemory(PAGES)
    this.#wasm = startWasm(compileWasm(fp12Module(modulus)), memory)
    this.#limbs = new Int32Array(memory.buffer)
    this.#limbs.set(modulusLimbs(modulus), FP12_MEMORY.modulus / LIMB_BYTES)
    const { zero, frobenius } = FP12_MEMORY
    this.write(frobenius, [1n, 0n])
    const factor = this.take(FP2_BYTES)
    this.write(factor, FROBENIUS)
    for (let at = frobenius; at < frobenius + (DEGREE - 1) * FP2_BYTES; at += FP2_BYTES) {
      this.run('sum1', at + FP2_BYTES, zero, at, factor)
    }
    this.#ratio = factor
    this.write(factor, [RATIO, 0n])
  }

  /** Calls a function of the module. */
  run(name: string, ...addresses: readonly number[]): void {
    present(this.#wasm.exports[name], name)(...addresses)
  }

  /** Calls a function of the module whose result is a new element of Fp12. */
  apply(name: string, ...operands: readonly number[]): number {
    const result = this.take(FP12_BYTES)
    this.run(name, result, ...operands)
    return result
  }

  /** Allocates memory until the end of the scope. */
  take(bytes: number): number {
    const at = this.#free
    this.#free += bytes
    invariant(this.#free <= this.#limbs.byteLength, 'the memory for pairings is full')
    return at
  }

  /** Runs a task and frees the memory that it allocated. */
  scope<T>(task: () => T): T {
    const outer = this.#free
    try {
      return task()
    } finally {
      this.#free = outer
    }
  }

  /** Writes an element of Fp2. */
  write(at: number, [real, imaginary]: Fp2): void {
    const limbs = [real, imaginary].map((part) => limbsOf((part << MONTGOMERY_BITS) % this.#modulus))
    for (const [part, own] of limbs.entries()) {
      for (const [index, limb] of own.entries()) this.#limbs[at / LIMB_BYTES + 2 * index + part] = limb
    }
  }

  /** Copies a point's coordinate from mcl's memory: an element of Fp, or of Fp2 with two parts. */
  copy(at: number, source: number, parts: 1 | 2): void {
    const words = new Uint32Array(2 * WORDS)
    words.set(new Uint32Array(this.#mcl.bytesAt(source, parts * SIZE.fp).buffer))
    for (let limb = 0; limb < FP2_BYTES / LIMB_BYTES; limb++) {
      this.#limbs[at / LIMB_BYTES + limb] = limbInWords(words, (limb % 2) * WORDS, limb >> 1)
    }
    this.run('sum1', at, FP12_MEMORY.zero, at, this.#ratio)
  }

  /** Copies an element of Fp12 from mcl's memory, where it has the even powers of w before the odd ones. */
  copyAll(source: number): number {
    const at = this.take(FP12_BYTES)
    for (let index = 0; index < DEGREE; index++) {
      const place = (index >> 1) + (index % 2) * (DEGREE / 2)
      this.copy(at + index * FP2_BYTES, source + 2 * place * SIZE.fp, 2)
    }
    return at
  }

  /** Writes the number one of Fp12. */
  writeOne(at: number): void {
    this.#limbs.fill(0, at / LIMB_BYTES, (at + FP12_BYTES) / LIMB_BYTES)
    this.run('add', at, FP12_MEMORY.zero, ONE)
  }

  /** Whether a result of the module is one. Results are closer to zero than the modulus, so zero has no other form. */
  isOne(at: number): boolean {
    this.run('subtract', at, at, ONE)
    this.run('sum0', at, at)
    return this.#limbs.subarray(at / LIMB_BYTES, (at + FP12_BYTES) / LIMB_BYTES).every((limb) => limb === 0)
  }

  /** Inverts an element of Fp2. */
  invert(at: number): void {
    const [real, imaginary] = this.#read(at)
    const reduced = (value: bigint): bigint => ((value % this.#modulus) + this.#modulus) % this.#modulus
    // Both parts have the factor R and their norm has R², so the quotient times R is the inverse.
    const factor = this.#inverse(reduced(real * real + imaginary * imaginary)) << MONTGOMERY_BITS
    this.write(at, [reduced(real * factor), reduced(-imaginary * factor)])
  }

  #inverse(value: bigint): bigint {
    return this.#mcl.scope(() => {
      const at = this.#mcl.take(SIZE.fp)
      const bytes = bigIntToBytes(value)
      this.#mcl.run('mclBnFp_setBigEndianMod', at, this.#mcl.put(bytes), bytes.length)
      this.#mcl.run('mclBnFp_inv', at, at)
      return this.#fromMcl(at)
    })
  }

  #fromMcl(at: number): bigint {
    return this.#mcl.scope(() => {
      const buffer = this.#mcl.take(SIZE.fp)
      const length = this.#mcl.run('mclBnFp_getLittleEndian', buffer, SIZE.fp, at)
      return bytesToBigInt(this.#mcl.bytesAt(buffer, length).reverse())
    })
  }

  /** An element of Fp2 times R, not reduced. */
  #read(at: number): Fp2 {
    const limbs = Array.from(this.#limbs.subarray(at / LIMB_BYTES, (at + FP2_BYTES) / LIMB_BYTES))
    return [
      numberOf(limbs.filter((_, index) => index % 2 === 0)),
      numberOf(limbs.filter((_, index) => index % 2 === 1)),
    ]
  }
}

/** A limb of a number, which has words of 32 bits from this index on. */
function limbInWords(words: Uint32Array, start: number, limb: number): number {
  const [word, shift] = [Math.floor((limb * LIMB_BITS) / 32), (limb * LIMB_BITS) % 32]
  const next = word + 1 < WORDS && shift > 0 ? (words[start + word + 1] ?? 0) << (32 - shift) : 0
  return (((words[start + word] ?? 0) >>> shift) | next) & (2 ** LIMB_BITS - 1)
}
