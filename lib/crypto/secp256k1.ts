/* oxlint-disable no-restricted-globals -- the only variable of lib: the implementation is chosen before any option is known */
/** The curve secp256k1: native if the package has a build for this platform, else in JavaScript. */

import { createRequire } from 'node:module'
import { DER } from '@noble/curves/abstract/der.js'
import { secp256k1 as noble } from '@noble/curves/secp256k1.js'
import type * as Bindings from 'secp256k1'
import { bytesToBigInt, fromHex, toWord } from '../base/hex.ts'
import { InvariantError } from '../base/invariant.ts'
import { once } from '../base/once.ts'
import { Curve, type RawCurve, type Signature } from './curve.ts'

interface Choice {
  readonly raw: RawCurve
  readonly withoutNative?: string
}

// The package's main module would fall back to its own JavaScript without a native build.
const NATIVE = 'secp256k1/bindings.js'

/** Loads the native implementation. @throws Error if the package has no build for this platform */
export function nativeCurve(): RawCurve {
  // Loaded at its first use, because a missing package must not end the process.
  const native: unknown = createRequire(import.meta.url)(NATIVE)
  if (!isBindings(native)) throw new InvariantError(`${NATIVE} lacks a function`)
  return {
    name: 'secp256k1',
    sign: (hash, privateKey) => {
      const { signature, recid } = native.ecdsaSign(hash, privateKey)
      return { rs: signature, recovery: recid }
    },
    recover: (hash, rs, recovery) => native.ecdsaRecover(rs, recovery, hash, false),
    verify: (hash, rs, publicKey) => native.ecdsaVerify(rs, hash, publicKey),
    publicKey: (privateKey) => native.publicKeyCreate(privateKey, false),
    decompress: (key) => native.publicKeyConvert(key, false),
    add: (left, right) => native.publicKeyCombine([left, right], false),
    multiply: (point, scalar) => native.publicKeyTweakMul(point, scalar, false),
  }
}

const FUNCTIONS = [
  'ecdsaSign',
  'ecdsaRecover',
  'ecdsaVerify',
  'publicKeyCreate',
  'publicKeyConvert',
  'publicKeyCombine',
  'publicKeyTweakMul',
]

const isBindings = (value: unknown): value is typeof Bindings =>
  typeof value === 'object' && value !== null && FUNCTIONS.every((name) => name in value)

export function javascriptCurve(): RawCurve {
  const { Point, Signature } = noble
  return {
    name: '@noble/curves',
    sign: (hash, privateKey) => {
      const signed = noble.sign(hash, privateKey, { prehash: false, format: 'recovered' })
      return { rs: signed.subarray(1), recovery: signed[0] ?? 0 }
    },
    recover: (hash, rs, recovery) =>
      Signature.fromBytes(rs, 'compact').addRecoveryBit(recovery).recoverPublicKey(hash).toBytes(false),
    verify: (hash, rs, publicKey) => noble.verify(rs, hash, publicKey, { prehash: false, lowS: true }),
    publicKey: (privateKey) => noble.getPublicKey(privateKey, false),
    decompress: (key) => Point.fromBytes(key).toBytes(false),
    add: (left, right) => Point.fromBytes(left).add(Point.fromBytes(right)).toBytes(false),
    multiply: (point, scalar) => Point.fromBytes(point).multiply(bytesToBigInt(scalar)).toBytes(false),
  }
}

/** Chooses the native implementation if it loads. DEV_NODE_CRYPTO=javascript excludes it, so that tests run the other. */
export function chooseCurve(load: () => RawCurve, limit = process.env['DEV_NODE_CRYPTO']): Choice {
  if (limit === 'javascript')
    return { raw: javascriptCurve(), withoutNative: 'left out by DEV_NODE_CRYPTO=javascript' }
  try {
    return { raw: load() }
  } catch (error) {
    // The loader lists search paths in the lines after the first.
    const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
    return { raw: javascriptCurve(), withoutNative: reason }
  }
}

/** Loads the implementation that is used. The native one first calculates tables. */
export const loadCurve = once(() => chooseCurve(nativeCurve))

/** The curve. The first operation chooses its implementation. */
export const curve = new Curve(() => loadCurve().raw)

/** The name of the implementation for the log. If it is not the native one, the text says why. */
export function describeCurve(): string {
  const { withoutNative } = loadCurve()
  return `secp256k1 ${curve.name}${withoutNative === undefined ? '' : `; native skipped: ${withoutNative}`}`
}

type Scalars = Pick<Signature, 'r' | 's'>

/** Reads a signature in the strict DER of BIP-66, without the hash type byte; undefined if the bytes are invalid. */
export function readDerSignature(bytes: Uint8Array): Scalars | undefined {
  try {
    const { r, s } = DER.toSig(bytes, 33)
    return { r: word(r), s: word(s) }
  } catch {
    return undefined
  }
}

/** @throws Error if the number has more than 32 bytes */
const word = (value: bigint): Uint8Array => fromHex(toWord(value))

/** Writes a signature in DER, without the hash type byte. */
export const writeDerSignature = ({ r, s }: Scalars): Uint8Array =>
  fromHex(`0x${DER.hexFromSig({ r: bytesToBigInt(r), s: bytesToBigInt(s) })}`)
