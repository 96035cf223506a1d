/**
 * Network 33 and the networks of its kind: merged mining, the Bridge with an auxiliary chain of its own, and the federation's work.
 *
 * @example createNode({ network: 'network-33' })
 */

import { refuseOption } from '../../base/errors.ts'
import { MERGED_MINING_EIPS, NEXT_FORK, NEXT_FORK_EIPS } from '../../config/eips.ts'
import type { NetworkKind } from '../../config/network-kind.ts'
import { declare, inGroup } from '../../config/option-description.ts'
import { choice } from '../../config/values.ts'
import type { Scope } from '../../kernel/module.ts'
import type { NodeModule } from '../../node/node.ts'
import { EMPTY_AUX_CHAIN, type AuxChain } from './aux-chain/aux-chain.ts'
import { FederationNodes } from './aux-chain/federation-nodes.ts'
import { FAITHFUL_FRONT } from './faithful/methods.ts'
import type { FaithfulPart, KeptFilter } from './faithful/scope.ts'
import { MERGED_MINING } from './consensus/header.ts'
import { mergedMining } from './consensus/merged-mining.ts'
import { auxChainMethods } from './methods/aux-chain.ts'
import { bridgeMethods } from './methods/bridge.ts'
import { mergedMiningMethods } from './methods/merged-mining.ts'
import { pegMethods } from './methods/pegs.ts'
import type { BridgePart } from './methods/scope.ts'

/** Chain ids of the networks with a preset. */
const CHAIN_IDS = [30n, 31n, 32n, 33n]

const mergedMiningKind: NetworkKind = {
  name: MERGED_MINING,
  traits: (hardfork) => (hardfork === NEXT_FORK ? { ...TRAITS, ...NEXT_TRAITS } : TRAITS),
  // Only these networks have minimum gas prices.
  presetOf: ({ chainId, minimumGasPrice }) => {
    if (CHAIN_IDS.includes(chainId)) return `network-${chainId}`
    return minimumGasPrice === undefined ? undefined : 'network-33'
  },
  consensus: mergedMining,
}

const TRAITS = {
  ownEips: MERGED_MINING_EIPS,
  sharesEthereumFormats: false,
  hasFeeContract: true,
  acceptsLeadingZeros: true,
  tracesAsParity: false,
  estimatesFreely: true,
  showsZeroBaseFee: false,
  isStrict: false,
}

/** The traits that the next fork changes. */
const NEXT_TRAITS = {
  ownEips: [...MERGED_MINING_EIPS, ...NEXT_FORK_EIPS],
  showsZeroBaseFee: true,
  isStrict: true,
}

const network33Options = inGroup('Mining and time', {
  federation: declare(
    choice(['auto', 'manual', 'off']).optional(),
    'Who does the work of the federation for peg-outs, on networks with a Bridge: the node after each block (auto), dev_federationStep (manual), or nothing (off).',
    { defaultDescription: 'auto' },
  ),
})

export const network33 = {
  name: 'network 33',
  network: mergedMiningKind,
  options: network33Options,
  start: ({ options: { federation }, network: { kind, name } }) => {
    if (federation !== undefined && kind !== mergedMiningKind)
      refuseOption(`federation ${federation}: ${name} has no Bridge`)
    return {}
  },
  openChain: ({ options }, { instance, ...chain }, parent) => {
    const auxChain = instance.cell<AuxChain>(
      'auxChain',
      'restore',
      parent?.part.auxChain.in(parent.at) ?? EMPTY_AUX_CHAIN,
    )
    // State files do not contain the auxiliary chain, so a loaded state begins with an empty one.
    instance.replacing.on(() => {
      auxChain.value = EMPTY_AUX_CHAIN
    })
    const { federation, release } = options
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
