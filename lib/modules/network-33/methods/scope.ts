/** What network 33 adds to its chains. */

import type { Cell } from '../../../chain/instance/chain-instance.ts'
import type { Node } from '../../../node/node.ts'
import type { SendingChain } from '../../../rpc/methods/eth-send.ts'
import type { AuxChain } from '../aux-chain/aux-chain.ts'
import type { FederationNodes } from '../aux-chain/federation-nodes.ts'
import type { Network33Options } from '../options.ts'

export interface BridgePart {
  readonly auxChain: Cell<AuxChain>
  /** The members of the federation whose keys are published; absent with --federation off. */
  readonly federation: FederationNodes | undefined
}

export type BridgeChain = BridgePart &
  SendingChain &
  Pick<Node, 'chain' | 'instance' | 'miningWork'> & { readonly options: Network33Options }
