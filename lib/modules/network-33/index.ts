/**
 * Network 33 and the networks of its kind: merged mining, the Bridge with an auxiliary chain of its own, and the federation's work.
 *
 * @example createNode({ network: 'network-33' })
 */

import type { Scope } from '../../kernel/module.ts'
import type { NodeModule } from '../../node/node.ts'
import { EMPTY_AUX_CHAIN, type AuxChain } from './aux-chain/aux-chain.ts'
import { FederationNodes } from './aux-chain/federation-nodes.ts'
import { FAITHFUL_FRONT } from './faithful/methods.ts'
import type { FaithfulPart, KeptFilter } from './faithful/scope.ts'
import { auxChainMethods } from './methods/aux-chain.ts'
import { bridgeMethods } from './methods/bridge.ts'
import { mergedMiningMethods } from './methods/merged-mining.ts'
import { pegMethods } from './methods/pegs.ts'
import type { BridgePart } from './methods/scope.ts'
import { mergedMiningKind } from './network-kind.ts'
import { network33Options } from './options.ts'

export const network33 = {
  name: 'network 33',
  network: mergedMiningKind,
  options: network33Options,
  start: () => ({}),
  openChain: ({ options: { federation, release } }, { instance, ...chain }, parent) => {
    const auxChain = instance.cell<AuxChain>(
      'auxChain',
      'restore',
      parent?.part.auxChain.in(parent.at) ?? EMPTY_AUX_CHAIN,
    )
    // State files do not contain the auxiliary chain, so a loaded state begins with an empty one.
    instance.replacing.on(() => {
      auxChain.value = EMPTY_AUX_CHAIN
    })
    return {
      auxChain,
      /** Filters of --faithful. */
      keptFilters: instance.cell<ReadonlyMap<string, KeptFilter>>('keptFilters', 'keep', new Map()),
      federation: federation === 'off' ? undefined : new FederationNodes({ ...chain, auxChain, release }),
    }
  },
  facts: ({ options: { faithful } }) => ({
    faithful: faithful ? 'answers as the reference node, accidents included' : undefined,
  }),
  front: ({ options: { faithful } }) => (faithful ? FAITHFUL_FRONT : undefined),
  follower: ({ options: { federation: mode = 'auto' }, federation }) =>
    mode === 'auto' ? federation : undefined,
  methods: [...auxChainMethods, ...bridgeMethods, ...mergedMiningMethods, ...pegMethods],
} as const satisfies NodeModule<Scope<typeof network33Options>, object, BridgePart & FaithfulPart>
