/** The instructions of the core (Yellow Paper, appendix H.2): names, words, constant gas. assembly/gas.ts has the dynamic gas. */

import type { Rules } from '../../rules.ts'
import { instruction, type Instructions, type Shape } from '../instruction.ts'

/** Instructions with equal stack effects and gas, by opcode. */
const alike = (shape: Shape, opcodes: Readonly<Record<string, number>>): Instructions =>
  Object.entries(opcodes).map(([name, opcode]) => instruction(opcode, name, shape))

const upTo = (last: number): readonly number[] => Array.from({ length: last }, (_, index) => index + 1)

/** Arithmetic, comparisons, bits and KECCAK256. */
const computing: Instructions = [
  ...alike([2, 1, 3], { ADD: 0x01, SUB: 0x03, LT: 0x10, GT: 0x11, SLT: 0x12, SGT: 0x13, EQ: 0x14 }),
  ...alike([2, 1, 3], { AND: 0x16, OR: 0x17, XOR: 0x18, BYTE: 0x1a, SHL: 0x1b, SHR: 0x1c, SAR: 0x1d }),
  ...alike([1, 1, 3], { ISZERO: 0x15, NOT: 0x19 }),
  ...alike([2, 1, 5], { MUL: 0x02, DIV: 0x04, SDIV: 0x05, MOD: 0x06, SMOD: 0x07, SIGNEXTEND: 0x0b }),
  ...alike([3, 1, 8], { ADDMOD: 0x08, MULMOD: 0x09 }),
  instruction(0x0a, 'EXP', [2, 1, 10]),
  instruction(0x20, 'KECCAK256', [2, 1, 30]),
]

/** Instructions about the call, the code and the block. */
const environment: Instructions = [
  ...alike([0, 1, 2], { ADDRESS: 0x30, ORIGIN: 0x32, CALLER: 0x33, CALLVALUE: 0x34, CALLDATASIZE: 0x36 }),
  ...alike([0, 1, 2], { CODESIZE: 0x38, GASPRICE: 0x3a, RETURNDATASIZE: 0x3d, COINBASE: 0x41 }),
  ...alike([0, 1, 2], { TIMESTAMP: 0x42, NUMBER: 0x43, GASLIMIT: 0x45, CHAINID: 0x46 }),
  ...alike([3, 0, 3], { CALLDATACOPY: 0x37, CODECOPY: 0x39, RETURNDATACOPY: 0x3e }),
  instruction(0x35, 'CALLDATALOAD', [1, 1, 3]),
]

const flow: Instructions = [
  ...alike([0, 0, 0], { STOP: 0x00, INVALID: 0xfe }),
  ...alike([2, 0, 0], { RETURN: 0xf3, REVERT: 0xfd }),
  ...alike([0, 1, 2], { PC: 0x58, MSIZE: 0x59, GAS: 0x5a }),
  ...alike([2, 0, 3], { MSTORE: 0x52, MSTORE8: 0x53 }),
  instruction(0x50, 'POP', [1, 0, 2]),
  instruction(0x51, 'MLOAD', [1, 1, 3]),
  instruction(0x56, 'JUMP', [1, 0, 8]),
  instruction(0x57, 'JUMPI', [2, 0, 10]),
  instruction(0x5b, 'JUMPDEST', [0, 0, 1]),
  ...upTo(32).map((length) => instruction(0x5f + length, `PUSH${length}`, [0, 1, 3])),
  ...upTo(16).map((depth) => instruction(0x7f + depth, `DUP${depth}`, [depth, depth + 1, 3])),
  ...upTo(16).map((depth) => instruction(0x8f + depth, `SWAP${depth}`, [depth + 1, depth + 1, 3])),
  ...[0, 1, 2, 3, 4].map((topics) =>
    instruction(0xa0 + topics, `LOG${topics}`, [2 + topics, 0, 375 + 375 * topics]),
  ),
]

/** Instructions of every network. Only the gas of SLOAD and the name of 0x44 differ (EIP-4399). */
export const coreInstructions = ({ access, opcode44 }: Rules): Instructions => [
  ...computing,
  ...environment,
  ...flow,
  instruction(0x44, opcode44 === 'difficulty' ? 'DIFFICULTY' : 'PREVRANDAO', [0, 1, 2]),
  instruction(0x54, 'SLOAD', [1, 1, access.kind === 'flat' ? access.slot : 0]),
  instruction(0x55, 'SSTORE', [2, 0, 0]),
]

/** Instructions that only some networks have (EIP-3198, 3855, 1153, 5656, 7516, 7843, 7939). */
export const optionalCoreInstructions: Instructions = [
  instruction(0x1e, 'CLZ', [1, 1, 5]),
  ...alike([0, 1, 2], { BASEFEE: 0x48, BLOBBASEFEE: 0x4a, SLOTNUM: 0x4b, PUSH0: 0x5f }),
  instruction(0x5c, 'TLOAD', [1, 1, 100]),
  instruction(0x5d, 'TSTORE', [2, 0, 100]),
  instruction(0x5e, 'MCOPY', [3, 0, 3]),
]
