/** Loads what a sent transaction will read on a fork, in one request. */

import { isLoaded } from '../base/loading.ts'
import type { Network } from '../config/network.ts'
import { systemContracts } from '../evm/system-contracts.ts'
import type { NextBlock } from './next-block.ts'
import type { ExpectedCall } from '../state/state-source.ts'

/** What sending knows. */
interface SendingContext {
  readonly node: { readonly network: Network }
  readonly nextBlock: NextBlock
}

/** Begins to load what the transaction, its checks and its block will read, if its accounts are not loaded. */
export function loadAhead(
  call: ExpectedCall,
  { node, nextBlock: { parent, context } }: SendingContext,
): void {
  const { state } = parent
  if (state.source === undefined) return
  const { sender, to, value, data } = call
  if (isLoaded(() => [state.account(sender), to && state.account(to)])) return
  const accounts = [context.coinbase, ...systemContracts(node.network).map(({ address }) => address)]
  void state.source.expect({ sender, to, value, data, accounts })
}
