/** Instructions that read accounts; cost and results differ between networks (EIP-1052, 1884, 2929; node-chain 9.2). */

import type { Address } from '../../../../lib/base/hex.ts'
import { EMPTY_CODE_HASH } from '../../../../lib/state/account.ts'
import type { Rules } from '../../../../lib/evm/rules/rules.ts'
import { addressOfWord } from '../address-of-word.ts'
import type { DynamicGas, Effect, Instructions } from '../instruction.ts'
import { instruction } from '../instruction.ts'
import type { Machine } from '../machine.ts'
import { copyGas, copyToMemory } from './memory-access.ts'

/** The code size of a precompile on network 33 (IP-90). */
const PRECOMPILE_CODE_SIZE = 2n ** 256n - 1n

/** Reads a value of an account. */
type Question = (machine: Machine, address: Address) => bigint

const balance: Question = ({ accounts }, address) => accounts.balance(address)

const codeSize: Question = ({ accounts }, address) => BigInt(accounts.code(address).length)

/** Zero for an absent account (EIP-1052), and for an empty one where empty accounts are cleared. */
const codeHash: Question = ({ accounts, rules }, address) => {
  const fields = accounts.get(address)
  if (fields === undefined) return 0n
  return rules.emptyAccounts === 'cleared' && accounts.isEmpty(address) ? 0n : BigInt(fields.codeHash)
}

/** Returns the same value for all precompiles. */
const exceptPrecompiles =
  (answer: bigint, question: Question): Question =>
  (machine, address) =>
    machine.rules.precompiles.has(address) ? answer : question(machine, address)

/** Reads a value of the account whose address is the topmost word. */
const ask =
  (question: Question): Effect =>
  (frame, machine) => {
    const address = addressOfWord(frame.pop())
    machine.accounts.access(address)
    frame.push(question(machine, address))
  }

/** The dynamic cost of reading an account. */
export function accountGas({ rules: { access }, substate }: Machine, address: Address): number {
  if (access.kind === 'flat') return 0
  return substate.warm(address) ? access.coldAccount : access.warm
}

const topmostGas: DynamicGas = (frame, machine) => accountGas(machine, addressOfWord(frame.peek(0)))

/** The instructions. */
export function accountAccess({ access, precompileRules }: Rules): Instructions {
  const isFlat = access.kind === 'flat'
  const dynamicGas = isFlat ? {} : { dynamicGas: topmostGas }
  const size = precompileRules.looksLikeContract
    ? exceptPrecompiles(PRECOMPILE_CODE_SIZE, codeSize)
    : codeSize
  const hash = precompileRules.looksLikeContract
    ? exceptPrecompiles(BigInt(EMPTY_CODE_HASH), codeHash)
    : codeHash
  const copyCodeGas = copyGas(1, 3)
  return [
    instruction(0x31, 'BALANCE', [1, 1, isFlat ? access.balance : 0], { ...dynamicGas, run: ask(balance) }),
    instruction(0x3b, 'EXTCODESIZE', [1, 1, isFlat ? access.codeSize : 0], {
      ...dynamicGas,
      run: ask(size),
    }),
    instruction(0x3c, 'EXTCODECOPY', [4, 0, isFlat ? access.codeCopy : 0], {
      dynamicGas: (frame, machine) => copyCodeGas(frame, machine) + topmostGas(frame, machine),
      run: (frame, { accounts }) => {
        const address = addressOfWord(frame.pop())
        accounts.access(address)
        copyToMemory(frame, accounts.code(address))
      },
    }),
    instruction(0x3f, 'EXTCODEHASH', [1, 1, isFlat ? access.codeHash : 0], {
      ...dynamicGas,
      run: ask(hash),
    }),
    instruction(0x47, 'SELFBALANCE', [0, 1, 5], {
      run: (frame, machine) => frame.push(balance(machine, frame.address)),
    }),
  ]
}
