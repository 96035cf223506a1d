/** Edits accounts directly, without a transaction. */

import { State } from '../state/state.ts'
import type { Chain } from './chain.ts'

/** Edits the state after the newest block. Its header and hash do not change. */
export function editHead(chain: Chain, edit: (state: State) => void): void {
  const state = new State(chain.head.state)
  edit(state)
  chain.editHead(state.commitRoot())
}
