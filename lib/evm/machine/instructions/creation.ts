/** CREATE, CREATE2 and SELFDESTRUCT (EIP-1014, 2681, 3860, 6780; node-chain 9.4 and 9.5). */

import type { Address } from '../../../base/hex.ts'
import { EMPTY_BYTES, bigIntToBytes32 } from '../../../base/hex.ts'
import { initCodeSizeText } from '../../code-size.ts'
import type { CreateRules, Rules, SelfdestructRules } from '../../rules/rules.ts'
import { MAX_NONCE } from '../../transaction-bounds.ts'
import { send } from '../accounts.ts'
import { createdByNonce, createdBySalt } from '../created-address.ts'
import type { Frame } from '../frame.ts'
import { Halt, NONCE_OVERFLOW, STATIC_STATE_CHANGE } from '../halt.ts'
import { notifySelfDestruct } from '../hooks.ts'
import type { DynamicGas, Effect, Instructions } from '../instruction.ts'
import { instruction } from '../instruction.ts'
import { accountIn } from './account-access.ts'
import { refusalOf } from './calls.ts'

/** Gas of CREATE2 for hashing a word of the init code (EIP-1014). */
const GAS_PER_HASHED_WORD = 6

/** The instructions. */
export const creation = ({ create, selfdestruct }: Rules): Instructions => [
  instruction(0xf0, 'CREATE', [3, 1, create.base], {
    dynamicGas: creationGas(create.initCodeWord),
    run: createBy('create', create),
  }),
  instruction(0xf5, 'CREATE2', [4, 1, create.base], {
    dynamicGas: creationGas(create.initCodeWord + GAS_PER_HASHED_WORD),
    run: createBy('create2', create),
  }),
  instruction(0xff, 'SELFDESTRUCT', [1, 0, selfdestruct.base], {
    prepare: accountIn(0),
    dynamicGas: selfdestructGas(selfdestruct),
    run: destroyBy(selfdestruct),
  }),
]

const creationGas =
  (wordGas: number): DynamicGas =>
  (frame) => {
    if (frame.message.isStatic) throw STATIC_STATE_CHANGE
    const length = frame.number(2)
    return frame.memoryGas(frame.number(1), length) + wordGas * Math.ceil(length / 32)
  }

function createBy(kind: 'create' | 'create2', rules: CreateRules): Effect {
  return (frame, machine) => {
    const value = frame.word(0)
    const length = frame.number(2)
    if (length > rules.maxInitCodeSize) throw new Halt(initCodeSizeText(length, rules.maxInitCodeSize))
    const span = frame.expand(frame.number(1), length)
    const salt = kind === 'create2' ? bigIntToBytes32(frame.word(3)) : undefined
    frame.drop(salt === undefined ? 3 : 4)
    const data = frame.view(span.offset, span.length)
    machine.storage.dependOnGas()
    frame.setReturnData(EMPTY_BYTES)
    const nonce = machine.accounts.get(frame.address)?.nonce ?? 0n
    const address =
      salt === undefined ? createdByNonce(frame.address, nonce) : createdBySalt(frame.address, salt, data)
    const gas = machine.rules.call.reserves64th ? frame.gas - Math.floor(frame.gas / 64) : frame.gas
    frame.gas -= gas
    const input = { ...frameFields(kind, frame, address), value, gas, data }
    const refusal = refusalOf(frame, machine, value) ?? (nonce > MAX_NONCE ? NONCE_OVERFLOW : undefined)
    if (refusal !== undefined) return machine.refuse(input, refusal, frame)
    machine.accounts.setNonce(frame.address, nonce + 1n)
    machine.substate.touch(frame.address)
    machine.enter(input)
  }
}

function frameFields(kind: 'create' | 'create2', frame: Frame, address: Address) {
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
    const beneficiary = frame.addressIn(0)
    const isNew =
      rules.newAccountCharge === 'missing'
        ? accounts.get(beneficiary) === undefined
        : accounts.balance(frame.address) > 0n && accounts.isEmpty(beneficiary)
    // Unlike for other instructions, a warm account costs nothing (EIP-2929).
    const isCold = access.kind === 'warm-cold' && substate.warm(beneficiary)
    return (isNew ? rules.newAccount : 0) + (isCold ? access.coldAccount : 0)
  }

function destroyBy(rules: SelfdestructRules): Effect {
  return (frame, machine) => {
    const { accounts, substate } = machine
    const beneficiary = frame.addressIn(0)
    accounts.access(beneficiary)
    const { address } = frame
    const balance = accounts.balance(address)
    const isDeleted = !rules.onlyCreated || substate.isCreated(address)
    if (isDeleted) substate.destroy(address)
    if (beneficiary !== address) send(machine, { from: address, to: beneficiary, value: balance })
    else if (isDeleted) accounts.setBalance(address, 0n)
    const selfDestruct = { depth: frame.message.depth + 1, from: address, to: beneficiary, value: balance }
    notifySelfDestruct(machine.context.observer, selfDestruct)
    machine.end(frame, 'success', EMPTY_BYTES)
  }
}
