/** Messages between the fuzzer and the process of the node. */

import type { Hex } from '../lib/base/hex.ts'
import type { WatchCounts } from './state-watch.ts'

/** A law that every run checks. */
export type Law =
  | 'no crash'
  | 'no internal error'
  | 'no unhandled rejection'
  | 'no request without an answer'
  | 'no change by a refused or reading call'
  | 'memory back to its level'
  | 'the next honest request in time'

/** A started node. */
export interface Ready {
  readonly kind: 'ready'
  readonly url: string
  readonly port: number
  readonly chainId: number
  readonly accounts: readonly { readonly address: string; readonly privateKey: Hex }[]
}

/** Memory after a full collection of garbage, in bytes, and the counts of watched calls. */
export interface Level {
  readonly kind: 'level'
  /** The heap and the array buffers. */
  readonly used: number
  readonly rss: number
  readonly counts: WatchCounts
}

/** What the process of the node sends. */
export type FromNode = Ready | Level | { readonly kind: 'broken'; readonly law: Law; readonly detail: string }

/** What it gets: a request for its level, or the end. */
export type ToNode = 'level' | 'exit'
