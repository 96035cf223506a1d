/**
 * The instructions that the core performs (Yellow Paper, appendix H.2): names, words on the stack, and constant gas. Their
 * dynamic gas is in assembly/gas.ts.
 */

import type { Rules } from '../../rules.ts'
import type { Instructions } from '../instruction.ts'
import { instruction } from '../instruction.ts'

const upTo = (last: number): readonly number[] => Array.from({ length: last }, (_, index) => index + 1)

/** Arithmetic, comparisons, bits and KECCAK256. */
const computing: Instructions = [
  instruction(0x01, 'ADD', [2, 1, 3]),
  instruction(0x02, 'MUL', [2, 1, 5]),
  instruction(0x03, 'SUB', [2, 1, 3]),
  instruction(0x04, 'DIV', [2, 1, 5]),
  instruction(0x05, 'SDIV', [2, 1, 5]),
  instruction(0x06, 'MOD', [2, 1, 5]),
  instruction(0x07, 'SMOD', [2, 1, 5]),
  instruction(0x08, 'ADDMOD', [3, 1, 8]),
  instruction(0x09, 'MULMOD', [3, 1, 8]),
  instruction(0x0a, 'EXP', [2, 1, 10]),
  instruction(0x0b, 'SIGNEXTEND', [2, 1, 5]),
  instruction(0x10, 'LT', [2, 1, 3]),
  instruction(0x11, 'GT', [2, 1, 3]),
  instruction(0x12, 'SLT', [2, 1, 3]),
  instruction(0x13, 'SGT', [2, 1, 3]),
  instruction(0x14, 'EQ', [2, 1, 3]),
  instruction(0x15, 'ISZERO', [1, 1, 3]),
  instruction(0x16, 'AND', [2, 1, 3]),
  instruction(0x17, 'OR', [2, 1, 3]),
  instruction(0x18, 'XOR', [2, 1, 3]),
  instruction(0x19, 'NOT', [1, 1, 3]),
  instruction(0x1a, 'BYTE', [2, 1, 3]),
  instruction(0x1b, 'SHL', [2, 1, 3]),
  instruction(0x1c, 'SHR', [2, 1, 3]),
  instruction(0x1d, 'SAR', [2, 1, 3]),
  instruction(0x20, 'KECCAK256', [2, 1, 30]),
]

/** Instructions about the call, the code and the block. */
const environment: Instructions = [
  instruction(0x30, 'ADDRESS', [0, 1, 2]),
  instruction(0x32, 'ORIGIN', [0, 1, 2]),
  instruction(0x33, 'CALLER', [0, 1, 2]),
  instruction(0x34, 'CALLVALUE', [0, 1, 2]),
  instruction(0x35, 'CALLDATALOAD', [1, 1, 3]),
  instruction(0x36, 'CALLDATASIZE', [0, 1, 2]),
  instruction(0x37, 'CALLDATACOPY', [3, 0, 3]),
  instruction(0x38, 'CODESIZE', [0, 1, 2]),
  instruction(0x39, 'CODECOPY', [3, 0, 3]),
  instruction(0x3a, 'GASPRICE', [0, 1, 2]),
  instruction(0x3d, 'RETURNDATASIZE', [0, 1, 2]),
  instruction(0x3e, 'RETURNDATACOPY', [3, 0, 3]),
  instruction(0x41, 'COINBASE', [0, 1, 2]),
  instruction(0x42, 'TIMESTAMP', [0, 1, 2]),
  instruction(0x43, 'NUMBER', [0, 1, 2]),
  instruction(0x45, 'GASLIMIT', [0, 1, 2]),
  instruction(0x46, 'CHAINID', [0, 1, 2]),
]

/** Stack, memory, jumps, logs, and the instructions that end a frame. */
const flow: Instructions = [
  instruction(0x00, 'STOP', [0, 0, 0]),
  instruction(0x50, 'POP', [1, 0, 2]),
  instruction(0x51, 'MLOAD', [1, 1, 3]),
  instruction(0x52, 'MSTORE', [2, 0, 3]),
  instruction(0x53, 'MSTORE8', [2, 0, 3]),
  instruction(0x56, 'JUMP', [1, 0, 8]),
  instruction(0x57, 'JUMPI', [2, 0, 10]),
  instruction(0x58, 'PC', [0, 1, 2]),
  instruction(0x59, 'MSIZE', [0, 1, 2]),
  instruction(0x5a, 'GAS', [0, 1, 2]),
  instruction(0x5b, 'JUMPDEST', [0, 0, 1]),
  ...upTo(32).map((length) => instruction(0x5f + length, `PUSH${length}`, [0, 1, 3])),
  ...upTo(16).map((depth) => instruction(0x7f + depth, `DUP${depth}`, [depth, depth + 1, 3])),
  ...upTo(16).map((depth) => instruction(0x8f + depth, `SWAP${depth}`, [depth + 1, depth + 1, 3])),
  ...[0, 1, 2, 3, 4].map((topics) =>
    instruction(0xa0 + topics, `LOG${topics}`, [2 + topics, 0, 375 + 375 * topics]),
  ),
  instruction(0xf3, 'RETURN', [2, 0, 0]),
  instruction(0xfd, 'REVERT', [2, 0, 0]),
  instruction(0xfe, 'INVALID', [0, 0, 0]),
]

/** Instructions of every network. The gas of SLOAD and the name of 0x44 differ (EIP-4399). */
export const coreInstructions = ({ access, opcode44 }: Rules): Instructions => [
  ...computing,
  ...environment,
  ...flow,
  instruction(0x44, opcode44 === 'difficulty' ? 'DIFFICULTY' : 'PREVRANDAO', [0, 1, 2]),
  instruction(0x54, 'SLOAD', [1, 1, access.kind === 'flat' ? access.slot : 0]),
  instruction(0x55, 'SSTORE', [2, 0, 0]),
]

/** Instructions that only some networks have (EIP-3198, 3855, 1153, 5656, 7516, 7939). */
export const optionalCoreInstructions: Instructions = [
  instruction(0x1e, 'CLZ', [1, 1, 5]),
  instruction(0x48, 'BASEFEE', [0, 1, 2]),
  instruction(0x4a, 'BLOBBASEFEE', [0, 1, 2]),
  instruction(0x5c, 'TLOAD', [1, 1, 100]),
  instruction(0x5d, 'TSTORE', [2, 0, 100]),
  instruction(0x5e, 'MCOPY', [3, 0, 3]),
  instruction(0x5f, 'PUSH0', [0, 1, 2]),
]
