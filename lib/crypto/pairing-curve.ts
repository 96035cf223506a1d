/**
 * Arithmetic of pairing-friendly curves in WebAssembly, with the package mcl-wasm: each curve runs in its own instance, which
 * starts at its first use. Reads and writes its points and scalars as precompiles have them.
 */

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { NodeError } from '../base/errors.ts'
import { bytesToBigInt } from '../base/hex.ts'
import { invariant, present } from '../base/invariant.ts'
import { compileWasm, startWasm, wasmMemory, type WasmInstance } from './wasm.ts'

/** Bytes of numbers and points in mcl's memory. A point has three coordinates; in the second group each is two elements. */
export const SIZE = { fp: 48, fr: 32, g1: 3 * 48, g2: 6 * 48, gt: 12 * 48 } as const

/** Numbers of the curves (mcl/curve_type.h). */
const CURVES = { bn254: 4, 'bls12-381': 5 } as const

/** Number sizes that mcl-wasm is compiled for; mcl refuses other callers (mcl/bn.h, MCLBN_COMPILED_TIME_VAR). */
const COMPILED_FOR = 46

/** Initial memory pages of mcl-wasm. */
const PAGES = 32

let compiled: object | undefined

const locate = (): string => createRequire(import.meta.url).resolve('mcl-wasm/dist/mcl_c.js')

/**
 * Compiles the module from the package's file: the package itself loads asynchronously, but a precompile runs synchronously.
 * @throws NodeError 'internal' if the file is missing
 */
export function compileMcl(pathOf: () => string = locate): object {
  try {
    const base64 = /wasmBase64 = '([^']+)'/.exec(readFileSync(pathOf(), 'utf8'))?.[1]
    return compileWasm(Buffer.from(present(base64, 'WebAssembly in mcl-wasm'), 'base64'))
  } catch (cause) {
    const reason = cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : String(cause)
    throw new NodeError(
      'internal',
      `the package mcl-wasm, which this precompile calculates with, does not load: ${reason}`,
      { cause },
    )
  }
}

/** An instance of mcl for one curve. Numbers are addresses in its memory. */
export class Mcl {
  readonly #wasm: WasmInstance
  #taken: number[] = []

  /** @throws NodeError 'internal' if the package is missing */
  constructor(curve: keyof typeof CURVES) {
    compiled ??= compileMcl()
    this.#wasm = startWasm(compiled, wasmMemory(PAGES))
    this.run('__wasm_call_ctors')
    invariant(this.run('mclBn_init', CURVES[curve], COMPILED_FOR) === 0, `mcl does not know ${curve}`)
  }

  run(name: string, ...values: readonly number[]): number {
    return present(this.#wasm.exports[name], name)(...values)
  }

  /** Allocates memory until the end of the scope. */
  take(bytes: number): number {
    const at = this.run('malloc', bytes)
    this.#taken.push(at)
    return at
  }

  /** Allocates memory for these bytes and writes them. */
  put(bytes: Uint8Array): number {
    const at = this.take(bytes.length)
    this.#wasm.bytes().set(bytes, at)
    return at
  }

  bytesAt(at: number, length: number): Uint8Array {
    return this.#wasm.bytes().slice(at, at + length)
  }

  /** Runs a task and frees the memory that it allocated. */
  scope<T>(task: () => T): T {
    const outer = this.#taken
    this.#taken = []
    try {
      return task()
    } finally {
      for (const at of this.#taken) this.run('free', at)
      this.#taken = outer
    }
  }
}

/** The bytes are not a valid element, not a point of the curve, or a point of the wrong order. */
export class PointError extends Error {
  override readonly name = 'PointError'
}

/** A curve, and the encoding of its elements. */
interface CurveForm {
  readonly curve: 'bn254' | 'bls12-381'
  readonly modulus: bigint
  /** Length in bytes of an encoded element, which is big-endian. */
  readonly element: number
  /** Whether the imaginary part of a coordinate in G2 precedes the real part. */
  readonly imaginaryFirst: boolean
}

/** One of the groups G1 and G2. */
export type Group = 'g1' | 'g2'

/** Names of the groups in mcl's functions. */
const PREFIX = { g1: 'mclBnG1', g2: 'mclBnG2' } as const

/** Elements of the field in a coordinate. */
const ELEMENTS = { g1: 1, g2: 2 } as const

/** Arithmetic of one curve. Parameters `at` and numbers returned are addresses in mcl's memory. */
export class PairingCurve {
  readonly mcl: Mcl
  readonly #form: CurveForm

  /** @throws NodeError 'internal' if mcl is missing */
  constructor(form: CurveForm) {
    this.#form = form
    this.mcl = new Mcl(form.curve)
    // mcl would check the order of every point; a sum does not need this check.
    this.mcl.run('mclBn_verifyOrderG1', 0)
    this.mcl.run('mclBn_verifyOrderG2', 0)
  }

  /** Length of an encoded point in bytes. */
  pointBytes(group: Group): number {
    return 2 * ELEMENTS[group] * this.#form.element
  }

  /** Reads a point; zeros are the point at infinity. @throws PointError if it is not on the curve */
  readPoint(group: Group, bytes: Uint8Array, at: number): void {
    if (bytes.every((byte) => byte === 0)) {
      this.mcl.run(`${PREFIX[group]}_clear`, at)
      return
    }
    const coordinate = bytes.length / 2
    const size = ELEMENTS[group] * SIZE.fp
    this.readCoordinate(bytes.subarray(0, coordinate), at)
    this.readCoordinate(bytes.subarray(coordinate), at + size)
    this.mcl.run('mclBnFp_setInt32', at + 2 * size, 1)
    if (group === 'g2') this.mcl.run('mclBnFp_clear', at + 2 * size + SIZE.fp)
    if (this.mcl.run(`${PREFIX[group]}_isValid`, at) !== 1) throw new PointError('no point of the curve')
  }

  /** Reads an element of Fp, or of Fp2 if the bytes hold two elements of Fp. @throws PointError */
  readCoordinate(bytes: Uint8Array, at: number): void {
    const { element, imaginaryFirst } = this.#form
    const count = bytes.length / element
    for (let index = 0; index < count; index++) {
      const place = imaginaryFirst ? count - 1 - index : index
      this.#readElement(bytes.subarray(index * element, (index + 1) * element), at + place * SIZE.fp)
    }
  }

  #readElement(bytes: Uint8Array, at: number): void {
    if (bytesToBigInt(bytes) >= this.#form.modulus) throw new PointError('no element of the field')
    const digits = bytes.subarray(Math.max(bytes.length - SIZE.fp, 0))
    this.mcl.run('mclBnFp_setBigEndianMod', at, this.mcl.put(digits), digits.length)
  }

  /** Reads a scalar, which may be above the order. */
  readScalar(bytes: Uint8Array, at: number): void {
    this.mcl.run('mclBnFr_setBigEndianMod', at, this.mcl.put(bytes), bytes.length)
  }

  writePoint(group: Group, at: number): Uint8Array {
    const output = new Uint8Array(this.pointBytes(group))
    if (this.isInfinity(group, at)) return output
    this.mcl.run(`${PREFIX[group]}_normalize`, at, at)
    const { element, imaginaryFirst } = this.#form
    const count = ELEMENTS[group]
    const buffer = this.mcl.take(SIZE.fp)
    for (let index = 0; index < 2 * count; index++) {
      const length = this.mcl.run('mclBnFp_getLittleEndian', buffer, SIZE.fp, at + index * SIZE.fp)
      const place = count === 2 && imaginaryFirst ? index ^ 1 : index
      output.set(this.mcl.bytesAt(buffer, length).reverse(), (place + 1) * element - length)
    }
    return output
  }

  isInfinity(group: Group, at: number): boolean {
    return this.mcl.run(`${PREFIX[group]}_isZero`, at) === 1
  }

  /** Sum of two encoded points; their order is not checked. @throws PointError */
  add(group: Group, input: Uint8Array): Uint8Array {
    const length = this.pointBytes(group)
    return this.mcl.scope(() => {
      const [left, right] = [this.mcl.take(SIZE[group]), this.mcl.take(SIZE[group])]
      this.readPoint(group, input.subarray(0, length), left)
      this.readPoint(group, input.subarray(length), right)
      this.mcl.run(`${PREFIX[group]}_add`, left, left, right)
      return this.writePoint(group, left)
    })
  }

  /** Sum of points times scalars; each scalar of 32 bytes follows its point. @throws PointError, also for a wrong order */
  multiplyAll(group: Group, input: Uint8Array): Uint8Array {
    const point = this.pointBytes(group)
    const count = input.length / (point + SIZE.fr)
    return this.mcl.scope(() => {
      const points = this.mcl.take(count * SIZE[group])
      const scalars = this.mcl.take(count * SIZE.fr)
      for (let index = 0; index < count; index++) {
        const start = index * (point + SIZE.fr)
        const at = points + index * SIZE[group]
        this.readPoint(group, input.subarray(start, start + point), at)
        this.checkOrder(group, at)
        this.readScalar(input.subarray(start + point, start + point + SIZE.fr), scalars + index * SIZE.fr)
      }
      const sum = this.mcl.take(SIZE[group])
      this.mcl.run(`${PREFIX[group]}_mulVec`, sum, points, scalars, count)
      return this.writePoint(group, sum)
    })
  }

  /** @throws PointError if the point has the wrong order */
  checkOrder(group: Group, at: number): void {
    if (this.mcl.run(`${PREFIX[group]}_isValidOrder`, at) === 1) return
    throw new PointError('no point of the right order')
  }

  /** Whether the product of the pairings is one. The input is a list of pairs: a point of G1, then a point of G2. */
  isPairingOne(input: Uint8Array): boolean {
    const [first, second] = [this.pointBytes('g1'), this.pointBytes('g2')]
    const count = input.length / (first + second)
    return this.mcl.scope(() => {
      const left = this.mcl.take(count * SIZE.g1)
      const right = this.mcl.take(count * SIZE.g2)
      // A pairing with the point at infinity is one.
      let pairs = 0
      for (let index = 0; index < count; index++) {
        const start = index * (first + second)
        const [p, q] = [left + pairs * SIZE.g1, right + pairs * SIZE.g2]
        this.readPoint('g1', input.subarray(start, start + first), p)
        this.checkOrder('g1', p)
        this.readPoint('g2', input.subarray(start + first, start + first + second), q)
        this.checkOrder('g2', q)
        if (!this.isInfinity('g1', p) && !this.isInfinity('g2', q)) pairs++
      }
      return this.isProductOne(left, right, pairs)
    })
  }

  isProductOne(left: number, right: number, pairs: number): boolean {
    if (pairs === 0) return true
    const product = this.mcl.take(SIZE.gt)
    this.mcl.run('mclBn_millerLoopVec', product, left, right, pairs)
    this.mcl.run('mclBn_finalExp', product, product)
    return this.mcl.run('mclBnGT_isOne', product) === 1
  }
}
