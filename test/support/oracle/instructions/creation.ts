/** CREATE, CREATE2 and SELFDESTRUCT (EIP-1014, 2681, 3860, 6780; node-chain 9.4 and 9.5). */

import type { Address } from '../../../../lib/base/hex.ts'
import { EMPTY_BYTES, bigIntToBytes32 } from '../../../../lib/base/hex.ts'
import { initCodeSizeText } from '../../../../lib/evm/code-size.ts'
import type { CreateRules, Rules, SelfdestructRules } from '../../../../lib/evm/rules/rules.ts'
import { createdByNonce, createdBySalt } from '../../../../lib/evm/machine/created-address.ts'
import { addressOfWord } from '../address-of-word.ts'
import type { Frame } from '../frame.ts'
import { Halt, NONCE_OVERFLOW, STATIC_STATE_CHANGE } from '../halt.ts'
import { notifySelfDestruct } from '../hooks.ts'
import type { DynamicGas, Effect, Instructions } from '../instruction.ts'
import { instruction } from '../instruction.ts'
import { wordsOf } from '../memory.ts'
import { refusalOf } from './calls.ts'
import { expanded } from './memory-access.ts'

/** An account with this nonce cannot create contracts (EIP-2681). */
const LAST_NONCE = 2n ** 64n - 1n

/** Gas per word of init code that CREATE2 hashes. */
const HASH_WORD = 6

/** The instructions. */
export const creation = ({ create, selfdestruct }: Rules): Instructions => [
  instruction(0xf0, 'CREATE', [3, 1, create.base], {
    dynamicGas: creationGas(create.initCodeWord),
    run: createBy('create', create),
  }),
  instruction(0xf5, 'CREATE2', [4, 1, create.base], {
    dynamicGas: creationGas(create.initCodeWord + HASH_WORD),
    run: createBy('create2', create),
  }),
  instruction(0xff, 'SELFDESTRUCT', [1, 0, selfdestruct.base], {
    dynamicGas: selfdestructGas(selfdestruct),
    run: destroyBy(selfdestruct),
  }),
]

const creationGas =
  (wordGas: number): DynamicGas =>
  (frame) => {
    if (frame.message.isStatic) throw STATIC_STATE_CHANGE
    return frame.memory.expansionGas(frame.peek(1), frame.peek(2)) + wordGas * wordsOf(frame.peek(2))
  }

function createBy(kind: 'create' | 'create2', rules: CreateRules): Effect {
  return (frame, machine) => {
    const value = frame.pop()
    const offset = frame.pop()
    const length = frame.pop()
    if (length > rules.maxInitCodeSize) throw new Halt(initCodeSizeText(length, rules.maxInitCodeSize))
    const span = expanded(frame, offset, length)
    const salt = kind === 'create2' ? bigIntToBytes32(frame.pop()) : undefined
    const data = frame.memory.view(span.offset, span.length)
    frame.returnData = EMPTY_BYTES
    const nonce = machine.accounts.get(frame.address)?.nonce ?? 0n
    const address =
      salt === undefined ? createdByNonce(frame.address, nonce) : createdBySalt(frame.address, salt, data)
    const gas = machine.rules.call.reserves64th ? frame.gas - Math.floor(frame.gas / 64) : frame.gas
    frame.gas -= gas
    const input = { ...partiesOf(kind, frame, address), value, gas, data }
    const refusal = refusalOf(frame, machine, value) ?? (nonce >= LAST_NONCE ? NONCE_OVERFLOW : undefined)
    if (refusal !== undefined) return machine.refuse(input, refusal, frame)
    machine.accounts.setNonce(frame.address, nonce + 1n)
    machine.substate.touch(frame.address)
    machine.enter(input)
  }
}

function partiesOf(kind: 'create' | 'create2', frame: Frame, address: Address) {
  return {
    kind,
    depth: frame.message.depth + 1,
    from: frame.address,
    caller: frame.address,
    address,
    codeAddress: address,
    isStatic: false,
    parent: frame,
    output: { offset: 0, length: 0 },
  }
}

const selfdestructGas =
  (rules: SelfdestructRules): DynamicGas =>
  (frame, machine) => {
    if (frame.message.isStatic) throw STATIC_STATE_CHANGE
    const {
      accounts,
      rules: { access },
      substate,
    } = machine
    const beneficiary = addressOfWord(frame.peek(0))
    const isNew =
      rules.newAccountCharge === 'missing'
        ? accounts.get(beneficiary) === undefined
        : accounts.balance(frame.address) > 0n && accounts.isEmpty(beneficiary)
    // Here a warm account costs nothing (EIP-2929).
    const isCold = access.kind === 'warm-cold' && substate.warm(beneficiary)
    return (isNew ? rules.newAccount : 0) + (isCold ? access.coldAccount : 0)
  }

function destroyBy(rules: SelfdestructRules): Effect {
  return (frame, machine) => {
    const { accounts, substate } = machine
    const beneficiary = addressOfWord(frame.pop())
    accounts.access(beneficiary)
    const { address } = frame
    const balance = accounts.balance(address)
    const isDeleted = !rules.onlyCreated || substate.created.has(address)
    if (isDeleted) substate.destroy(address)
    if (beneficiary !== address) machine.send(address, beneficiary, balance)
    else if (isDeleted) accounts.setBalance(address, 0n)
    const told = { depth: frame.message.depth + 1, from: address, to: beneficiary, value: balance }
    notifySelfDestruct(machine.context.observer, told)
    machine.end(frame, 'success', EMPTY_BYTES)
  }
}
