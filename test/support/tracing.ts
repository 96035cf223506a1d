/** A node with the contract of fixtures/contracts/Tracer.sol, and transactions to it. */

import { encodeFunctionData } from 'viem'
import type { Hex } from '../../lib/base/hex.ts'
import type { OptionsInput } from '../../lib/modules/options.ts'
import type { Node } from '../../lib/node/node.ts'
import { loadContracts } from './contracts.ts'
import { call, freshNode } from './node.ts'
import { COW } from './signing.ts'

/** Beneficiary of SELFDESTRUCT and receiver of transfers. */
export const HEIR = '0x00000000000000000000000000000000000000aa'

/** Gas of every transaction here: two of them fit into a block. */
export const GAS = 3_000_000

/** A node with the contract, and functions to call both. */
export interface TracedNode {
  readonly node: Node
  readonly tracer: Hex
  /** The contract that the tracer created. */
  readonly child: Hex
  readonly dataOf: (functionName: string, args?: readonly unknown[]) => Hex
  /** Sends a transaction to the contract; returns its hash even if it fails. */
  readonly send: (functionName: string, args?: readonly unknown[], value?: number) => Promise<Hex>
  readonly trace: (hash: Hex, options?: object) => Promise<any>
}

/** Deploys the contract with 100 wei. */
export async function tracedNode(options: OptionsInput = {}): Promise<TracedNode> {
  const node = await freshNode({ returnHashOnRevert: true, ...options })
  const { abi, bytecode } = (await loadContracts()).Tracer
  const [sender = COW] = (await call(node, 'eth_accounts')) as string[]
  const transact = (transaction: object) =>
    call(node, 'eth_sendTransaction', [{ from: sender, gas: GAS, ...transaction }]) as Promise<Hex>
  const deployed = await transact({ data: bytecode, value: 100 })
  const { contractAddress: tracer } = await call(node, 'eth_getTransactionReceipt', [deployed])
  const dataOf = (functionName: string, args: readonly unknown[] = []) =>
    encodeFunctionData({ abi, functionName, args })
  const word = await call(node, 'eth_call', [{ to: tracer, data: dataOf('child') }])
  return {
    node,
    tracer,
    child: `0x${(word as string).slice(26)}`,
    dataOf,
    send: (functionName, args, value = 0) =>
      transact({ to: tracer, data: dataOf(functionName, args), value }),
    trace: (hash, traceOptions) => call(node, 'debug_traceTransaction', [hash, traceOptions]),
  }
}

/** A call of the contract: function, arguments, wei. */
export type Sending = readonly [functionName: string, args: readonly unknown[], value: number]

/** One call of each function of the contract. */
export const EVERYTHING: readonly Sending[] = [
  ['nest', [5n], 3],
  ['catchAll', [], 0],
  ['create', [9n, `0x${'00'.repeat(32)}`], 2],
  ['create', [9n, `0x${'11'.repeat(32)}`], 2],
  ['createAndEnd', [HEIR], 5],
  ['overspend', [HEIR], 0],
  ['send', [HEIR], 7],
  ['fill', [0n, 5n], 0],
  ['clear', [1n, 2n], 0],
  ['loop', [3n], 0],
  ['fail', [2n], 0],
  ['burn', [], 0],
  ['endChild', [HEIR], 0],
]
