/**
 * Instructions that read accounts and the hashes of blocks and blobs. Gas and results differ between networks (EIP-1052, 1884,
 * 2929, 4844; node-chain 9.2).
 */

import type { Address, Hash } from '../../../base/hex.ts'
import { MAX_UINT256 } from '../../../base/limits.ts'
import { EMPTY_CODE_HASH } from '../../../state/account.ts'
import type { BlockContext } from '../../block-context.ts'
import type { Rules } from '../../rules.ts'
import type { Execution } from '../execution.ts'
import type { Frame } from '../frame.ts'
import { instruction, type Instructions, type RequestHandler } from '../instruction.ts'

/** Size of a precompile's code on network 33 (IP-90). */
const PRECOMPILE_CODE_SIZE = MAX_UINT256

type AccountProperty = (execution: Execution, address: Address) => bigint

const balance: AccountProperty = (execution, address) => execution.balance(address)

const codeSize: AccountProperty = (execution, address) => BigInt(execution.code(address).length)

/** The code hash: zero for an absent account (EIP-1052), and for an empty one where empty accounts are cleared. */
const codeHash: AccountProperty = (execution, address) => {
  const fields = execution.account(address)
  if (fields === undefined) return 0n
  return execution.rules.emptyAccounts === 'cleared' && execution.isEmpty(address)
    ? 0n
    : BigInt(fields.codeHash)
}

/** A property with a fixed value for all precompiles. */
const exceptPrecompiles =
  (answer: bigint, property: AccountProperty): AccountProperty =>
  (execution, address) =>
    execution.precompile(address) !== undefined ? answer : property(execution, address)

/** Loads the account whose address is on the stack, with a number of words above it. */
export const accountIn =
  (below: number) =>
  (frame: Frame, execution: Execution): void => {
    execution.account(frame.addressIn(below))
  }

/** Replaces the address on the stack by a property of its account. */
const readProperty =
  (property: AccountProperty): RequestHandler['run'] =>
  (frame, execution) => {
    const address = frame.addressIn(0)
    execution.access(address)
    execution.noteAccess(address)
    frame.replace(property(execution, address))
    return undefined
  }

/** Dynamic gas of an access to an account, which is then warm (EIP-2929); zero where an access has a fixed cost. */
export function accountGas({ rules: { access }, substate }: Execution, address: Address): number {
  if (access.kind === 'flat') return 0
  return substate.warm(address) ? access.coldAccount : access.warm
}

const topmostGas = (frame: Frame, execution: Execution): number => accountGas(execution, frame.addressIn(0))

/** Gas per word that is copied. */
const COPY_WORD = 3

/** EXTCODECOPY takes address, destination, source offset and length. */
function copyGas(frame: Frame, execution: Execution): number {
  const length = frame.number(3)
  const growth = frame.memoryGas(frame.number(1), length)
  return growth + COPY_WORD * Math.ceil(length / 32) + topmostGas(frame, execution)
}

function copyCode(frame: Frame, execution: Execution): undefined {
  const address = frame.addressIn(0)
  execution.access(address)
  execution.noteAccess(address)
  frame.copy(execution.code(address), frame.number(2), frame.expand(frame.number(1), frame.number(3)))
  frame.drop(4)
}

export function accountAccess({ access, precompileRules }: Rules): Instructions {
  const isFlat = access.kind === 'flat'
  const prepare = accountIn(0)
  const shared = isFlat ? { prepare } : { prepare, dynamicGas: topmostGas }
  const size = precompileRules.looksLikeContract
    ? exceptPrecompiles(PRECOMPILE_CODE_SIZE, codeSize)
    : codeSize
  const hash = precompileRules.looksLikeContract
    ? exceptPrecompiles(BigInt(EMPTY_CODE_HASH), codeHash)
    : codeHash
  return [
    instruction(0x31, 'BALANCE', [1, 1, isFlat ? access.balance : 0], {
      ...shared,
      run: readProperty(balance),
    }),
    instruction(0x3b, 'EXTCODESIZE', [1, 1, isFlat ? access.codeSize : 0], {
      ...shared,
      run: readProperty(size),
    }),
    instruction(0x3c, 'EXTCODECOPY', [4, 0, isFlat ? access.codeCopy : 0], {
      prepare,
      dynamicGas: copyGas,
      run: copyCode,
    }),
    instruction(0x3f, 'EXTCODEHASH', [1, 1, isFlat ? access.codeHash : 0], {
      ...shared,
      run: readProperty(hash),
    }),
    instruction(0x47, 'SELFBALANCE', [0, 1, 5], {
      run: (frame, execution) => {
        frame.push(execution.balance(frame.address))
        return undefined
      },
    }),
  ]
}

/** Number of recent blocks whose hashes BLOCKHASH returns. */
const RECENT_BLOCKS = 256n

/** BLOCKHASH; zero for a block that is not recent. */
export const blockHash = instruction(0x40, 'BLOCKHASH', [1, 1, 20], {
  prepare: (frame, { block }) => {
    recentHash(block, frame.word(0))
  },
  run: (frame, { block }) => {
    frame.replace(BigInt(recentHash(block, frame.word(0)) ?? 0))
    return undefined
  },
})

function recentHash(block: BlockContext, number: bigint): Hash | undefined {
  const isRecent = number < block.number && number + RECENT_BLOCKS >= block.number
  return isRecent ? block.blockHash(number) : undefined
}

/** BLOBHASH; zero beyond the transaction's blobs. */
export const blobHash = instruction(0x49, 'BLOBHASH', [1, 1, 3], {
  run: (frame, { transaction }) => {
    frame.replace(BigInt(transaction.blobHashes[frame.number(0)] ?? 0))
    return undefined
  },
})
