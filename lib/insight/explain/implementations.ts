/** Finds the contracts whose functions proxies run. The calls of the execution count more than code and storage. */

import { functionCalled } from '../../abi/fragments.ts'
import { SELECTOR_LENGTH, selectorOf } from '../../abi/selector.ts'
import type { ContractOf } from '../artifacts/code.ts'
import type { NamedContract } from '../artifacts/named-contracts.ts'
import { implementationOfClone, implementationSlotIn } from '../artifacts/proxies.ts'
import { addressIn, padTo32, toHex, type Address } from '../../base/hex.ts'
import type { State } from '../../state/state.ts'
import { isCreation } from '../replay/call-tree.ts'
import type { ExecutedFrame } from './executed-frame.ts'

export interface ContractFinder {
  readonly contractOf: ContractOf
  /** Contracts named by their address, such as by dev_addContract. */
  readonly contractAt: (address: Address) => NamedContract | undefined
}

/** Reads the state after the execution. */
type LaterState = Pick<State, 'code' | 'storage'>

/** The contracts behind proxies, by the frame that called the proxy. */
export type Implementations = ReadonlyMap<ExecutedFrame, NamedContract>

/** The contracts behind the proxies that a frame and its calls run. */
export function implementationsIn(
  root: ExecutedFrame,
  contracts: ContractFinder,
  state: LaterState,
): Implementations {
  const found = new Map<ExecutedFrame, NamedContract>()
  const visit = (frame: ExecutedFrame): void => {
    for (const step of frame.steps) if ('frame' in step) visit(step.frame)
    const forwarded = forwardedCall(frame)
    const implementation =
      forwarded === undefined
        ? storedImplementation(frame, contracts, state)
        : (found.get(forwarded) ?? forwarded.mapped?.contract ?? contracts.contractAt(forwarded.to))
    const known = implementation ?? namedInstead(frame, contracts)
    if (known !== undefined) found.set(frame, known)
  }
  visit(root)
  return found
}

/** The last call by which a frame ran other code with its own call data. Some clones append arguments. */
function forwardedCall(frame: ExecutedFrame): ExecutedFrame | undefined {
  if (isCreation(frame)) return undefined
  const step = frame.steps.findLast((one) => 'frame' in one && isForwarded(frame.input, one.frame))
  return step !== undefined && 'frame' in step ? step.frame : undefined
}

function isForwarded(input: Uint8Array, { kind, input: given }: ExecutedFrame): boolean {
  if (kind !== 'delegatecall' || (input.length < SELECTOR_LENGTH && given.length > input.length)) return false
  return Buffer.compare(input, given.subarray(0, input.length)) === 0
}

/** The contract that a proxy would have called if it failed before the call. A proxy that succeeded without one has answered itself. */
function storedImplementation(
  frame: ExecutedFrame,
  { contractOf, contractAt }: ContractFinder,
  state: LaterState,
): NamedContract | undefined {
  const { code, exit, mapped, input } = frame
  if (code === undefined || exit?.status === 'success' || isCreation(frame)) return undefined
  if (mapped !== undefined && functionCalled(mapped.contract.abi, input) !== undefined) return undefined
  const slot = implementationSlotIn(code)
  const owner = frame.kind === 'delegatecall' ? frame.from : frame.to
  const address =
    implementationOfClone(code) ??
    implementationOfBeacon(frame) ??
    (slot && addressIn(padTo32(state.storage(owner, slot))))
  if (address === undefined) return undefined
  const own = state.code(address)
  const behind = implementationOfClone(own)
  const run = behind === undefined ? own : state.code(behind)
  return contractOf(run, 'runtime', behind ?? address) ?? contractAt(address)
}

const IMPLEMENTATION = selectorOf('implementation()')

/** The contract that a beacon returned in this execution (EIP-1967). */
function implementationOfBeacon({ steps }: ExecutedFrame): Address | undefined {
  for (const step of steps) {
    if (!('frame' in step) || toHex(step.frame.input) !== IMPLEMENTATION) continue
    const { status, output } = step.frame.exit ?? {}
    if (status === 'success' && output?.length === 32) return addressIn(output)
  }
  return undefined
}

/** The contract named at a known contract's address, if only the named one declares the function. */
function namedInstead(
  { mapped, to, input }: ExecutedFrame,
  { contractAt }: ContractFinder,
): NamedContract | undefined {
  if (mapped === undefined || functionCalled(mapped.contract.abi, input) !== undefined) return undefined
  const named = contractAt(to)
  return named && functionCalled(named.abi, input) && named
}
