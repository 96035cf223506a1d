/** Computes the dynamic gas of the instructions that the core performs. It charges and changes nothing. */

import {
  EXP_BYTE,
  IS_STATIC,
  RETURNED_LENGTH,
  RETURN_DATA_OUT_OF_BOUNDS,
  RULES,
  STATIC_STATE_CHANGE,
} from './layout'
import { rangeGas } from './memory'
import { loadGas, storeGas } from './storage'
import { byteLength, saturated } from './words'

/** Gas for each word that is copied, for each that is hashed, and for each byte that is logged. */
const COPY_WORD: u64 = 3
const HASH_WORD: u64 = 6
const LOG_BYTE: u64 = 8

// @ts-ignore: decorator
@inline
function plus(gas: i64, more: u64): i64 {
  return gas < 0 ? gas : gas + <i64>more
}

// @ts-ignore: decorator
@inline
function wordsOf(length: u64): u64 {
  return (length + 31) >> 5
}

/** The dynamic gas. A negative result is the exception of the instruction, or MISSING. */
export function dynamicGas(f: usize, opcode: u32, top: usize, gas: i64): i64 {
  const first = saturated(top)
  switch (opcode) {
    case 0x0a: // EXP
      return <i64>load<f64>(RULES, EXP_BYTE) * <i64>byteLength(top - 32)
    case 0x20: { // KECCAK256
      const length = saturated(top - 32)
      return plus(rangeGas(f, first, length), HASH_WORD * wordsOf(length))
    }
    case 0x37: // CALLDATACOPY
    case 0x39: { // CODECOPY
      const length = saturated(top - 64)
      return plus(rangeGas(f, first, length), COPY_WORD * wordsOf(length))
    }
    case 0x3e: { // RETURNDATACOPY
      const length = saturated(top - 64)
      const from = saturated(top - 32)
      const end = from + length
      if (end < from || end > <u64>load<u32>(f, RETURNED_LENGTH)) return RETURN_DATA_OUT_OF_BOUNDS
      return plus(rangeGas(f, first, length), COPY_WORD * wordsOf(length))
    }
    case 0x51: // MLOAD
    case 0x52: // MSTORE
      return rangeGas(f, first, 32)
    case 0x53: // MSTORE8
      return rangeGas(f, first, 1)
    case 0x54: // SLOAD
      return loadGas(f, top)
    case 0x55: // SSTORE
      return storeGas(f, top, gas)
    case 0x5e: { // MCOPY
      const length = saturated(top - 64)
      const further = max(first, saturated(top - 32))
      return plus(rangeGas(f, further, length), COPY_WORD * wordsOf(length))
    }
    case 0xa0: // LOG0 to LOG4
    case 0xa1:
    case 0xa2:
    case 0xa3:
    case 0xa4: {
      if (load<u32>(f, IS_STATIC)) return STATIC_STATE_CHANGE
      const length = saturated(top - 32)
      return plus(rangeGas(f, first, length), LOG_BYTE * length)
    }
    case 0xf3: // RETURN
    case 0xfd: // REVERT
      return rangeGas(f, first, saturated(top - 32))
    default:
      return 0
  }
}
