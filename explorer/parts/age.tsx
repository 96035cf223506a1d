/** How long ago something was; the exact time is in the title. */

import type { VNode } from 'preact'
import { nowSeconds } from '../client/clock.ts'
import { ageOf, timeOf } from '../format/amounts.ts'

/** `seconds` since the epoch: of a block, which can be in the future. */
export const Age = ({ seconds }: { readonly seconds: number }): VNode | null =>
  // The genesis of most chains has no time.
  seconds === 0 ? null : (
    <time class="age" title={`${timeOf(seconds)} UTC`}>
      {ageOf(seconds, nowSeconds.value)}
    </time>
  )
