/** Direct edits of accounts, without a transaction. */

import { State } from '../state/state.ts'
import type { Chain } from './chain.ts'

/** Changes the state after the newest block; its header, and with it its hash, stay as they are. */
export function editHead(chain: Chain, edit: (state: State) => void): void {
  const state = new State(chain.head.state)
  edit(state)
  chain.editHead(state.seal())
}
