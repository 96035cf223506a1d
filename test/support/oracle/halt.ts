/** Exceptions that end a frame and take its gas. They are made once: a trace of the stack would cost more than the frame. */

/** A frame runs into an exception; the message is its name in outcomes and traces. */
export class Halt extends Error {
  override readonly name = 'Halt'
}

/** Maximum number of words on a stack (Yellow Paper, 9.1). */
export const MAX_HEIGHT = 1024

export const OUT_OF_GAS = new Halt('out of gas')
export const STACK_UNDERFLOW = new Halt('stack underflow')
export const STACK_OVERFLOW = new Halt('stack overflow')
export const INVALID_OPCODE = new Halt('invalid opcode')
export const INVALID_JUMP = new Halt('invalid JUMP')
export const STATIC_STATE_CHANGE = new Halt('static state change')
export const CREATE_COLLISION = new Halt('create collision')
export const CODE_BEGINS_WITH_EF = new Halt('invalid bytecode deployed')
export const RETURN_DATA_OUT_OF_BOUNDS = new Halt('return data out of bounds')
export const VALUE_OVERFLOW = new Halt('value overflow')

/** Errors of a refused call or creation: the caller continues with a zero, and keeps the gas. */
export const CALL_TOO_DEEP = new Halt('max call depth exceeded')
export const INSUFFICIENT_BALANCE = new Halt('insufficient balance')
export const NONCE_OVERFLOW = new Halt('nonce uint64 overflow')
