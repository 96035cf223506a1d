/** Finds the code that a frame runs, and its sources. */

import { toAddress } from '../base/hex.ts'
import { delegationOf } from '../evm/delegation.ts'
import type { EnterEvent } from '../evm/observer.ts'
import type { State } from '../state/state.ts'
import { isCreationFrame } from './executed-frame.ts'
import type { ContractOf } from './executed-frame.ts'
import { mappedCode } from './mapped-code.ts'
import type { MappedCode } from './mapped-code.ts'

/** The code with its sources; undefined for an unknown contract, a precompile, and an account without code. */
export function codeOfFrame(
  event: EnterEvent,
  state: Pick<State, 'code'>,
  contractOf: ContractOf,
): MappedCode | undefined {
  const kind = isCreationFrame(event) ? 'creation' : 'runtime'
  // Init code is valid only now.
  const code = kind === 'creation' ? event.input.slice() : runtimeCode(event, state)
  if (code === undefined) return undefined
  const contract = contractOf(code, kind)
  return contract && mappedCode(contract, kind, code)
}

function runtimeCode(
  { isPrecompile, kind, to }: EnterEvent,
  state: Pick<State, 'code'>,
): Uint8Array | undefined {
  if (isPrecompile || kind === 'selfdestruct') return undefined
  const own = state.code(to)
  const delegated = delegationOf(own)
  const code = delegated === undefined ? own : state.code(toAddress(delegated))
  return code.length === 0 ? undefined : code
}
