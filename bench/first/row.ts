/** What a row of the first seconds is. */

import type { Measurement } from '../session.ts'
import type { Workspace } from './workspace.ts'

/** This node, or what a row compares it with. */
export type Side = 'dev-node' | 'other'

/** What the rows use. */
export interface Place {
  readonly workspace: Workspace
  /** Folder of OpenZeppelin's contracts. */
  readonly openzeppelin: string | undefined
}

/** What Hardhat runs tests on without this node. */
export const HARDHAT_CHAIN = "Hardhat's chain"

/** A row of the table. */
export interface FirstRow {
  /** Its name in `--rows`. */
  readonly id: string
  readonly name: string
  /** What this node is compared with; absent where there is nothing to compare. */
  readonly other?: string
  readonly figure: 'cpuMs' | 'wallMs'
  /** Oldest major version of Node that runs it. */
  readonly oldestNode?: number
  /** Rows that need it are left out unless the user names its folder. */
  readonly needsOpenzeppelin?: true
  readonly measure: (side: Side, place: Place) => Promise<Measurement>
}
