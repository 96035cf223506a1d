/**
 * The federation: the signers of the peg, whose multisig address holds the coins on the auxiliary chain (terms in bridge.ts). Its
 * outputs are locked by scripts, and an address stands for a script or a key.
 */

import { fromHex } from '../../../base/hex.ts'
import { toBase58Check } from '../../../crypto/base58.ts'
import { hash160 } from '../../../crypto/ripemd160.ts'
import { sha256 } from '../../../crypto/sha256.ts'
import { EMERGENCY_DELAY, EMERGENCY_KEYS, FEDERATION_KEYS } from './constants.ts'
import { littleEndian } from './aux-encoding.ts'

/** Versions of the addresses of the auxiliary regtest chain: of a key, and of a script. */
export const KEY_ADDRESS_VERSION = 0x6f
export const SCRIPT_ADDRESS_VERSION = 0xc4

/**
 * Types of a member's keys, as arguments of the methods have them (node-chain 10.4). They are in hex, because this repository
 * uses neutral names only. A member has the same key for all types.
 */
export const KEY_TYPES = ['0x627463', '0x72736b', '0x6d7374'].map((hex) =>
  Buffer.from(fromHex(hex)).toString(),
)

/** Number of members that have to sign. */
export const THRESHOLD = Math.floor(FEDERATION_KEYS.length / 2) + 1

/** Instructions of the auxiliary chain's scripts. */
const OP = {
  pushNumber: 0x50,
  notIf: 0x64,
  else: 0x67,
  endIf: 0x68,
  drop: 0x75,
  equal: 0x87,
  hash160: 0xa9,
  checkMultisig: 0xae,
  checkSequence: 0xb2,
} as const

/**
 * The script that controls the coins: it requires signatures of the members, or of three emergency keys after a delay
 * (node-chain 10.6).
 */
export const REDEEM_SCRIPT = Uint8Array.from([
  OP.notIf,
  ...multisig(FEDERATION_KEYS, THRESHOLD),
  OP.else,
  ...push(littleEndian(EMERGENCY_DELAY, 2)),
  OP.checkSequence,
  OP.drop,
  ...multisig(EMERGENCY_KEYS, 3),
  OP.endIf,
])

/** The script that requires signatures of some of the keys. */
export function multisig(keys: readonly Uint8Array[], threshold: number): readonly number[] {
  return [OP.pushNumber + threshold, ...keys.flatMap(push), OP.pushNumber + keys.length, OP.checkMultisig]
}

function push(bytes: Uint8Array): number[] {
  return [bytes.length, ...bytes]
}

/**
 * The witness program: a version byte and the hash of the redeem script. Every input that spends coins of the federation
 * contains it.
 */
export const WITNESS_PROGRAM = Uint8Array.from([0, ...push(sha256(REDEEM_SCRIPT))])

/** The script that pays the federation. */
export const FEDERATION_SCRIPT = scriptHashOutput(hash160(WITNESS_PROGRAM))

/** The script that pays the hash of a script. */
export function scriptHashOutput(hash: Uint8Array): Uint8Array {
  return Uint8Array.from([OP.hash160, ...push(hash), OP.equal])
}

/** Address of the federation on the auxiliary chain. */
export const FEDERATION_ADDRESS = toBase58Check(
  Uint8Array.from([SCRIPT_ADDRESS_VERSION, ...hash160(WITNESS_PROGRAM)]),
)
