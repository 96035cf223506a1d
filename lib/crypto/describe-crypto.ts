/** Names the cryptographic implementations that run on this platform. */

import type { SkippedCandidate } from './candidates.ts'
import { keccakImplementation, skippedKeccaks } from './keccak.ts'
import { curve, skippedCurves } from './secp256k1.ts'

/** Names of the implementations that run, and of the faster ones that do not run. */
export interface CryptoDescription {
  readonly keccak: string
  readonly secp256k1: string
  readonly skipped: readonly SkippedCandidate[]
}

/** Describes the implementations in use. */
export function describeCrypto(): CryptoDescription {
  return {
    keccak: keccakImplementation,
    secp256k1: curve.name,
    skipped: [...skippedKeccaks, ...skippedCurves()],
  }
}
