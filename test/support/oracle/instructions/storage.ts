/** Storage, persistent and transient (EIP-2200, 2929, 3529, 1153; node-chain 8.2 and 9.2). */

import { bigIntToBytes, bytesToBigInt, toWord } from '../../../../lib/base/hex.ts'
import type { Rules, StorageRules } from '../../../../lib/evm/rules/rules.ts'
import type { Frame } from '../frame.ts'
import { OUT_OF_GAS, STATIC_STATE_CHANGE } from '../halt.ts'
import type { DynamicGas, Instructions } from '../instruction.ts'
import { instruction } from '../instruction.ts'

type Simple = Extract<StorageRules, { kind: 'simple' }>
type Net = Extract<StorageRules, { kind: 'net' }>

/** The cost of a write, and its change of the refund. */
interface Price {
  readonly gas: number
  readonly refund: number
}

/** The current value of a slot, its value at the beginning of the transaction, and the value to write. */
interface Change {
  readonly original: bigint
  readonly current: bigint
  readonly next: bigint
}

/** SLOAD and SSTORE. */
export function storage({ access, storage: rules }: Rules): Instructions {
  const isFlat = access.kind === 'flat'
  return [
    instruction(0x54, 'SLOAD', [1, 1, isFlat ? access.slot : 0], {
      ...(isFlat
        ? {}
        : {
            dynamicGas: (frame, { substate }) =>
              substate.warmSlot(frame.address, toWord(frame.peek(0))) ? access.coldSlot : access.warm,
          }),
      run: (frame, { accounts }) => frame.push(accounts.slot(frame.address, toWord(frame.pop()))),
    }),
    instruction(0x55, 'SSTORE', [2, 0, 0], {
      dynamicGas: rules.kind === 'simple' ? simpleGas(rules) : netGas(rules, isFlat ? 0 : access.coldSlot),
      run: (frame, { accounts }) => {
        const slot = toWord(frame.pop())
        // Notifies the observer of the access.
        accounts.slot(frame.address, slot)
        accounts.state.putStorage(frame.address, slot, bigIntToBytes(frame.pop()))
      },
    }),
  ]
}

function refuseStatic({ message }: Frame): void {
  if (message.isStatic) throw STATIC_STATE_CHANGE
}

/** The refunds can be added here, because a frame without enough gas loses its refunds. */
const simpleGas =
  (rules: Simple): DynamicGas =>
  (frame, { accounts, substate }) => {
    refuseStatic(frame)
    const current = bytesToBigInt(accounts.state.storage(frame.address, toWord(frame.peek(0))))
    const next = frame.peek(1)
    if (current !== 0n && next === 0n) substate.storageRefund += rules.clearRefund
    return current === 0n && next !== 0n ? rules.set : rules.reset
  }

const netGas =
  (rules: Net, cold: number): DynamicGas =>
  (frame, { accounts, substate }) => {
    refuseStatic(frame)
    if (frame.gas <= rules.sentry) throw OUT_OF_GAS
    const { address } = frame
    const slot = toWord(frame.peek(0))
    const current = bytesToBigInt(accounts.state.storage(address, slot))
    const original = substate.original(address, slot, current)
    const { gas, refund } = netPrice(rules, { original, current, next: frame.peek(1) })
    if (refund !== 0) substate.storageRefund += refund
    return substate.warmSlot(address, slot) ? gas + cold : gas
  }

/** EIP-2200 with the numbers of EIP-2929 and EIP-3529. */
function netPrice(rules: Net, { original, current, next }: Change): Price {
  if (current === next) return { gas: rules.dirty, refund: 0 }
  if (original === current) {
    if (original === 0n) return { gas: rules.set, refund: 0 }
    return { gas: rules.reset, refund: next === 0n ? rules.clearRefund : 0 }
  }
  let refund = 0
  if (original !== 0n && current === 0n) refund -= rules.clearRefund
  if (original !== 0n && next === 0n) refund += rules.clearRefund
  if (original === next) refund += (original === 0n ? rules.set : rules.reset) - rules.dirty
  return { gas: rules.dirty, refund }
}

/** TLOAD (EIP-1153). */
export const loadTransient = instruction(0x5c, 'TLOAD', [1, 1, 100], {
  run: (frame, { substate }) => frame.push(substate.transient(frame.address, frame.pop())),
})

/** TSTORE (EIP-1153). */
export const storeTransient = instruction(0x5d, 'TSTORE', [2, 0, 100], {
  run: (frame, { substate }) => {
    refuseStatic(frame)
    const slot = frame.pop()
    substate.setTransient(frame.address, slot, frame.pop())
  },
})
