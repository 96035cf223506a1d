/** Chooses the consensus of a network or of a header. */

import type { Network } from '../../config/network.ts'
import type { Consensus } from './consensus.ts'
import { ethereum } from '../ethereum/consensus/ethereum.ts'
import { isMergedMining, type Header } from './header-fields.ts'
import { mergedMining } from '../network-33/consensus/merged-mining.ts'

const BY_KIND: Readonly<Record<Network['kind'], Consensus>> = { 'merged-mining': mergedMining, ethereum }

export const consensusOf = ({ kind }: Pick<Network, 'kind'>): Consensus => BY_KIND[kind]

/** The consensus under which a header was made. */
export const consensusOfHeader = (header: Header): Consensus =>
  isMergedMining(header) ? mergedMining : ethereum
