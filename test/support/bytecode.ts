/** Assembles small contracts that do one thing each, in code that a compiler would not produce. */

import type { Hex } from '../../lib/base/hex.ts'
import { fromHex, toHex } from '../../lib/base/hex.ts'

/** Opcodes that the contracts below use, by name (Yellow Paper, appendix H, and later EIPs). */
const OPCODES: Readonly<Record<string, number>> = {
  STOP: 0x00,
  SUB: 0x03,
  LT: 0x10,
  ADDRESS: 0x30,
  ORIGIN: 0x32,
  CALLER: 0x33,
  CALLVALUE: 0x34,
  CALLDATALOAD: 0x35,
  CALLDATASIZE: 0x36,
  CALLDATACOPY: 0x37,
  GASPRICE: 0x3a,
  RETURNDATASIZE: 0x3d,
  RETURNDATACOPY: 0x3e,
  BLOCKHASH: 0x40,
  COINBASE: 0x41,
  TIMESTAMP: 0x42,
  NUMBER: 0x43,
  PREVRANDAO: 0x44,
  DIFFICULTY: 0x44,
  GASLIMIT: 0x45,
  CHAINID: 0x46,
  SELFBALANCE: 0x47,
  BASEFEE: 0x48,
  BLOBBASEFEE: 0x4a,
  BALANCE: 0x31,
  POP: 0x50,
  MSTORE: 0x52,
  SLOAD: 0x54,
  SSTORE: 0x55,
  JUMP: 0x56,
  JUMPI: 0x57,
  GAS: 0x5a,
  JUMPDEST: 0x5b,
  DUP1: 0x80,
  LOG0: 0xa0,
  LOG1: 0xa1,
  LOG2: 0xa2,
  CREATE: 0xf0,
  CALL: 0xf1,
  RETURN: 0xf3,
  DELEGATECALL: 0xf4,
  CREATE2: 0xf5,
  REVERT: 0xfd,
  INVALID: 0xfe,
  SELFDESTRUCT: 0xff,
}

/** Assembles opcode names and numbers; a number is pushed. */
export function assembleCode(source: string): Uint8Array {
  const bytes = source
    .trim()
    .split(/\s+/)
    .flatMap((word) => (/^\d|^0x/.test(word) ? push(BigInt(word)) : opcode(word)))
  return Uint8Array.from(bytes)
}

function opcode(name: string): number {
  const code = OPCODES[name]
  if (code === undefined) throw new Error(`no opcode ${name}`)
  return code
}

/** PUSH1 and on: PUSH0 does not exist on every network. */
function push(value: bigint): readonly number[] {
  const digits = value.toString(16)
  const bytes = fromHex(`0x${digits.length % 2 === 0 ? digits : `0${digits}`}`)
  return [0x5f + bytes.length, ...bytes]
}

/** Creation code that deploys the runtime code. */
export function creationCode(runtime: Uint8Array): Uint8Array {
  // CODECOPY of the code after the twelve bytes of this prefix.
  const length = runtime.length.toString(16).padStart(4, '0')
  return fromHex(`0x61${length}80600c6000396000f3${toHex(runtime).slice(2)}`)
}

const returnWord = '0 MSTORE 32 0 RETURN'
const copyRest = '32 CALLDATASIZE SUB 32 0 CALLDATACOPY'
const restSize = '32 CALLDATASIZE SUB'
const answer = 'RETURNDATASIZE 0 0 RETURNDATACOPY RETURNDATASIZE 0 RETURN'

/** The contracts by function; `arg 0` is the first word of the call data. */
export const CONTRACTS = {
  /** Writes arg 1 to slot arg 0. */
  store: assembleCode('32 CALLDATALOAD 0 CALLDATALOAD SSTORE'),
  /** Writes arg 1 to slot arg 0, then zero: a refund. */
  storeAndClear: assembleCode('32 CALLDATALOAD 0 CALLDATALOAD SSTORE 0 0 CALLDATALOAD SSTORE'),
  /** Returns the word at slot arg 0. */
  load: assembleCode(`0 CALLDATALOAD SLOAD ${returnWord}`),
  /** Returns the hash of block arg 0. */
  hashOf: assembleCode(`0 CALLDATALOAD BLOCKHASH ${returnWord}`),
  /** Runs SELFDESTRUCT with address arg 0 as beneficiary. */
  destroy: assembleCode('0 CALLDATALOAD SELFDESTRUCT'),
  /** Creates a contract from the call data behind arg 0, which is the salt, with the value sent; returns its address. */
  create2: assembleCode(`${copyRest} 0 CALLDATALOAD ${restSize} 0 CALLVALUE CREATE2 ${returnWord}`),
  /** The same with CREATE, which ignores arg 0. */
  create: assembleCode(`${copyRest} ${restSize} 0 CALLVALUE CREATE ${returnWord}`),
  /** Runs the code of address arg 0 as its own, with the call data behind it; notes the success in slot 77. */
  delegate: assembleCode(`${copyRest} 0 0 ${restSize} 0 0 CALLDATALOAD GAS DELEGATECALL 77 SSTORE ${answer}`),
  /** Calls address arg 0 with the value sent and the call data behind it; notes the success in slot 78. */
  forward: assembleCode(
    `${copyRest} 0 0 ${restSize} 0 CALLVALUE 0 CALLDATALOAD GAS CALL 78 SSTORE ${answer}`,
  ),
  /** Calls address arg 0 with 50,000 gas at most, and needs it to succeed. */
  forwardLimited: assembleCode(
    `${copyRest} 0 0 ${restSize} 0 CALLVALUE 0 CALLDATALOAD 50000 CALL 35 JUMPI 0 0 REVERT JUMPDEST`,
  ),
  /** Logs values of its block and transaction, under two topics. */
  environment: assembleCode(`
    NUMBER 0 MSTORE TIMESTAMP 32 MSTORE COINBASE 64 MSTORE PREVRANDAO 96 MSTORE GASLIMIT 128 MSTORE
    BASEFEE 160 MSTORE CHAINID 192 MSTORE SELFBALANCE 224 MSTORE GASPRICE 256 MSTORE ORIGIN 288 MSTORE
    1 NUMBER SUB BLOCKHASH 320 MSTORE GAS 352 MSTORE CALLVALUE 384 MSTORE COINBASE BALANCE 416 MSTORE
    CALLER 0 CALLDATALOAD 448 0 LOG2`),
  /** Uses all gas. */
  burn: assembleCode('JUMPDEST 0 JUMP'),
  /** Runs into an invalid instruction. */
  invalid: assembleCode('INVALID'),
  /** Reverts with its call data. */
  revert: assembleCode('CALLDATASIZE 0 0 CALLDATACOPY CALLDATASIZE 0 REVERT'),
  /** Returns its call data. */
  echo: assembleCode('CALLDATASIZE 0 0 CALLDATACOPY CALLDATASIZE 0 RETURN'),
} as const

/** Name of one of them. */
export type CodeName = keyof typeof CONTRACTS

/** Call data of words, and of bytes behind them. */
export function words(values: readonly (bigint | string)[], rest: Uint8Array = new Uint8Array(0)): Hex {
  const texts = values.map((value) => BigInt(value).toString(16).padStart(64, '0'))
  return `0x${texts.join('')}${toHex(rest).slice(2)}`
}
