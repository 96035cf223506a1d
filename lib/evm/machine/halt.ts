/** Exceptions that end a frame and consume its gas. They are created once: a stack trace would take longer than the frame. */

import { present } from '../../base/invariant.ts'

/** An exceptional halt of a frame; the message is its name in outcomes and traces. */
export class Halt extends Error {
  override readonly name = 'Halt'
}

export const OUT_OF_GAS = new Halt('out of gas')
export const STATIC_STATE_CHANGE = new Halt('static state change')
export const CREATE_COLLISION = new Halt('create collision')
export const CODE_BEGINS_WITH_EF = new Halt('invalid bytecode deployed')
export const VALUE_OVERFLOW = new Halt('value overflow')

/**
 * Exceptions of calls and creations that cannot begin (depth, balance, nonce). The instruction then pushes zero, and the
 * caller keeps the gas.
 */
export const CALL_TOO_DEEP = new Halt('max call depth exceeded')
export const INSUFFICIENT_BALANCE = new Halt('insufficient balance')
export const NONCE_OVERFLOW = new Halt('nonce uint64 overflow')

/** Exceptions by the result of the core, which is a negative number (layout.ts). */
const OF_CORE: readonly (Halt | undefined)[] = [
  undefined,
  OUT_OF_GAS,
  new Halt('stack underflow'),
  new Halt('stack overflow'),
  new Halt('invalid opcode'),
  new Halt('invalid JUMP'),
  STATIC_STATE_CHANGE,
  new Halt('return data out of bounds'),
]

/** The exception for a negative result of the core. */
export const haltOfCore = (result: number): Halt => present(OF_CORE[-result], `exception ${result}`)
