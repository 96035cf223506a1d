/** Puts the reason of a failed frame in words. Checks that the compiler adds are in implicit-reason.ts. */

import { errorText, errorsOf } from '../../abi/fragments.ts'
import { statedReason, type CustomErrorNames } from '../../abi/revert-reason.ts'
import { toHex } from '../../base/hex.ts'
import { present } from '../../base/invariant.ts'
import { withEnumNames } from '../artifacts/enum-names.ts'
import type { ExecutedFrame } from './executed-frame.ts'
import { isCreation } from '../trace/call-tree.ts'
import type { FailureReason } from './failure-reason.ts'
import { implicitReason } from './implicit-reason.ts'

/** The reason of a frame that has ended without success. */
export function failureReason(frame: ExecutedFrame, nameOf: CustomErrorNames): FailureReason {
  const { status, exception, output } = present(frame.exit, 'end of the frame')
  if (status === 'failed') return exceptionReason(frame, exception ?? 'failed')
  const textOf: CustomErrorNames = (data) => ownErrorText(frame, data) ?? nameOf(data)
  return statedReason(toHex(output), textOf) ?? implicitReason(frame)
}

/** The text of an error of the contract itself, with names of enums. */
function ownErrorText({ mapped }: ExecutedFrame, data: string): string | undefined {
  const error = errorsOf(mapped?.contract.abi).find(({ selector }) => data.startsWith(selector))
  return mapped && error && errorText({ ...error, types: withEnumNames(mapped.contract, error.types) }, data)
}

const NEVER_BEGAN: ReadonlySet<string> = new Set(['max call depth exceeded', 'insufficient balance'])

const RETURN = 0xf3
const INVALID = 0xfe

function exceptionReason(frame: ExecutedFrame, exception: string): FailureReason {
  const { code, exit, isPrecompile, to } = frame
  const opcode = exit?.position === undefined ? undefined : code?.[exit.position]
  // The machine has these texts from frame-input.ts; such a frame does not begin.
  if (NEVER_BEGAN.has(exception))
    return { kind: 'call failed', message: `function call failed to execute (${exception})` }
  if (isPrecompile)
    return { kind: 'precompile failed', message: `call to precompile ${to} failed: ${exception}` }
  // The machine has these texts from code-size.ts.
  if (/^max (init)?code size/.test(exception)) {
    const message = `trying to deploy a contract whose code is too large (${exception})`
    return { kind: 'code too large', message }
  }
  if (exception === 'invalid bytecode deployed') {
    const message = 'trying to deploy code that begins with the byte 0xef (EIP-3541)'
    return { kind: 'invalid code', message }
  }
  if (exception === 'out of gas') return outOfGas(frame, isCreation(frame) && opcode === RETURN)
  if (exception === 'invalid opcode' && opcode === INVALID) {
    const message = 'reached an invalid instruction, as a failed assertion does'
    return { kind: 'invalid instruction', message }
  }
  return { kind: 'exception', message: exception }
}

/** Out of gas, with the part that went to the calls of the frame. */
function outOfGas({ gas, gasOfCalls }: ExecutedFrame, isDeposit: boolean): FailureReason {
  const calls = gasOfCalls === 0n ? '' : `, of which its calls used ${gasOfCalls}`
  const had = `it had ${gas} gas${calls}`
  return isDeposit
    ? {
        kind: 'deposit out of gas',
        message: `ran out of gas when the code of the new contract was stored: ${had}`,
      }
    : { kind: 'out of gas', message: `ran out of gas: ${had}` }
}
