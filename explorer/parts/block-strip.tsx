/** The newest blocks as bars: how full they are, and how many of their transactions reverted. */

import './block-strip.css'
import type { VNode } from 'preact'
import { revertedIn } from '../client/recent-blocks.ts'
import type { RecentBlock } from '../client/recent-blocks.ts'

/** Height of the drawing, which is stretched. */
const HEIGHT = 100

/** A block without transactions is seen too. */
const MIN_HEIGHT = 3

/** Gas below that of any transaction, where the scale begins. */
const MIN_GAS = 10_000

/** The newest block is on the right. */
export function BlockStrip({ blocks }: { readonly blocks: readonly RecentBlock[] }): VNode {
  return (
    <ol class="strip" aria-label="Newest blocks, by the logarithm of the gas that they used">
      {blocks.toReversed().map((recent) => (
        <li key={recent.block.hash}>
          <Bar recent={recent} />
        </li>
      ))}
    </ol>
  )
}

function Bar({ recent }: { readonly recent: RecentBlock }): VNode {
  const { block, receipts } = recent
  const reverted = revertedIn(recent)
  const height = MIN_HEIGHT + fullness(block) * (HEIGHT - MIN_HEIGHT)
  const bad = receipts.length === 0 ? 0 : (reverted / receipts.length) * height
  const number = Number(block.number)
  const label = `Block ${number}: ${receipts.length} transactions, ${reverted} reverted`
  return (
    <a href={`#/block/${number}`} title={label} aria-label={label}>
      <svg viewBox={`0 0 10 ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        <rect class="used" x="0" y={HEIGHT - height} width="10" height={height} />
        <rect class="reverted" x="0" y={HEIGHT - bad} width="10" height={bad} />
      </svg>
    </a>
  )
}

/** From 0 to 1 by the logarithm of the gas, so that one large block leaves the others visible. */
const fullness = ({ gasUsed, gasLimit }: RecentBlock['block']): number =>
  Math.max(0, Math.log(Number(gasUsed) / MIN_GAS) / Math.log(Number(gasLimit) / MIN_GAS))
