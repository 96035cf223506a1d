/** Calls precompiles without a machine. */

import { AbiCoder } from 'ethers'
import { fromHex, toHex } from '../../lib/base/hex.ts'
import type { Hex } from '../../lib/base/hex.ts'
import type { Ancestor, BlockContext } from '../../lib/evm/block-context.ts'
import type { PrecompileCall, Precompile } from '../../lib/evm/precompile.ts'
import { ZERO_HASH } from '../../lib/chain/header.ts'
import { State } from '../../lib/state/state.ts'
import { StateRoot } from '../../lib/state/state-root.ts'
import { addressOf } from './transactions.ts'

/** An empty block after these ancestors: 0 is the parent. */
export function blockAfter(ancestors: readonly Ancestor[] = []): BlockContext {
  return {
    number: BigInt(ancestors.length),
    chainId: 33n,
    timestamp: 1n,
    coinbase: addressOf(9),
    gasLimit: 10_000_000n,
    baseFeePerGas: 0n,
    difficulty: 1n,
    mixHash: ZERO_HASH,
    minimumGasPrice: 0n,
    blockHash: () => undefined,
    ancestor: (depth) => ancestors[depth],
  }
}

/** A default call by a contract that a transaction called. */
export function precompileCall(input: Uint8Array, special: Partial<PrecompileCall> = {}): PrecompileCall {
  return {
    kind: 'call',
    input,
    value: 0n,
    gas: 10_000_000,
    caller: addressOf(1),
    origin: addressOf(2),
    depth: 1,
    isStatic: false,
    isSimulated: false,
    isSystem: false,
    transactionHash: undefined,
    block: blockAfter(),
    state: new State(StateRoot.empty),
    log: () => undefined,
    paid: () => undefined,
    ...special,
  }
}

/** Output of a call with this input. */
export function runPrecompile(
  contract: Precompile,
  input: string,
  special: Partial<PrecompileCall> = {},
): Hex {
  return toHex(contract.run(precompileCall(fromHex(input), special)))
}

/** Gas of a call with this input. */
export function gasOf(contract: Precompile, input: string): number {
  return contract.gas(precompileCall(fromHex(input)))
}

const coder = AbiCoder.defaultAbiCoder()

/** Call data of a selector and arguments, encoded by an independent implementation. */
export function callData(selector: string, types: readonly string[], values: readonly unknown[]): Hex {
  return `${selector as Hex}${coder.encode(types, values).slice(2)}`
}

/** The single value that the return data encodes. */
export const decoded = (type: string, data: string): unknown => coder.decode([type], data)[0]
