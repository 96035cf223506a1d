/** The nodes that are compared, in the order of the columns. */

import { anvilDefault, anvilTuned } from './anvil.ts'
import { devNode33, devNodeEthereum } from './dev-node.ts'
import { ganache, ganachePackage } from './ganache.ts'
import { hardhat2, hardhat3, hardhat3Package } from './hardhat.ts'
import type { InstalledPackage } from './installed.ts'
import type { BenchNode } from './node.ts'

/** The node that ratios compare with. */
export const REFERENCE = devNodeEthereum

/** The columns. */
export const NODES: readonly BenchNode[] = [
  devNode33,
  devNodeEthereum,
  anvilTuned,
  anvilDefault,
  hardhat2,
  hardhat3,
  ganache,
]

/** What `--install` installs. */
export const PACKAGES: readonly InstalledPackage[] = [hardhat3Package, ganachePackage]
