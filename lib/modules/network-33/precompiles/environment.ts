/** The precompile that returns the depth of the current call (IP-203). */

import { uint32 } from '../../../abi/codec.ts'
import { precompileMethod, precompileWithMethods } from './methods.ts'
import { precompileAddress } from '../../../evm/precompile.ts'

/** Functions of the precompile. */
export const environmentMethods = [
  precompileMethod({
    name: 'getCallStackDepth',
    inputs: [],
    output: uint32,
    gas: () => 0,
    // 1 in code that a transaction called, and also for a transaction that calls the precompile directly.
    run: (_values, { depth }) => BigInt(Math.max(depth, 1)),
  }),
]

export const environment = precompileWithMethods(
  { address: precompileAddress(0x01000011), name: 'environment' },
  environmentMethods,
)
