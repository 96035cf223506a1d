/** Exceptions that end a frame and take its gas. They are made once: a trace of the stack would cost more than the frame. */

import { present } from '../../base/invariant.ts'

/** A frame runs into an exception; the message is its name in outcomes and traces. */
export class Halt extends Error {
  override readonly name = 'Halt'
}

export const OUT_OF_GAS = new Halt('out of gas')
export const STATIC_STATE_CHANGE = new Halt('static state change')
export const CREATE_COLLISION = new Halt('create collision')
export const CODE_BEGINS_WITH_EF = new Halt('invalid bytecode deployed')
export const VALUE_OVERFLOW = new Halt('value overflow')

/** A call or a creation is refused with one of these: its caller goes on with a zero, and keeps the gas. */
export const CALL_TOO_DEEP = new Halt('max call depth exceeded')
export const INSUFFICIENT_BALANCE = new Halt('insufficient balance')
export const NONCE_OVERFLOW = new Halt('nonce uint64 overflow')

/** Those of the core, by the negative of its answer (layout.ts). */
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

/** The exception that a negative answer of the core means. */
export const haltOfCore = (answer: number): Halt => present(OF_CORE[-answer], `exception ${answer}`)
