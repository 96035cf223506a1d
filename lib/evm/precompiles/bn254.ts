/** Points of BN254, which the contracts calculate with (EIP-196, EIP-197). */

import { NobleBN254 } from '@ethereumjs/evm'
import { NativeFailure } from './native-contract.ts'

const curve = new NobleBN254()

/** Sum of two points, 128 bytes. @throws NativeFailure for what is no point */
export function addPoints(input: Uint8Array): Uint8Array {
  return ofPoints(() => curve.add(input))
}

/** A point times a number, 96 bytes. @throws NativeFailure for what is no point */
export function multiplyPoint(input: Uint8Array): Uint8Array {
  return ofPoints(() => curve.mul(input))
}

/** Whether the product of the pairings is one: a word. @throws NativeFailure for what is no point */
export function checkPairings(input: Uint8Array): Uint8Array {
  return ofPoints(() => curve.pairing(input))
}

function ofPoints(calculate: () => Uint8Array): Uint8Array {
  try {
    return calculate()
  } catch (cause) {
    throw new NativeFailure('coordinates of no point of BN254', { cause })
  }
}
