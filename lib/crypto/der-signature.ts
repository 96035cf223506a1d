/** Reads and writes signatures in DER, as the scripts of the auxiliary chain contain them (BIP-66). */

import { DER } from '@noble/curves/abstract/der.js'
import { bytesToBigInt, fromHex, toWord } from '../base/hex.ts'
import type { Signature } from './curve.ts'

type Scalars = Pick<Signature, 'r' | 's'>

/** Reads a signature, without the byte for the type of its hash; undefined if the bytes are none. */
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

/** Writes a signature, without the byte for the type of its hash. */
export const writeDerSignature = ({ r, s }: Scalars): Uint8Array =>
  fromHex(`0x${DER.hexFromSig({ r: bytesToBigInt(r), s: bytesToBigInt(s) })}`)
