/** Instructions about the call, the code and the block (Yellow Paper, appendix H.2, 0x30 to 0x48; EIP-4844, 7516). */

import { bytesToBigInt } from '../../../../lib/base/hex.ts'
import type { Rules } from '../../../../lib/evm/rules/rules.ts'
import type { Frame } from '../frame.ts'
import { RETURN_DATA_OUT_OF_BOUNDS } from '../halt.ts'
import type { Effect, Instructions } from '../instruction.ts'
import { instruction } from '../instruction.ts'
import type { Machine } from '../machine.ts'
import { copyGas, copyToMemory } from './memory-access.ts'

/** Number of blocks whose hashes BLOCKHASH returns. */
const HASHES = 256n

/** Pushes a value. */
const answer =
  (ask: (frame: Frame, machine: Machine) => bigint): Effect =>
  (frame, machine) =>
    frame.push(ask(frame, machine))

/** Instructions about the call. */
export const callEnvironment: Instructions = [
  instruction(0x30, 'ADDRESS', [0, 1, 2], { run: answer((frame) => BigInt(frame.address)) }),
  instruction(0x32, 'ORIGIN', [0, 1, 2], {
    run: answer((_, machine) => BigInt(machine.context.origin)),
  }),
  instruction(0x33, 'CALLER', [0, 1, 2], { run: answer((frame) => BigInt(frame.message.caller)) }),
  instruction(0x34, 'CALLVALUE', [0, 1, 2], { run: answer((frame) => frame.message.value) }),
  instruction(0x35, 'CALLDATALOAD', [1, 1, 3], {
    run: (frame) => frame.push(wordAt(frame.data, frame.pop())),
  }),
  instruction(0x36, 'CALLDATASIZE', [0, 1, 2], { run: answer((frame) => BigInt(frame.data.length)) }),
  instruction(0x37, 'CALLDATACOPY', [3, 0, 3], {
    dynamicGas: copyGas(0, 2),
    run: (frame) => copyToMemory(frame, frame.data),
  }),
  instruction(0x38, 'CODESIZE', [0, 1, 2], { run: answer((frame) => BigInt(frame.code.bytes.length)) }),
  instruction(0x39, 'CODECOPY', [3, 0, 3], {
    dynamicGas: copyGas(0, 2),
    run: (frame) => copyToMemory(frame, frame.code.bytes),
  }),
  instruction(0x3a, 'GASPRICE', [0, 1, 2], { run: answer((_, machine) => machine.context.gasPrice) }),
  instruction(0x3d, 'RETURNDATASIZE', [0, 1, 2], {
    run: answer((frame) => BigInt(frame.returnData.length)),
  }),
  instruction(0x3e, 'RETURNDATACOPY', [3, 0, 3], {
    dynamicGas: (frame, machine) => {
      if (frame.peek(1) + frame.peek(2) > frame.returnData.length) throw RETURN_DATA_OUT_OF_BOUNDS
      return copyGas(0, 2)(frame, machine)
    },
    run: (frame) => copyToMemory(frame, frame.returnData),
  }),
]

/** Instructions about the block; some results differ between networks. */
export const blockEnvironment = (rules: Rules): Instructions => [
  instruction(0x40, 'BLOCKHASH', [1, 1, 20], {
    run: (frame, machine) => frame.push(blockHash(frame.pop(), machine)),
  }),
  instruction(0x41, 'COINBASE', [0, 1, 2], {
    run: answer((_, machine) => BigInt(machine.context.block.coinbase)),
  }),
  instruction(0x42, 'TIMESTAMP', [0, 1, 2], { run: answer((_, { context }) => context.block.timestamp) }),
  instruction(0x43, 'NUMBER', [0, 1, 2], { run: answer((_, { context }) => context.block.number) }),
  rules.opcode44 === 'difficulty'
    ? instruction(0x44, 'DIFFICULTY', [0, 1, 2], {
        run: answer((_, { context }) => context.block.difficulty),
      })
    : instruction(0x44, 'PREVRANDAO', [0, 1, 2], {
        run: answer((_, { context }) => BigInt(context.block.mixHash)),
      }),
  instruction(0x45, 'GASLIMIT', [0, 1, 2], { run: answer((_, { context }) => context.block.gasLimit) }),
  instruction(0x46, 'CHAINID', [0, 1, 2], { run: answer((_, { context }) => context.block.chainId) }),
]

/** BASEFEE (EIP-3198; node-chain 9.1). */
export const baseFee = ({ baseFee: answers }: Rules) =>
  instruction(0x48, 'BASEFEE', [0, 1, 2], {
    run:
      answers === 'baseFeePerGas'
        ? answer((_, { context }) => context.block.baseFeePerGas)
        : answer((_, { context }) => context.block.minimumGasPrice),
  })

/** BLOBHASH (EIP-4844). */
export const blobHash = instruction(0x49, 'BLOBHASH', [1, 1, 3], {
  run: (frame, { context: { blobHashes } }) => {
    const index = frame.pop()
    const hash = index < blobHashes.length ? blobHashes[Number(index)] : undefined
    frame.push(hash === undefined ? 0n : BigInt(hash))
  },
})

/** BLOBBASEFEE (EIP-7516). */
export const blobBaseFee = instruction(0x4a, 'BLOBBASEFEE', [0, 1, 2], {
  run: answer((_, machine) => machine.context.blobBaseFee),
})

/** The word of data at an offset, with zeros after the end of the data. */
function wordAt(data: Uint8Array, offset: bigint): bigint {
  if (offset >= data.length) return 0n
  const bytes = data.subarray(Number(offset), Number(offset) + 32)
  const word = bytesToBigInt(bytes)
  return bytes.length === 32 ? word : word << BigInt(8 * (32 - bytes.length))
}

function blockHash(number: bigint, { context: { block } }: Machine): bigint {
  const isRecent = number < block.number && number + HASHES >= block.number
  const hash = isRecent ? block.blockHash(number) : undefined
  return hash === undefined ? 0n : BigInt(hash)
}
