/** CREATE, CREATE2 and SELFDESTRUCT (EIP-1014, 2681, 3860, 6780; node-chain 9.4 and 9.5). */

import { bigIntToBytes32, bigIntToBytes, fromHex, addressIn, type Address } from '../../../base/hex.ts'
import { encodeRlpInPlace } from '../../../base/rlp.ts'
import type { StateGas } from '../../../config/eip-changes.ts'
import { keccak256 } from '../../../crypto/keccak.ts'
import { burnLog } from '../../outcome.ts'
import type { CreateRules, Rules, SelfdestructRules } from '../../rules.ts'
import { initCodeSizeText, MAX_NONCE } from '../../transaction-gas.ts'
import type { Execution } from '../execution.ts'
import { NO_SPAN, Halt, NONCE_OVERFLOW, STATIC_STATE_CHANGE, type FrameInput } from '../frame-input.ts'
import { notifySelfDestruct } from '../hooks.ts'
import { instruction, type DynamicGas, type Instructions, type RequestHandler } from '../instruction.ts'
import { accountIn } from './reads.ts'
import { refusalOf } from './calls.ts'

const GAS_PER_HASHED_WORD = 6

export const creation = ({ create, selfdestruct, stateGas }: Rules): Instructions => [
  instruction(0xf0, 'CREATE', [3, 1, create.base], {
    dynamicGas: creationGas(create.initCodeWord, create, stateGas),
    run: createBy('create', create),
  }),
  instruction(0xf5, 'CREATE2', [4, 1, create.base], {
    dynamicGas: creationGas(create.initCodeWord + GAS_PER_HASHED_WORD, create, stateGas),
    run: createBy('create2', create),
  }),
  instruction(0xff, 'SELFDESTRUCT', [1, 0, selfdestruct.base], {
    prepare: accountIn(0),
    dynamicGas: selfdestructGas(selfdestruct, stateGas),
    run: destroyBy(selfdestruct),
  }),
]

const creationGas =
  (wordGas: number, { maxInitCodeSize }: CreateRules, stateGas: StateGas | undefined): DynamicGas =>
  (frame, execution) => {
    if (frame.message.isStatic) throw STATIC_STATE_CHANGE
    const length = frame.number(2)
    const gas = frame.memoryGas(frame.number(1), length) + wordGas * Math.ceil(length / 32)
    if (stateGas === undefined || length > maxInitCodeSize) return gas
    return gas + execution.stateGas.plan(frame, stateGas.account)
  }

function createBy(kind: 'create' | 'create2', rules: CreateRules): RequestHandler['run'] {
  return (frame, execution): FrameInput => {
    const value = frame.word(0)
    const length = frame.number(2)
    if (length > rules.maxInitCodeSize) throw new Halt(initCodeSizeText(length, rules.maxInitCodeSize))
    const span = frame.expand(frame.number(1), length)
    const salt = kind === 'create2' ? bigIntToBytes32(frame.word(3)) : undefined
    frame.drop(salt === undefined ? 3 : 4)
    const data = frame.view(span.offset, span.length)
    execution.storage.dependOnGas()
    const { address: from, gas: left } = frame
    const nonce = execution.account(from)?.nonce ?? 0n
    const address = salt === undefined ? createdByNonce(from, nonce) : createdBySalt(from, salt, data)
    const gas = execution.rules.call.reserves64th ? left - Math.floor(left / 64) : left
    frame.gas = left - gas
    const refusal = refusalOf(frame, execution, value) ?? (nonce > MAX_NONCE ? NONCE_OVERFLOW : undefined)
    if (refusal === undefined) {
      execution.setNonce(from, nonce + 1n)
      execution.substate.touch(from)
    }
    return {
      kind,
      depth: frame.message.depth + 1,
      from,
      caller: from,
      address,
      codeAddress: address,
      value,
      gas,
      data,
      isStatic: false,
      output: NO_SPAN,
      refusal,
    }
  }
}

const selfdestructGas =
  (rules: SelfdestructRules, stateGas: StateGas | undefined): DynamicGas =>
  (frame, execution) => {
    if (frame.message.isStatic) throw STATIC_STATE_CHANGE
    const { access } = execution.rules
    const beneficiary = frame.addressIn(0)
    const isNew =
      rules.newAccountCharge === 'missing'
        ? execution.account(beneficiary) === undefined
        : execution.balance(frame.address) > 0n && execution.isEmpty(beneficiary)
    // Unlike for other instructions, a warm account costs nothing (EIP-2929).
    const isCold = access.kind === 'warm-cold' && execution.substate.warm(beneficiary)
    const gas = isCold ? access.coldAccount : 0
    if (rules.base + gas <= frame.gas) execution.noteAccess(beneficiary)
    if (!isNew) return gas
    return (
      gas + rules.newAccount + (stateGas === undefined ? 0 : execution.stateGas.plan(frame, stateGas.account))
    )
  }

/** Removes the balance of a contract that is its own beneficiary. */
function burn(execution: Execution, address: Address, value: bigint): void {
  execution.setBalance(address, 0n)
  if (execution.rules.transferLogs && value > 0n) execution.log(burnLog(address, value))
}

function destroyBy(rules: SelfdestructRules): RequestHandler['run'] {
  return (frame, execution) => {
    const { substate } = execution
    const beneficiary = frame.addressIn(0)
    execution.access(beneficiary)
    const { address } = frame
    const value = execution.balance(address)
    const isDeleted = !rules.onlyCreated || substate.isCreated(address)
    if (isDeleted) substate.destroy(address)
    if (beneficiary !== address) execution.transfer(address, beneficiary, value)
    else if (isDeleted) burn(execution, address, value)
    notifySelfDestruct(execution.observer, {
      depth: frame.message.depth + 1,
      from: address,
      to: beneficiary,
      value,
    })
    return 'destroyed'
  }
}

/** First byte of the data that CREATE2 hashes (EIP-1014). */
const SALTED = 0xff

/** Address of a contract that CREATE or a transaction creates, from the nonce of the creator before the creation. */
export const createdByNonce = (creator: Address, nonce: bigint): Address =>
  addressIn(keccak256(encodeRlpInPlace([fromHex(creator), bigIntToBytes(nonce)])))

/** Address of a contract that CREATE2 creates, from init code and 32 bytes of salt. */
export function createdBySalt(creator: Address, salt: Uint8Array, initCode: Uint8Array): Address {
  const bytes = new Uint8Array(85)
  bytes[0] = SALTED
  bytes.set(fromHex(creator), 1)
  bytes.set(salt, 21)
  bytes.set(keccak256(initCode), 53)
  return addressIn(keccak256(bytes))
}
