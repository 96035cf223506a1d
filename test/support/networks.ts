/** Networks of all kinds, for tests. */

import { EMPTY_AUX_CHAIN, type AuxChain } from '../../lib/modules/network-33/aux-chain/aux-chain.ts'
import type { MergedMiningFields } from '../../lib/modules/network-33/consensus/header.ts'
import type { BridgePart } from '../../lib/modules/network-33/methods/scope.ts'
import type { Header } from '../../lib/networks/consensus/consensus.ts'
import type { Node } from '../../lib/node/node.ts'
import { loadNetwork as load, type Network } from '../../lib/config/network.ts'
import { resolveNetwork as resolve } from '../../lib/config/resolve-network.ts'
import { kindsOf } from '../../lib/kernel/running-modules.ts'
import { MODULES } from '../../lib/modules/list.ts'
import type { OptionsInput } from '../../lib/modules/options.ts'
import { resolveOptions } from '../../lib/modules/resolve-options.ts'

export const KINDS = kindsOf(MODULES)

export const loadNetwork = (nameOrPath: string): Network => load(nameOrPath, KINDS)

/** The blocks and the pool beside a chain of network 33. */
export const auxChainOf = (node: Node): AuxChain =>
  (node as Node & Partial<BridgePart>).auxChain?.value ?? EMPTY_AUX_CHAIN

/** The fields of a header that only network 33 has. */
export const ownFields = ({ own }: Header): MergedMiningFields | undefined =>
  own as MergedMiningFields | undefined

/** The network of a node with these options. */
export const networkOf = (values: OptionsInput): Network => resolve(resolveOptions({ values }), KINDS)
