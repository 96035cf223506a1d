/** What the node knows of its peers: nobody connects to a local chain, so there are only the addresses it was told to refuse. */

import type { Cell, ChainInstance } from '../instance/chain-instance.ts'

/** How a peer behaved so far; all numbers are counts (node-rpc 5.14). */
export interface PeerScore {
  readonly successfulHandshakes: number
  readonly failedHandshakes: number
  readonly invalidHeader: number
  readonly validBlocks: number
  readonly invalidBlocks: number
  readonly validTransactions: number
  readonly invalidTransactions: number
  readonly invalidNetworks: number
  readonly invalidMessages: number
  readonly repeatedMessages: number
  readonly timeoutMessages: number
  readonly unexpectedMessages: number
}

/** A peer and its reputation. */
export interface Peer extends PeerScore {
  /** First eight digits of the node id, or an address. */
  readonly id: string
  readonly type: 'node' | 'address'
  readonly score: number
  readonly punishments: number
  readonly goodReputation: boolean
  /** Milliseconds since the epoch; zero when it is not punished. */
  readonly punishedUntil: number
}

/** What the names of the counts are. */
export const SCORE_NAMES = [
  'successfulHandshakes',
  'failedHandshakes',
  'invalidHeader',
  'validBlocks',
  'invalidBlocks',
  'validTransactions',
  'invalidTransactions',
  'invalidNetworks',
  'invalidMessages',
  'repeatedMessages',
  'timeoutMessages',
  'unexpectedMessages',
] as const satisfies readonly (keyof PeerScore)[]

/** The peers of one node. */
export class PeerTable {
  readonly #banned: Cell<ReadonlySet<string>>
  // Nothing connects: this list grows with the first transport to other nodes.
  readonly #peers: readonly Peer[] = []

  constructor(instance: ChainInstance) {
    // A ban is about the network, not about the chain: a revert leaves it.
    this.#banned = instance.cell('bannedAddresses', 'keep', new Set<string>())
  }

  /** Known peers. */
  get peers(): readonly Peer[] {
    return this.#peers
  }

  /** Refused addresses in the order they were banned, as they were written. */
  get banned(): readonly string[] {
    return [...this.#banned.value]
  }

  /** Refuses an address or a block of addresses from now on. */
  ban(address: string): void {
    this.#banned.value = new Set([...this.#banned.value, address])
  }

  /** Accepts it again; an address that was not banned is no error. */
  unban(address: string): void {
    this.#banned.value = new Set([...this.#banned.value].filter((other) => other !== address))
  }
}
