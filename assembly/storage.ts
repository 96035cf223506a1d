/** SLOAD, SSTORE, TLOAD and TSTORE, their gas and refunds (EIP-2200, 2929, 3529; node-chain 8.2 and 9.2). */

import {
  CLEAR_REFUND,
  IS_NET,
  IS_STATIC,
  MISSING_SLOT,
  OUT_OF_GAS,
  REFUND,
  RULES,
  MIN_GAS_AT_STORE,
  SENTRY,
  SLOT_COLD,
  SLOT_DIRTY,
  SLOT_FLAGS,
  SLOT_ORIGINAL,
  SLOT_RESET,
  SLOT_SET,
  SLOT_STATE_GAS,
  SLOT_VALUE,
  SLOT_WARM,
  STATE_GAS,
  STATE_GAS_RETURNED,
  STATE_GAS_USED,
  STATIC_STATE_CHANGE,
  STORAGE,
  WAS_ACCESSED,
  WAS_NOTED,
} from './layout'
import { TRANSIENT, find, insert, markAccessed, setValue } from './slots'
import { copy, isEqual, isZero, set } from './words'

/** Result of a gas function for a slot that is not in the table; the machine then loads it from the state. */
export const MISSING: i64 = -MISSING_SLOT

// @ts-ignore: decorator
@inline
function rule(offset: usize): i64 {
  return <i64>load<f64>(<usize>RULES + offset)
}

/** Dynamic gas of SLOAD. */
export function loadGas(f: usize, top: usize): i64 {
  const slot = find(load<u32>(f, STORAGE), top)
  if (!slot) return MISSING
  return load<u32>(slot, SLOT_FLAGS) & WAS_ACCESSED ? rule(SLOT_WARM) : rule(SLOT_COLD)
}

/** Replaces the key on the stack by the value of its slot. */
export function loadSlot(f: usize, top: usize): bool {
  const slot = markAccessed(find(load<u32>(f, STORAGE), top))
  if (!slot) return false
  copy(top, slot + SLOT_VALUE)
  return true
}

/** Gas of SSTORE. */
export function storeGas(f: usize, top: usize, gas: i64): i64 {
  if (load<u32>(f, IS_STATIC)) return STATIC_STATE_CHANGE
  const isNet = rule(IS_NET) != 0
  if (isNet) {
    if (gas <= rule(SENTRY)) return OUT_OF_GAS
    store<f64>(MIN_GAS_AT_STORE, min<f64>(load<f64>(MIN_GAS_AT_STORE), <f64>gas))
  }
  const slot = find(load<u32>(f, STORAGE), top)
  if (!slot) return MISSING
  const current = slot + SLOT_VALUE
  const next = top - 32
  if (!isNet) return isZero(current) && !isZero(next) ? rule(SLOT_SET) : rule(SLOT_RESET)
  const flags = load<u32>(slot, SLOT_FLAGS)
  store<u32>(slot, flags | WAS_NOTED, SLOT_FLAGS)
  const access = flags & WAS_ACCESSED ? 0 : rule(SLOT_COLD)
  const original = slot + SLOT_ORIGINAL
  if (isEqual(current, next) || !isEqual(original, current)) return access + rule(SLOT_DIRTY)
  if (!isZero(original)) return access + rule(SLOT_RESET)
  return access + rule(SLOT_SET) + max<i64>(rule(SLOT_STATE_GAS) - <i64>load<f64>(STATE_GAS), 0)
}

/** The refund counter after the write of the word below the key on the stack. */
export function refundAfter(f: usize, top: usize): f64 {
  return load<f64>(REFUND) + <f64>refundOf(find(load<u32>(f, STORAGE), top), top - 32)
}

/** Change of the refund counter by a write; may be negative. */
function refundOf(slot: usize, next: usize): i64 {
  const current = slot + SLOT_VALUE
  const original = slot + SLOT_ORIGINAL
  if (!rule(IS_NET)) return !isZero(current) && isZero(next) ? rule(CLEAR_REFUND) : 0
  if (isEqual(current, next)) return 0
  let refund: i64 = 0
  if (!isZero(original)) {
    if (isZero(current)) refund -= rule(CLEAR_REFUND)
    if (isZero(next)) refund += rule(CLEAR_REFUND)
  }
  if (!isEqual(original, current) && isEqual(original, next)) {
    refund += (isZero(original) ? rule(SLOT_SET) : rule(SLOT_RESET)) - rule(SLOT_DIRTY)
  }
  return refund
}

/** Writes the word below the key on the stack to the slot. */
export function storeSlot(f: usize, top: usize): bool {
  const slot = markAccessed(find(load<u32>(f, STORAGE), top))
  if (!slot) return false
  store<f64>(REFUND, load<f64>(REFUND) + <f64>refundOf(slot, top - 32))
  if (rule(SLOT_STATE_GAS) && isZero(slot + SLOT_ORIGINAL)) useStateGas(slot + SLOT_VALUE, top - 32)
  return isEqual(slot + SLOT_VALUE, top - 32) || setValue(slot, top - 32)
}

/** Uses the state gas of a slot that gets a value, and returns that of one that becomes zero again (EIP-8037). */
function useStateGas(current: usize, next: usize): void {
  const wasZero = isZero(current)
  if (wasZero == isZero(next)) return
  const gas = load<f64>(RULES, SLOT_STATE_GAS)
  const left = load<f64>(STATE_GAS)
  store<f64>(STATE_GAS, wasZero ? max<f64>(left - gas, 0) : left + gas)
  store<f64>(STATE_GAS_USED, load<f64>(STATE_GAS_USED) + (wasZero ? gas : -gas))
  if (wasZero) return
  store<f64>(STATE_GAS_RETURNED, load<f64>(STATE_GAS_RETURNED) + gas)
  store<f64>(MIN_GAS_AT_STORE, 0)
}

/** Replaces the key on the stack by its value in transient storage. */
export function loadTransient(f: usize, top: usize): void {
  const slot = find(load<u32>(f, STORAGE) | TRANSIENT, top)
  if (slot) copy(top, slot + SLOT_VALUE)
  else set(top, 0)
}

/** Writes the word below the key on the stack to transient storage. */
export function storeTransient(f: usize, top: usize): bool {
  const account = load<u32>(f, STORAGE) | TRANSIENT
  const known = find(account, top)
  const slot = known ? known : insert(account, top)
  return slot != 0 && setValue(slot, top - 32)
}
