/** Chooses the implementation of secp256k1: native where a build exists, else WASM, else JavaScript. */

import { createRequire } from 'node:module'
import { secp256k1 as noble } from 'ethereum-cryptography/secp256k1.js'
import type * as Bindings from 'secp256k1'
import type * as Wasm from 'tiny-secp256k1'
import { bigIntToBytes32, bytesToBigInt, equalBytes, fromHex } from '../base/hex.ts'
import { InvariantError, present } from '../base/invariant.ts'
import { chooseFirst, type Candidate, type Choice, type SkippedCandidate } from './candidates.ts'
import { withinLimit } from './crypto-limit.ts'
import { checkedCurve, isPrivateKey, type Curve } from './curve.ts'

/** Loads a package at its first use, because a missing package must not end the process. */
const load = createRequire(import.meta.url)

/** Chooses the first implementation that loads and passes the known vector. */
export function selectCurve(candidates: readonly Candidate<Curve>[]): Choice<Curve> {
  return chooseFirst(candidates, requireKnownAnswers)
}

/** Implementations, fastest first. */
export const curveCandidates = [
  { name: 'secp256k1', kind: 'native', load: loadNative },
  { name: 'tiny-secp256k1', kind: 'wasm', load: loadWasm },
  { name: 'ethereum-cryptography', kind: 'javascript', load: loadJavascript },
] as const

// Not the package's main module: without a native build that falls back to JavaScript, slower than the candidates below.
function loadNative(): Curve {
  const native: unknown = load('secp256k1/bindings.js')
  if (!isBindings(native)) throw new InvariantError('secp256k1/bindings.js lacks a function')
  return checkedCurve('secp256k1', {
    sign: (hash, privateKey) => {
      const { signature, recid } = native.ecdsaSign(hash, privateKey)
      return { rs: signature, recovery: recid }
    },
    recover: (hash, rs, recovery) => native.ecdsaRecover(rs, recovery, hash, false),
    publicKey: (privateKey) => native.publicKeyCreate(privateKey, false),
    decompress: (key) => native.publicKeyConvert(key, false),
    add: (left, right) => native.publicKeyCombine([left, right], false),
    multiply: (point, scalar) => native.publicKeyTweakMul(point, scalar, false),
  })
}

function isBindings(value: unknown): value is typeof Bindings {
  const needed = ['ecdsaSign', 'ecdsaRecover', 'publicKeyCreate']
  return hasAll(value, [...needed, 'publicKeyConvert', 'publicKeyCombine', 'publicKeyTweakMul'])
}

function isWasm(value: unknown): value is typeof Wasm {
  const needed = ['signRecoverable', 'recover', 'pointFromScalar']
  return hasAll(value, [...needed, 'pointCompress', 'pointAdd', 'pointMultiply'])
}

const hasAll = (value: unknown, names: readonly string[]): boolean =>
  typeof value === 'object' && value !== null && names.every((name) => name in value)

function loadWasm(): Curve {
  const wasm: unknown = load('tiny-secp256k1')
  if (!isWasm(wasm)) throw new InvariantError('tiny-secp256k1 lacks a function')
  return checkedCurve('tiny-secp256k1', {
    sign: (hash, privateKey) => {
      const { signature, recoveryId } = wasm.signRecoverable(hash, privateKey)
      return { rs: signature, recovery: recoveryId }
    },
    recover: (hash, rs, recovery) => wasm.recover(hash, rs, recovery, false) ?? undefined,
    publicKey: (privateKey) => present(wasm.pointFromScalar(privateKey, false), 'public key'),
    decompress: (key) => wasm.pointCompress(key, false),
    add: (left, right) => present(wasm.pointAdd(left, right, false), 'sum'),
    multiply: (point, scalar) => present(wasm.pointMultiply(point, scalar, false), 'product'),
  })
}

function loadJavascript(): Curve {
  const { ProjectivePoint: Point } = noble
  return checkedCurve('ethereum-cryptography', {
    sign: (hash, privateKey) => {
      const signature = noble.sign(hash, privateKey, { lowS: true })
      return { rs: signature.toCompactRawBytes(), recovery: signature.recovery }
    },
    recover: (hash, rs, recovery) =>
      noble.Signature.fromCompact(rs).addRecoveryBit(recovery).recoverPublicKey(hash).toRawBytes(false),
    publicKey: (privateKey) => noble.getPublicKey(privateKey, false),
    decompress: (key) => Point.fromHex(key).toRawBytes(false),
    add: (left, right) => Point.fromHex(left).add(Point.fromHex(right)).toRawBytes(false),
    multiply: (point, scalar) => Point.fromHex(point).multiply(bytesToBigInt(scalar)).toRawBytes(false),
  })
}

/** A published RFC 6979 signature: SHA-256 of "Alan Turing" (trezor-crypto, test_rfc6979). */
const KNOWN = {
  hash: fromHex('0x4ba38d48a60f1b29e9eb726eaff08b2e83d8d81e031666fee50e85900d7dc1ef'),
  privateKey: fromHex('0xf8b8af8ce3c7cca5e300d33939540c10d45ce001b8f252bfbc57ba0342904181'),
  publicKey: fromHex(
    '0x92df7b245b81aa637ab4e867c8d511008f79161a97d64f2ac709600352f7acbc' +
      'e9bfdf1b13fa0cb1de4521e5386cde3a1cd26c5ab584989d07bbed58a5419f62',
  ),
  signature: {
    r: fromHex('0x7063ae83e7f62bbb171798131b4a0564b956930092b33b07b395615d9ec7e15c'),
    s: fromHex('0x58dfcc1e00a35e1572f366ffe34ba0fc47db1e7189759b9fb233c5b05ab388ea'),
    recovery: 0,
  },
} as const

function requireKnownAnswers(curve: Curve): void {
  const { r, s, recovery } = curve.sign(KNOWN.hash, KNOWN.privateKey)
  const known = KNOWN.signature
  if (!equalBytes(r, known.r) || !equalBytes(s, known.s) || recovery !== known.recovery) {
    throw new InvariantError('the signature of the known vector is wrong')
  }
  if (!equalBytes(curve.recover(KNOWN.hash, known), KNOWN.publicKey)) {
    throw new InvariantError('the key recovered from the known vector is wrong')
  }
  if (!equalBytes(curve.publicKey(KNOWN.privateKey), KNOWN.publicKey)) {
    throw new InvariantError('the public key of the known vector is wrong')
  }
  const generator = curve.publicKey(bigIntToBytes32(1n))
  const product = curve.multiply(generator, KNOWN.privateKey)
  if (product === undefined || !equalBytes(product, KNOWN.publicKey)) {
    throw new InvariantError('the product of the known vector is wrong')
  }
}

let choice: Choice<Curve> | undefined

const chosen = (): Choice<Curve> => (choice ??= selectCurve(withinLimit(curveCandidates)))

/** Loads the implementation in use, if no operation has loaded it. The native one calculates tables first. */
export function loadCurve(): void {
  chosen()
}

/** The implementation in use. The first operation loads it. */
export const curve: Curve = {
  get name() {
    return chosen().implementation.name
  },
  sign: (hash, privateKey) => chosen().implementation.sign(hash, privateKey),
  recover: (hash, signature) => chosen().implementation.recover(hash, signature),
  publicKey: (privateKey) => chosen().implementation.publicKey(privateKey),
  isPrivateKey,
  decodePoint: (encoded) => chosen().implementation.decodePoint(encoded),
  encodePoint: (point) => chosen().implementation.encodePoint(point),
  addPoints: (left, right) => chosen().implementation.addPoints(left, right),
  multiply: (point, scalar) => chosen().implementation.multiply(point, scalar),
}

/** Faster implementations that do not run here. */
export const skippedCurves = (): readonly SkippedCandidate[] => chosen().skipped
